import { startBench, type BenchOptions } from './bench.ts';
import { describeMachine } from './machine.ts';
import { linesOf, reportRow, textTable, type Report, type RowReport } from './report.ts';
import { rows } from './rows.ts';

/** What a run is asked for. */
export interface RunOptions extends BenchOptions {
  /** Ids of rows; empty means all. */
  only: readonly string[];
}

/**
 * Starts a server, lets all participants do all works, and says the tables as they come.
 *
 * @throws Error when a row is asked for that does not exist, or a participant does not do its work
 */
export async function runBench(options: RunOptions): Promise<Report> {
  const { only, quick, say } = options;
  const unknown = only.find(id => rows.every(row => row.id !== id));
  if (unknown !== undefined) throw new Error(`No row ${unknown}. There are: ${rows.map(({ id }) => id).join(', ')}.`);
  const start = performance.now();
  const bench = await startBench(options);
  const reports: RowReport[] = [];
  try {
    const machine = await describeMachine(bench.port);
    for (const row of rows) {
      if (only.length > 0 && !only.includes(row.id)) continue;
      const rowStart = performance.now();
      const figures = await row.measure(bench);
      const seconds = (performance.now() - rowStart) / 1000;
      const report = reportRow(row, figures, quick, seconds);
      reports.push(report);
      say(`\n${row.id}: ${row.title} (sizes: ${row.sizeOf}; ${Math.round(seconds)} s)\n${textTable(linesOf(report))}`);
    }
    const seconds = (performance.now() - start) / 1000;
    say(`\n${Math.round(seconds)} s on ${machine.cores} cores, load before ${machine.loadBefore}`);
    return { machine, quick, seconds, rows: reports };
  } finally {
    await bench.close();
  }
}

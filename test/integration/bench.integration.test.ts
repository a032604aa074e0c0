import { expect, it } from 'vitest';
import { rows } from '../bench/rows.ts';
import { runBench } from '../bench/runBench.ts';
import { linesOf } from '../bench/report.ts';

/** Who must have figures in a row; every other row is ours alone. */
const rivals: Record<string, readonly string[]> = {
  uncontended: ['bare socket', 'Curator', 'kazoo'],
  contended: ['bare socket', 'Curator', 'kazoo'],
  read: ['bare socket', 'Curator', 'Curator, in background', 'kazoo'],
  'first-look': ['bare socket', 'this project, warm', 'kazoo'],
  'hand-over': ['Curator', 'kazoo'],
  notifications: ['naive children watch'],
  find: ['zkCli ls -R', 'kazoo walk'],
  'first-cluster': ['bare socket', 'kazoo'],
  failover: ['Curator', 'kazoo'],
  sandbox: ['Java server'],
  replay: ['TxnLogToolkit'],
};

it('every benchmark runs, and every participant gives figures; their sizes are not judged', async () => {
  const said: string[] = [];
  const report = await runBench({ quick: true, long: false, only: [], say: text => said.push(text) });
  expect(report.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  for (const row of report.rows) {
    const participants = new Set(row.figures.map(({ participant }) => participant));
    expect([...participants], row.id).toEqual(['this project', ...(rivals[row.id] ?? [])]);
    for (const { participant, measure, values, median } of row.figures) {
      const name = `${row.id}: ${measure} of ${participant}`;
      expect(values.length, name).toBeGreaterThan(0);
      expect([...values, median].every(Number.isFinite), name).toBe(true);
    }
    expect(linesOf(row)).toHaveLength(1 + row.figures.length);
    // What counts is exact at any size.
    if (row.id === 'notifications') expect(row.figures.map(({ median }) => median)).toEqual([1, row.main]);
  }
  const measures = new Map(report.rows.map(({ id, figures }) => [id, figures.map(({ measure }) => measure)]));
  for (const { id, targets } of rows) {
    // There is a VSIX only after npm run package.
    const wanted = targets.map(({ measure }) => measure).filter(measure => measure !== 'VSIX');
    expect(measures.get(id), id).toEqual(expect.arrayContaining(wanted));
  }
  expect(said).toHaveLength(rows.length + 1);
}, 120_000);

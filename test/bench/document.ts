import { readFile, writeFile } from 'node:fs/promises';
import { ensembleCosts } from './ensembleCosts.ts';
import { linesOf, markdownTable, type Report } from './report.ts';

const begin = '<!-- bench:begin; written by npm run bench -- --write -->';
const end = '<!-- bench:end -->';

function block(report: Report): string {
  const { machine } = report;
  const parts = [
    `Machine: ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB; load before the run ${machine.loadBefore}. ` +
      `Node ${machine.node}, Java ${machine.java}, ZooKeeper ${machine.zooKeeper}, Curator ${machine.curator}, ` +
      `kazoo ${machine.kazoo}. The run took ${Math.round(report.seconds)} s.`,
    ...report.rows.map(row => `### ${row.title}\n\nSizes count ${row.sizeOf}.\n\n${markdownTable(linesOf(row))}`),
    ensembleCosts(report.rows),
  ];
  return parts.join('\n\n');
}

/**
 * Replaces what stands between the two marks of a document.
 *
 * @throws Error if the document has no such marks
 */
export async function writeDocument(file: string, report: Report): Promise<void> {
  const text = await readFile(file, 'utf8');
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
  if (start < 0 || stop < start) throw new Error(`${file} lacks the marks between which the tables go.`);
  await writeFile(file, `${text.slice(0, start)}${begin}\n\n${block(report)}\n\n${text.slice(stop)}`);
}

import { notInSample } from './sample.ts';

/** What Stryker says about a mutant at the end, as far as it is used here. */
interface Result {
  fileName: string;
  status: string;
  statusReason?: string | undefined;
}

const counted = ['Killed', 'Timeout', 'Survived', 'NoCoverage'] as const;
const headings = ['killed', 'time-out', 'survived', 'no coverage', 'error', 'score', 'of covered'];

const percent = (part: number, whole: number) => (whole === 0 ? '-' : ((100 * part) / whole).toFixed(2));

function row(name: string, results: readonly Result[]): string[] {
  const [killed, timeout, survived, noCoverage] = counted.map(
    wanted => results.filter(({ status }) => status === wanted).length,
  ) as [number, number, number, number];
  const detected = killed + timeout;
  const covered = detected + survived;
  const errors = results.length - covered - noCoverage;
  const scores = [percent(detected, covered + noCoverage), percent(detected, covered)];
  return [name, ...[killed, timeout, survived, noCoverage, errors].map(String), ...scores];
}

/** How many mutants of the sample the tests noticed: in each file, in each folder of src, in all. */
export function scoreTable(all: readonly Result[], fileName: (result: Result) => string): string {
  const sample = all.filter(({ statusReason }) => statusReason !== notInSample);
  const files = Map.groupBy(sample, fileName);
  const folders = Map.groupBy(sample, result => fileName(result).split('/').slice(0, 2).join('/'));
  const rows = [...files, ...folders].map(([name, results]) => row(name, results));
  const table = [['', ...headings], ...rows, row('all', sample)];
  const lines = table.map(([name = '', ...cells]) => name.padEnd(44) + cells.map(cell => cell.padStart(12)).join(''));
  return [...lines, `${sample.length} of ${all.length} mutants are in the sample.`].join('\n');
}

import { judge, round, type Verdict } from './verdicts.ts';
import type { Machine } from './machine.ts';
import { ours, type Figure, type Row } from './row.ts';
import { median } from './statistics.ts';

/** A row as it was measured, with what JSON needs. */
export interface RowReport {
  id: string;
  title: string;
  sizeOf: string;
  main: number;
  seconds: number;
  figures: (Figure & { median: number; samples: number })[];
  /** Empty under `--quick`: tiny sizes say nothing. */
  verdicts: Verdict[];
}

/** A whole run. */
export interface Report {
  machine: Machine;
  quick: boolean;
  seconds: number;
  rows: RowReport[];
}

/** Adds medians and verdicts. */
export function reportRow(row: Row, figures: readonly Figure[], quick: boolean, seconds: number): RowReport {
  const { id, title, sizeOf } = row;
  return {
    id,
    title,
    sizeOf,
    main: quick ? row.quick : row.main,
    seconds,
    figures: figures.map(figure => ({
      ...figure,
      median: median(figure.values),
      samples: figure.values.length,
    })),
    verdicts: quick ? [] : judge(row, figures),
  };
}

/** First the names of the columns, then a line per measure and participant. */
export function linesOf(report: RowReport): string[][] {
  const sizes = [...new Set(report.figures.map(({ size }) => size))].sort((a, b) => a - b);
  const head = [
    'measure',
    'by',
    ...sizes.map(size => size.toLocaleString('en-US')),
    'samples',
    'per 10×',
    'ratio',
    'target',
    '',
  ];
  const measures = [...new Set(report.figures.map(({ measure }) => measure))];
  const lines = measures.flatMap(measure => {
    const figures = report.figures.filter(figure => figure.measure === measure);
    const participants = [...new Set(figures.map(({ participant }) => participant))];
    return participants.flatMap(participant => participantLines(report, figures, participant, sizes));
  });
  return [head, ...lines];
}

function participantLines(
  report: RowReport,
  figures: RowReport['figures'],
  participant: string,
  sizes: readonly number[],
): string[][] {
  const own = figures.filter(figure => figure.participant === participant);
  const [{ measure, unit } = { measure: '', unit: '' }] = own;
  const cells = sizes.map(size => {
    const figure = own.find(one => one.size === size);
    return figure === undefined ? '' : round(figure.median);
  });
  const named = unit === 'count' ? measure : `${measure}, ${unit}`;
  const verdicts = report.verdicts.filter(
    verdict => verdict.measure === measure && (verdict.against ?? ours) === participant,
  );
  const [first, ...more] = verdicts;
  const ratio = participant === ours ? '' : comparison(report, figures, participant);
  const start = [
    named,
    participant,
    ...cells,
    samplesText(own),
    growth(own),
    first?.against === undefined ? ratio : first.found,
  ];
  const line = [...start, first?.target ?? '', first === undefined ? '' : metText(first)];
  const empty = ['', '', ...sizes.map(() => ''), '', ''];
  return [line, ...more.map(verdict => [...empty, verdict.found, verdict.target, metText(verdict)])];
}

/** How many values each median is made of, by size; one number where all are alike. */
function samplesText(figures: RowReport['figures']): string {
  const counts = [...figures].sort((a, b) => a.size - b.size).map(({ samples }) => String(samples));
  return new Set(counts).size === 1 ? (counts[0] ?? '') : counts.join(', ');
}

function metText({ met, isNear }: Verdict): string {
  return `${met ? 'met' : 'missed'}${isNear ? ', near' : ''}`;
}

/** By how much the figure grows, on average, when the size grows tenfold. */
function growth(figures: RowReport['figures']): string {
  const bySize = [...figures].sort((a, b) => a.size - b.size);
  const [first, last] = [bySize[0], bySize.at(-1)];
  if (first === undefined || last === undefined || first.size === last.size) return '';
  if (first.median <= 0 || last.median <= 0) return '';
  const decades = Math.log10(last.size / first.size);
  return `${round((last.median / first.median) ** (1 / decades))}×`;
}

/** How many times less ours is. */
function comparison(report: RowReport, figures: RowReport['figures'], participant: string): string {
  const at = (name: string): number =>
    figures.find(figure => figure.participant === name && figure.size === report.main)?.median ?? Number.NaN;
  const times = at(participant) / at(ours);
  return Number.isFinite(times) ? `${round(times)}×` : '';
}

/** For a terminal. */
export function textTable(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map(line => (line[column] ?? '').length)));
  const isNumber = (column: number): boolean => column > 1 && column < widths.length - 2;
  return lines
    .map(line =>
      line
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** For the document. */
export function markdownTable(lines: readonly string[][]): string {
  const [head = [], ...body] = lines;
  const rule = head.map((_, column) => (column > 1 && column < head.length - 2 ? '---:' : '---'));
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(head), row(rule), ...body.map(row)].join('\n');
}

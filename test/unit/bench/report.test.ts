import { describe, expect, it } from 'vitest';
import { changedVerdicts, textOfChanges } from '../../bench/changedVerdicts.ts';
import { ensembleCosts } from '../../bench/ensembleCosts.ts';
import { linesOf, reportRow } from '../../bench/report.ts';
import { ours, type Figure, type Row } from '../../bench/row.ts';

const row: Omit<Row, 'measure'> = {
  id: 'unit-costs',
  title: '',
  sizeOf: '',
  sizes: [10, 100],
  main: 10,
  quick: 1,
  targets: [],
};

function figure(measure: string, size: number, ...values: number[]): Figure {
  return { participant: ours, measure, unit: 'count', size, values };
}

function reportOf(...figures: Figure[]) {
  return reportRow({ ...row, measure: () => Promise.resolve([]) }, figures, false, 1);
}

it('a line says how many samples its medians are made of, by size where they differ', () => {
  const figures = [
    figure('steady', 10, 1, 2),
    figure('steady', 100, 1, 2),
    figure('less', 10, 1, 2),
    figure('less', 100, 1),
  ];
  const report = reportOf(...figures);
  expect(report.figures.map(({ samples }) => samples)).toEqual([2, 2, 2, 1]);
  const [head = [], ...lines] = linesOf(report);
  const column = head.indexOf('samples');
  expect(lines.map(line => line[column])).toEqual(['2', '2, 1']);
  for (const line of lines) expect(line).toHaveLength(head.length);
});

it('a figure that falls below nothing has no growth', () => {
  const [head = [], line = []] = linesOf(reportOf(figure('memory', 10, 1), figure('memory', 100, -2)));
  expect(line[head.indexOf('per 10×')]).toBe('');
});

it('what a search of all locks costs is reckoned from a search of many', () => {
  const search = [figure('locks searched', 10, 10_000), figure('requests of that search', 10, 40)];
  const line = ensembleCosts([reportOf(...search)])
    .split('\n')
    .find(text => text.startsWith('| requests to search'));
  expect(line?.split('|').map(cell => cell.trim())).toEqual(['', expect.any(String), '0.004', '400', '400,000', '']);
});

it('a target may be about another size than the main one, and says so', () => {
  const target = { measure: 'time', kind: 'below', limit: 5 } as const;
  const asked = { ...row, targets: [target, { ...target, size: 100 }], measure: () => Promise.resolve([]) };
  const report = reportRow(asked, [figure('time', 10, 1), figure('time', 100, 7)], false, 1);
  expect(report.verdicts).toEqual([
    { measure: 'time', target: '< 5', found: '1', met: true, isNear: false },
    { measure: 'time', target: '< 5 at 100', found: '7', met: false, isNear: false },
  ]);
});

describe('a verdict is near', () => {
  const targets = [
    { measure: 'time', kind: 'below', limit: 100 },
    { measure: 'time', kind: 'better', than: 'kazoo', times: 2 },
    { measure: 'time', kind: 'within', of: 'bare socket', times: 2 },
    { measure: 'time', kind: 'flat', times: 1.05 },
  ] as const;
  const asked = { ...row, targets, measure: () => Promise.resolve([]) };

  /** @returns of each target whether it is met, and near */
  function verdicts(unit: Figure['unit'], own: number, kazoo: number, bare: number) {
    const of = (participant: string, value: number): Figure => ({ ...figure('time', 10, value), unit, participant });
    const figures = [of(ours, own), of('kazoo', kazoo), of('bare socket', bare)];
    return reportRow(asked, figures, false, 1).verdicts.map(({ met, isNear }) => `${met ? 'met' : 'missed'} ${isNear}`);
  }

  it.each([
    ['below', [90, 190, 46], ['met true', 'met true', 'met true', 'met true']],
    ['above', [110, 200, 54], ['missed true', 'missed true', 'missed true', 'met true']],
    ['far below', [80, 400, 60], ['met false', 'met false', 'met false', 'met true']],
    ['far above', [120, 200, 40], ['missed false', 'missed false', 'missed false', 'met true']],
  ] as const)('where a time is less than 15 %% %s its limit or above it', (_, [own, kazoo, bare], expected) => {
    expect(verdicts('ms', own, kazoo, bare)).toEqual(expected);
  });

  it('but not where something is counted: that comes out alike each time', () => {
    expect(verdicts('count', 110, 210, 56)).toEqual(['missed false', 'missed false', 'met false', 'met false']);
  });
});

describe('two runs', () => {
  const targets = [
    { measure: 'a', kind: 'below', limit: 100 },
    { measure: 'b', kind: 'below', limit: 100 },
    { measure: 'c', kind: 'below', limit: 100 },
  ] as const;
  const run = (...times: number[]) => {
    const asked = { ...row, targets, measure: () => Promise.resolve([]) };
    const figures = times.map((time, at) => ({ ...figure(['a', 'b', 'c'][at] ?? '', 10, time), unit: 'ms' as const }));
    return { rows: [reportRow(asked, figures, false, 1)] };
  };

  it('differ in what one found met and the other missed, clearly where neither was near', () => {
    const changes = changedVerdicts(run(50, 50, 200), run(60, 110, 50));
    expect(changes.map(({ now, isClear }) => [now.measure, isClear])).toEqual([
      ['b', false],
      ['c', true],
    ]);
    expect(textOfChanges(changes).split('\n')).toEqual([
      'unit-costs, b < 100: 50 before, 110 now, near',
      'unit-costs, c < 100: 200 before, 50 now',
    ]);
  });

  it('are alike otherwise, also where one has a row that the other has not', () => {
    expect(changedVerdicts(run(50, 50, 200), run(99, 1, 101))).toEqual([]);
    expect(changedVerdicts({ rows: [] }, run(1, 1, 1))).toEqual([]);
    expect(textOfChanges([])).not.toBe('');
  });
});

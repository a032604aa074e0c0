import { describe, expect, it } from 'vitest';
import { historyCsv, historyJson } from '../../../src/history/historyFile.ts';
import { HistoryRecorder } from '../../../src/history/historyRecorder.ts';
import { quantilesOf } from '../../../src/history/figures.ts';
import { thinLengths } from '../../../src/history/queueLengths.ts';
import { contender } from '../extension/fixtures.ts';

const start = Date.UTC(2026, 4, 6);

function recorded(): HistoryRecorder {
  let now = start;
  const history = new HistoryRecorder({ now: () => now, monotonicNow: () => now });
  const first = contender('a', { role: 'holder', identifier: '=HYPERLINK("http://x")', czxid: 5n, createdAt: start });
  const second = contender('b', { role: 'holder', identifier: 'plain, "quoted"\nline', czxid: 6n, createdAt: start });
  history.observe({ path: '/locks/a', contenders: [first] });
  now += 250;
  history.observe({ path: '/locks/a', contenders: [second] });
  return history;
}

describe('the figures', () => {
  it('are spans that were seen: nearest rank', () => {
    expect(quantilesOf([])).toEqual({ samples: 0 });
    expect(quantilesOf([7])).toEqual({ samples: 1, p50: 7, p95: 7, max: 7 });
    expect(quantilesOf([4, 1, 3, 2])).toEqual({ samples: 4, p50: 2, p95: 4, max: 4 });
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantilesOf(hundred)).toEqual({ samples: 100, p50: 50, p95: 95, max: 100 });
  });

  it('are sorted as numbers', () => {
    expect(quantilesOf([9, 10, 100]).p50).toBe(10);
  });
});

describe('thinLengths', () => {
  const points = Array.from({ length: 5_000 }, (_, at) => ({ at, contenders: at === 2_345 ? 999 : at % 7 }));

  it('keeps the ends and every peak, in order, within the limit', () => {
    const thinned = thinLengths(points, 200);
    expect(thinned.length).toBeLessThanOrEqual(200);
    expect(thinned[0]).toEqual(points[0]);
    expect(thinned.at(-1)).toEqual(points.at(-1));
    expect(thinned).toContainEqual({ at: 2_345, contenders: 999 });
    expect(thinned.map(({ at }) => at)).toEqual(thinned.map(({ at }) => at).sort((a, b) => a - b));
  });

  it('leaves a short curve alone', () => {
    expect(thinLengths(points.slice(0, 200), 200)).toEqual(points.slice(0, 200));
  });
});

describe('a saved history', () => {
  it('is JSON with events, figures and times in UTC', () => {
    const history = recorded();
    const lock = { cluster: 'orders', path: '/locks/a', name: 'a' };
    const saved = JSON.parse(historyJson(history.events, history.history(12), lock, start + 1_000)) as Record<
      string,
      unknown
    >;
    expect(saved).toMatchObject({ lock, savedAt: '2026-05-06T00:00:01.000Z', figures: { handOvers: 1 } });
    expect(saved['events']).toMatchObject([
      { event: 'watching', queueLength: 1 },
      { event: 'held-before', node: '/locks/a/a', czxid: '5', session: '0x100' },
      { event: 'released', node: '/locks/a/a' },
      { event: 'held', node: '/locks/a/b', gapMs: 0, waitMs: 0, time: '2026-05-06T00:00:00.250Z' },
    ]);
  });

  it('says between which moments the turn of a holder came, as far as that is known', () => {
    const heldSince = { earliest: start - 9_000, latest: start - 2_000 };
    const known = contender('a', { role: 'holder', createdAt: start - 9_000, heldSince });
    const open = contender('b', { role: 'holder', createdAt: start, heldSince: { earliest: start } });
    const csv = historyCsv([known, open].map(each => ({ at: start, kind: 'held-before', contender: each })));
    const [heading, first, second] = csv.split('\r\n').map(line => line.split(','));
    const columns = ['heldSinceEarliest', 'heldSinceLatest'].map(name => heading!.indexOf(name));
    expect(columns.map(at => first![at])).toEqual(['"2026-05-05T23:59:51.000Z"', '"2026-05-05T23:59:58.000Z"']);
    expect(columns.map(at => second![at])).toEqual(['"2026-05-06T00:00:00.000Z"', '']);
  });

  it('is CSV in which no cell is a formula', () => {
    const csv = historyCsv(recorded().events);
    expect(csv.split('\r\n')[0]).toContain('time,event,node,identifier');
    expect(csv).toContain(`,"'=HYPERLINK(""http://x"")",`);
    expect(csv).toContain(`,"plain, ""quoted""\nline",`);
  });

  it.each([
    ...['=1', '+1', '-1', '@x', ' =1', '\t=1', '\tx', '\r', '"=1', '＝1'],
    "x;=cmd|'/c calc'!A1;",
    'x; "=1',
    'x;"=1;y',
    'x\t+1',
    'x\n=1',
    'x\r\n\t -1',
    'x\u0085@x',
    'x\u2028=1',
  ])('makes no formula of %j, wherever a spreadsheet begins a cell', identifier => {
    const csv = historyCsv([{ at: start, kind: 'held', contender: contender('a', { identifier }) }]);
    for (const cell of csv.split(/[;,\p{Cc}\p{Zl}\p{Zp}]/u)) {
      expect(cell.replace(/^[\s"]+/u, '')).not.toMatch(/^[=+\-@＝＋－＠]/u);
    }
    expect(csv).not.toMatch(/"[\t\r]/u);
  });

  it('leaves signs alone that begin no cell, and quotes every text', () => {
    const csv = historyCsv([{ at: start, kind: 'held', contender: contender('a', { identifier: 'a-b=c; d+e@f' }) }]);
    expect(csv).toContain(',"a-b=c; d+e@f",');
    expect(csv.split('\r\n')[1]).toMatch(/^"[^"]*","held","/u);
  });

  it('is written in a moment, however many blanks and signs a text has', () => {
    const identifier = '\t'.repeat(200_000) + ' ='.repeat(100_000);
    const csv = historyCsv([{ at: start, kind: 'held', contender: contender('a', { identifier }) }]);
    expect(csv.length).toBeGreaterThan(identifier.length);
  });
});

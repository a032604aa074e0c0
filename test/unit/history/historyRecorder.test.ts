import { beforeEach, describe, expect, it } from 'vitest';
import { held, olderHolds, RecordedHistory, span, start } from './recordedHistory.ts';

let history: RecordedHistory;
const node: RecordedHistory['node'] = (...values) => history.node(...values);

beforeEach(() => {
  history = new RecordedHistory();
});

describe('HistoryRecorder', () => {
  it('measures holds, waits and gaps of a queue that is handed on', () => {
    const [a, b, c] = [node('a', start - 500), node('b', start + 100), node('c', start + 200)];
    history.observe([held(a)], start);
    history.observe([held(a), b], start + 100);
    history.observe([held(a), b, c], start + 200);
    history.observe([held(b), c], start + 1_000);
    history.observe([c], start + 1_300);
    history.observe([held(c)], start + 1_350);
    history.observe([], start + 2_350);
    const { holds, figures, unwatched, lengths } = history.shown;
    expect(holds.map(span)).toEqual([
      { name: 'a', from: start, isFromBefore: true, until: start + 1_000 },
      { name: 'b', from: start + 1_000, isFromBefore: false, until: start + 1_300, gapMs: 0 },
      { name: 'c', from: start + 1_350, isFromBefore: false, until: start + 2_350, gapMs: 50 },
    ]);
    expect(figures).toEqual({
      handOvers: 2,
      longestQueue: 3,
      hold: { samples: 2, p50: 300, p95: 1_000, max: 1_000 },
      wait: { samples: 2, p50: 900, p95: 1_150, max: 1_150 },
      gap: { samples: 2, p50: 0, p95: 50, max: 50 },
    });
    expect(unwatched).toEqual([]);
    expect(lengths.map(({ contenders }) => contenders)).toEqual([1, 2, 3, 2, 1, 0]);
  });

  it('distinguishes a new node of the same name from the old one', () => {
    const a = node('a', start);
    history.observe([held(a)], start);
    history.observe([held(node('a', start + 10))], start + 10);
    expect(history.shown.holds.map(span)).toMatchObject([
      { from: start, until: start + 10, gapMs: undefined },
      { from: start + 10, until: undefined, gapMs: 0 },
    ]);
  });

  it('claims nothing about the time in which it did not watch', () => {
    const [a, b, c] = [node('a', start), node('b', start), node('c', start)];
    history.observe([], start);
    history.observe([held(a), b, c], start + 10);
    history.stopWatching(start + 100);
    history.observe([held(c)], start + 5_000);
    const { holds, figures, unwatched } = history.shown;
    expect(unwatched).toEqual([{ from: start + 100, until: start + 5_000 }]);
    expect(holds.map(span)).toMatchObject([
      { name: 'a', from: start + 10, until: start + 100 },
      { name: 'c', from: start + 5_000, isFromBefore: true },
    ]);
    expect(holds[1]).not.toHaveProperty('gapMs');
    expect(figures).toMatchObject({ handOvers: 0, hold: { samples: 0 }, gap: { samples: 0 }, wait: { samples: 1 } });
  });

  it('claims nothing about the time before an outage was noticed', () => {
    const [a, b] = [node('a', start), node('b', start)];
    history.observe([held(a), b], start);
    history.stopWatching(start + 9_000, 6_000);
    history.observe([held(b)], start + 20_000);
    expect(history.shown.unwatched).toEqual([{ from: start + 3_000, until: start + 20_000 }]);
    expect(history.shown.holds.map(span)).toMatchObject([
      { until: start + 3_000 },
      { from: start + 20_000, isFromBefore: true },
    ]);
  });

  it('keeps what an event said after the last answer', () => {
    const [a, b] = [node('a', start), node('b', start)];
    history.observe([held(a), b], start);
    history.observe([held(b)], start + 5_000);
    history.stopWatching(start + 9_000, 6_000);
    expect(history.shown.unwatched).toEqual([{ from: start + 5_000 }]);
    expect(history.shown.holds.map(span)).toMatchObject([
      { until: start + 5_000 },
      { from: start + 5_000, isFromBefore: false },
    ]);
  });

  it('goes on with a hold that outlasts the time without watching', () => {
    const a = node('a', start);
    history.observe([], start);
    history.observe([held(a)], start + 10);
    history.stopWatching(start + 20);
    history.observe([held(a)], start + 50);
    history.observe([], start + 110);
    expect(history.shown.holds).toHaveLength(1);
    expect(history.shown.figures.hold).toEqual({ samples: 1, p50: 100, p95: 100, max: 100 });
  });

  it('has no gap where the end of the last hold was not seen', () => {
    const a = node('a', start);
    history.observe([held(a)], start);
    history.observe([], start + 10);
    history.stopWatching(start + 20);
    history.observe([], start + 30);
    history.observe([held(node('b', start + 40))], start + 40);
    expect(history.shown.figures).toMatchObject({ handOvers: 0, gap: { samples: 0 } });
  });

  it('takes in nothing while it is paused', () => {
    const a = node('a', start);
    history.observe([], start);
    history.pause(true, start + 5);
    history.observe([held(a)], start + 10);
    expect(history.shown).toMatchObject({ isPaused: true, holds: [], unwatched: [{ from: start + 5 }] });
    history.pause(false, start + 50);
    expect(history.shown.isPaused).toBe(false);
    history.observe([held(a)], start + 50);
    expect(history.shown.holds.map(span)).toMatchObject([{ from: start + 50, isFromBefore: true }]);
    expect(history.shown.unwatched).toEqual([{ from: start + 5, until: start + 50 }]);
  });

  it('drops everything on clear, and resumes with what is held now', () => {
    const [a, b] = [node('a', start), node('b', start)];
    history.observe([held(a), b], start);
    history.observe([held(b)], start + 10);
    history.clear(start + 20);
    history.observe([held(b)], start + 20);
    const { openedAt, holds, figures, unwatched, events } = history.shown;
    expect({ openedAt, unwatched, events }).toEqual({ openedAt: start + 20, unwatched: [], events: 2 });
    expect(holds.map(span)).toMatchObject([{ name: 'b', from: start + 20, isFromBefore: true }]);
    expect(figures).toMatchObject({ handOvers: 0, longestQueue: 1, wait: { samples: 0 } });
  });

  it('counts readers that come while others hold as no hand-over', () => {
    const readers = [node('a', start, { kind: 'read' }), node('b', start, { kind: 'read' })].map(held);
    history.observe(readers.slice(0, 1), start);
    history.observe(readers, start + 10);
    expect(history.shown.figures).toMatchObject({ handOvers: 0, gap: { samples: 0 } });
    expect(history.shown.holds).toHaveLength(2);
  });

  it('has seen nothing when it was cleared while it is paused', () => {
    history.observe([held(node('a', start))], start);
    history.pause(true, start + 10);
    history.clear(start + 20);
    history.observe([held(node('b', start + 30))], start + 30);
    expect(history.shown).toMatchObject({ isPaused: true, holds: [], lengths: [], unwatched: [{ from: start + 20 }] });
  });

  it('sends who still holds, however many came and went since', () => {
    const long = held(node('long', start, { kind: 'read' }));
    history.observe([long], start);
    for (let turn = 1; turn <= 1_500; turn++) {
      const at = start + turn * 10;
      history.observe([long, held(node(`n${turn}`, at, { kind: 'read' }))], at);
      history.observe([long], at + 5);
    }
    const { holds, leftOut } = history.shown;
    expect(holds).toHaveLength(101);
    expect(holds.slice(0, 2).map(span)).toMatchObject([
      { name: 'long', from: start, until: undefined },
      { name: 'n1401', until: start + 14_015 },
    ]);
    expect(leftOut).toBe(0);
  });

  it('sends no more of very many holders than can be drawn, and says how many are left out', () => {
    const leases = Array.from({ length: 300 }, (_, index) => held(node(`n${index}`, start, { kind: 'lease' })));
    history.observe(leases, start);
    const { holds, leftOut } = history.shown;
    expect(holds.map(({ name }) => name)).toEqual(
      [...leases.slice(0, olderHolds), ...leases.slice(200)].map(({ name }) => name),
    );
    expect(leftOut).toBe(300 - holds.length);
  });

  it('keeps the newest 1,000 events and sends the newest 100 holds', () => {
    history.observe([], start);
    for (let turn = 1; turn <= 700; turn++) {
      const at = start + turn * 10;
      history.observe([held(node(`n${turn}`, at))], at);
      history.observe([], at + 5);
    }
    const { events, dropped, holds, lengths, figures } = history.shown;
    expect({ events, dropped }).toEqual({ events: 1_000, dropped: 401 });
    expect(holds.map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, index) => `n${601 + index}`));
    expect(lengths.length).toBeLessThanOrEqual(200);
    expect(figures).toMatchObject({ handOvers: 699, hold: { samples: 700, p50: 5, max: 5 } });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { Contender } from '../../../src/locks/lockQueue.ts';
import type { Quantiles } from '../../../src/history/figures.ts';
import { held, RecordedHistory, start } from './recordedHistory.ts';

let history: RecordedHistory;

beforeEach(() => {
  history = new RecordedHistory();
});

function nodes(kind: Contender['kind'], ...names: string[]): Contender[] {
  return names.map(name => history.node(name, start, { kind }));
}

/** What the figures say of these queues, the time of each in ms after the start. */
function figuresOf(...seen: [number, Contender[]][]): { handOvers: number; gap: Quantiles } {
  for (const [at, queue] of seen) history.observe(queue, start + at);
  const { handOvers, gap } = history.shown.figures;
  return { handOvers, gap };
}

const none = { handOvers: 0, gap: { samples: 0 } };
const once = (gapMs: number) => ({ handOvers: 1, gap: { samples: 1, p50: gapMs, p95: gapMs, max: gapMs } });

describe('a hand-over', () => {
  it.each([0, 5])('of one lease while another is kept is one, %d ms after the other ended', ms => {
    const [kept, a, b] = nodes('lease', 'kept', 'a', 'b') as [Contender, Contender, Contender];
    const queues: [number, Contender[]][] = [
      [0, [held(kept), held(a), b]],
      [1_000, [held(kept), b]],
      [1_000 + ms, [held(kept), held(b)]],
    ];
    expect(figuresOf(...(ms === 0 ? queues.toSpliced(1, 1) : queues))).toEqual(once(ms));
  });

  it('is counted for each lease that is taken over, with the time for which it was free', () => {
    const [a, b, c, d] = nodes('lease', 'a', 'b', 'c', 'd').map(held) as [Contender, Contender, Contender, Contender];
    const figures = figuresOf([0, [a, b]], [100, [b]], [200, []], [300, [c]], [400, [c, d]]);
    expect(figures).toMatchObject({ handOvers: 2, gap: { samples: 2, p50: 100, max: 300 } });
    expect(history.shown.holds.map(({ gapMs }) => gapMs)).toEqual([undefined, undefined, 100, undefined]);
  });

  it('is none where a free lease is taken', () => {
    const [a, b, c] = nodes('lease', 'a', 'b', 'c').map(held) as [Contender, Contender, Contender];
    expect(figuresOf([0, [a]], [100, [a, b]], [200, [a, b, c]])).toEqual(none);
  });

  it.each([true, false])('from a writer to many readers is one; in one look: %s', isOneLook => {
    const [writer] = nodes('write', 'w') as [Contender];
    const readers = nodes('read', 'r1', 'r2', 'r3', 'r4', 'r5');
    const first = readers.map((reader, index) => (index === 0 ? held(reader) : reader));
    const queues: [number, Contender[]][] = [
      [0, [held(writer), ...readers]],
      [1_000, first],
      [1_001, readers.map(held)],
    ];
    expect(figuresOf(...(isOneLook ? queues.toSpliced(1, 1) : queues))).toEqual(once(0));
  });

  it('is none where a reader joins others as one of them leaves', () => {
    const [r1, r2, r3] = nodes('read', 'r1', 'r2', 'r3').map(held) as [Contender, Contender, Contender];
    expect(figuresOf([0, [r1, r2]], [1_000, [r2, r3]])).toEqual(none);
  });

  it('to a writer comes from the last of the readers, however they left', () => {
    const readers = nodes('read', 'r1', 'r2', 'r3').map(held);
    const [writer, next] = nodes('write', 'w', 'x') as [Contender, Contender];
    const figures = figuresOf(
      [0, [...readers, writer]],
      [100, [...readers.slice(1), writer]],
      [200, [...readers.slice(2), writer]],
      [300, [held(writer), next]],
      [400, [held(next)]],
    );
    expect(figures).toMatchObject({ handOvers: 2, gap: { samples: 2, max: 0 } });
  });

  it('of a mutex that was free in between has that time as its gap', () => {
    const [a, b] = nodes('exclusive', 'a', 'b').map(held) as [Contender, Contender];
    expect(figuresOf([0, [a]], [100, []], [150, [b]])).toEqual(once(50));
    expect(history.shown.holds.at(-1)).toMatchObject({ gapMs: 50 });
  });

  it('of a lease is none when it was given up before a time that was not watched', () => {
    const [a, b, c] = nodes('lease', 'a', 'b', 'c').map(held) as [Contender, Contender, Contender];
    figuresOf([0, [a, b]], [100, [b]]);
    history.stopWatching(start + 200);
    expect(figuresOf([300, [b]], [400, [b, c]])).toEqual(none);
  });
});

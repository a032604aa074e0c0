import { beforeEach, describe, expect, it } from 'vitest';
import { held, RecordedHistory, span, start } from './recordedHistory.ts';

const hour = 3_600_000;
let history: RecordedHistory;

beforeEach(() => {
  history = new RecordedHistory();
});

/** A node comes to an empty queue, holds at once for 100 ms, and goes. @param ahead of the cluster's clock, in ms */
function oneMore(at: number, ahead = 0): void {
  const node = history.node('n', at + ahead);
  history.observe([held(node)], at);
  history.observe([], at + 100);
}

describe('the clocks of a history', () => {
  it.each([-hour, hour])('measure spans rightly when the wall clock is set by %d ms', step => {
    const [a, b] = [history.node('a', start), history.node('b', start + 1_000)];
    history.observe([], start);
    history.observe([held(a)], start);
    history.observe([held(a), b], start + 1_000);
    history.step = step;
    history.observe([b], start + 2_000);
    history.observe([held(b)], start + 2_050);
    history.observe([], start + 2_500);
    expect(history.shown.figures).toMatchObject({
      hold: { samples: 2, p50: 450, max: 2_000 },
      wait: { samples: 2, p50: 0, max: 1_050 },
      gap: { samples: 1, max: 50 },
    });
    expect(history.events.map(({ heldMs }) => heldMs ?? 0)).toEqual([0, 0, 2_000, 0, 450]);
  });

  it('show all moments by the wall clock as it is set now, in order', () => {
    const a = history.node('a', start);
    history.observe([held(a)], start);
    history.step = -hour;
    history.observe([held(history.node('b', start))], start + 500);
    const { openedAt, holds, lengths } = history.shown;
    expect(openedAt).toBe(start - hour);
    expect(holds.map(span)).toMatchObject([
      { from: start - hour, until: start - hour + 500 },
      { from: start - hour + 500 },
    ]);
    expect(lengths[0]?.at).toBe(start - hour);
    expect(history.events.map(({ at }) => at - start + hour)).toEqual([0, 0, 500, 500]);
    history.stopWatching(start + 600);
    expect(history.shown.unwatched).toEqual([{ from: start - hour + 600 }]);
  });

  it('do not move what was seen when the wall clock is only steered', () => {
    history.observe([held(history.node('a', start))], start);
    history.step = 300;
    expect(history.shown.openedAt).toBe(start);
  });

  it('measure waits by one clock when that of the cluster is an hour behind', () => {
    const [a, b] = [history.node('a', start - hour), history.node('b', start - hour + 100)];
    history.observe([held(a)], start);
    history.observe([held(a), b], start + 103);
    history.observe([held(b)], start + 603);
    expect(history.shown.figures.wait).toMatchObject({ samples: 1, max: 500 });
  });

  it('follow the cluster’s clock when a new leader has another time, after some nodes at the latest', () => {
    history.observe([], start);
    oneMore(start + 1_000);
    for (let turn = 2; turn < 40; turn++) oneMore(start + turn * 1_000, -60_000);
    expect(history.shown.figures.wait).toMatchObject({ p50: 0, max: 60_000 });
  });

  it('learn the cluster’s clock again after a time without watching', () => {
    history.observe([], start);
    oneMore(start + 1_000);
    history.stopWatching(start + 2_000);
    history.observe([], start + 3_000);
    oneMore(start + 4_000, -60_000);
    expect(history.shown.figures.wait).toMatchObject({ samples: 2, max: 0 });
  });

  it('learn the cluster’s clock again after the history was cleared', () => {
    history.observe([], start);
    oneMore(start + 1_000);
    history.clear(start + 2_000);
    history.observe([], start + 2_000);
    oneMore(start + 4_000, -60_000);
    expect(history.shown.figures.wait).toMatchObject({ samples: 1, max: 0 });
  });

  it('still know the cluster’s clock after a time without watching, until a node is seen to come', () => {
    history.observe([], start);
    oneMore(start + 1_000, -hour);
    const [a, b] = [history.node('a', start + 1_200 - hour), history.node('b', start + 1_500 - hour)];
    history.stopWatching(start + 1_100);
    history.observe([held(a), b], start + 2_000);
    history.observe([held(b)], start + 2_500);
    expect(history.shown.figures.wait).toMatchObject({ samples: 2, max: 1_000 });
  });
});

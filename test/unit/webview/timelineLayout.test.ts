import { describe, expect, it } from 'vitest';
import type { Hold } from '../../../src/historyProtocol.ts';
import { layOutTimeline } from '../../../webview/timelineLayout.ts';
import { timelineLanes } from '../../../src/historyProtocol.ts';
import { busyHistory, emptyHistory, noon } from './snapshots.ts';

function held(from: number, until?: number): Hold {
  return {
    name: `n${from}`,
    who: 'w',
    kind: 'exclusive',
    from: noon + from,
    isFromBefore: false,
    ...(until === undefined ? {} : { until: noon + until }),
  };
}

const day = 86_400_000;
const opened = { openedAt: noon };

describe('the layout of the timeline', () => {
  it('draws hand-overs in one lane and holds at the same time in lanes of their own', () => {
    const mutex = emptyHistory({ ...opened, holds: [held(0, 10), held(10, 20), held(25)] });
    expect(layOutTimeline(mutex, noon + 40, 1_000).bars.map(bar => bar.lane)).toEqual([0, 0, 0]);
    const readers = emptyHistory({ ...opened, holds: [held(0, 30), held(10, 20), held(25, 40)] });
    expect(layOutTimeline(readers, noon + 40, 1_000).bars.map(bar => bar.lane)).toEqual([0, 1, 1]);
  });

  it('lets the bar of who still holds reach until now', () => {
    const { bars } = layOutTimeline(emptyHistory({ ...opened, holds: [held(5_000)] }), noon + 10_000, 1_000);
    expect(bars[0]).toMatchObject({ x: 500, width: 500 });
  });

  it('ends the bar of who held when it was last seen there', () => {
    const history = emptyHistory({
      ...opened,
      holds: [held(0, 2_000), held(5_000)],
      unwatched: [{ from: noon + 1_000, until: noon + 1_500 }, { from: noon + 8_000 }],
    });
    const { bars } = layOutTimeline(history, noon + 10_000, 1_000);
    expect(bars).toMatchObject([
      { x: 0, width: 200 },
      { x: 500, width: 300, lastSeen: noon + 8_000 },
    ]);
  });

  it('counts what it does not draw for want of lanes, and what it was not told of', () => {
    const holds = Array.from({ length: 20 }, (_, index) => held(index));
    const layout = layOutTimeline(emptyHistory({ ...opened, holds, leftOut: 5 }), noon + 10_000, 1_000);
    expect(layout.bars).toHaveLength(timelineLanes);
    expect(layout.hidden).toBe(20 - timelineLanes + 5);
  });

  it('shows gaps and what was not watched, where they were', () => {
    const history = emptyHistory({
      ...opened,
      holds: [held(0, 2_000), { ...held(3_000, 4_000), gapMs: 1_000 }],
      unwatched: [{ from: noon + 6_000, until: noon + 8_000 }, { from: noon + 9_000 }],
    });
    const layout = layOutTimeline(history, noon + 10_000, 1_000);
    expect(layout.gaps).toEqual([{ x: 200, width: 100 }]);
    expect(layout.unwatched).toEqual([
      { x: 600, width: 200 },
      { x: 900, width: 100 },
    ]);
  });

  it('begins with the oldest hold when older ones were left out', () => {
    const history = { ...busyHistory(100), openedAt: noon - 86_400_000 };
    expect(layOutTimeline(history, noon, 1_000).from).toBe(history.holds[0]?.from);
  });

  it('begins with the oldest of the newest holds when one from before lasts still', () => {
    const history = busyHistory(100);
    const long = { ...held(-86_400_000), from: history.openedAt - 80_000_000 };
    const holds = [long, ...history.holds];
    const { from, bars } = layOutTimeline({ ...history, openedAt: long.from, holds }, noon, 1_000);
    expect(from).toBe(history.holds[0]?.from);
    expect(bars[0]).toMatchObject({ hold: long, x: 0, width: 1_000 });
  });

  it.each([
    [6 * day, 86_400_000],
    [60 * day, 86_400_000 * 7],
  ])('marks days at midnight in an axis of %d ms', (span, step) => {
    const { ticks } = layOutTimeline(emptyHistory({ openedAt: noon - span }), noon, 1_000);
    expect(ticks.length).toBeGreaterThan(3);
    for (const { at, isMidnight } of ticks) {
      expect(isMidnight).toBe(true);
      expect(new Date(at).getHours()).toBe(0);
    }
    expect(Math.round(((ticks[1]?.at ?? 0) - (ticks[0]?.at ?? 0)) / step)).toBe(1);
  });

  it('marks the midnight between hours', () => {
    const openedAt = new Date(2026, 10, 20, 13).getTime();
    const { ticks } = layOutTimeline(emptyHistory({ openedAt }), openedAt + day, 1_000);
    expect(ticks.filter(({ isMidnight }) => isMidnight)).toHaveLength(1);
  });

  it.each([100, 368, 1_152])('has room for the text of each tick in %d pixels', width => {
    const { ticks } = layOutTimeline(busyHistory(60), noon, width);
    for (const [index, { x }] of ticks.entries()) {
      expect(x).toBeLessThanOrEqual(width - 76 + 1e-6);
      expect(x - (ticks[index - 1]?.x ?? -Infinity)).toBeGreaterThanOrEqual(110);
    }
  });

  it('draws the length as steps, never out of its box', () => {
    const lengths = [
      { at: noon, contenders: 1 },
      { at: noon + 5_000, contenders: 4 },
    ];
    const { curve, longest } = layOutTimeline(emptyHistory({ ...opened, lengths }), noon + 10_000, 1_000);
    expect(longest).toBe(4);
    expect(curve).toBe('M0 57.3H500V16H1000');
  });

  it('has no length where nothing was watched, and no step there', () => {
    const lengths = [
      { at: noon, contenders: 1 },
      { at: noon + 6_000, contenders: 4 },
    ];
    const unwatched = [{ from: noon + 2_000, until: noon + 6_000 }, { from: noon + 8_000 }];
    const history = emptyHistory({ ...opened, lengths, unwatched });
    const { curve, area } = layOutTimeline(history, noon + 10_000, 1_000);
    expect(curve).toBe('M0 57.3H200M600 16H800');
    expect(area).toBe('M0 57.3H200V72H0ZM600 16H800V72H600Z');
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { TimelineWindow, type WindowFacts } from '../../../../src/app/panel/timelineWindow.ts';

const span = { from: 1_000_000, to: 2_000_000 };
const holdsEvery = (ms: number): WindowFacts['holds'] =>
  Array.from({ length: (span.to - span.from) / ms }, (_, index) => ({
    from: { zxid: BigInt(index), time: span.from + index * ms },
  }));
const few = holdsEvery(100_000);
const many = holdsEvery(1_000);

let window: TimelineWindow;
beforeEach(() => {
  window = new TimelineWindow();
});

describe('the part of the time that a timeline shows', () => {
  it('is all of it where there are few holds', () => {
    expect(window.of(undefined, { span, at: span.to, holds: few })).toEqual(span);
  });

  it.each([span.from, 1_500_500, span.to])('is around the instant %d where there are many', at => {
    const shown = window.of(undefined, { span, at, holds: many });
    expect(shown.from).toBeLessThanOrEqual(at);
    expect(shown.to).toBeGreaterThanOrEqual(at);
    const inside = many.filter(({ from }) => from.time >= shown.from && from.time <= shown.to);
    expect(inside.length).toBeGreaterThanOrEqual(200);
    expect(inside.length).toBeLessThanOrEqual(201);
  });

  it('is what was asked for, as far as it is recorded', () => {
    const facts = { span, at: span.to, holds: few };
    expect(window.of({ from: 1_200_000, to: 1_300_000 }, facts)).toEqual({ from: 1_200_000, to: 1_300_000 });
    expect(window.of({ from: 1_900_000, to: 2_100_000 }, facts)).toEqual({ from: 1_800_000, to: 2_000_000 });
    expect(window.of({ from: -5e9, to: 5e9 }, facts)).toEqual(span);
  });

  it('is never too short to be drawn, nor upside down', () => {
    const facts = { span, at: span.to, holds: few };
    expect(window.of({ from: 1_500_000, to: 1_500_000 }, facts)).toEqual({ from: 1_500_000, to: 1_501_000 });
    const { from, to } = window.of({ from: 1_600_000, to: 1_500_000 }, facts);
    expect(to).toBeGreaterThan(from);
    const instant = { from: 5, to: 5 };
    const { from: start, to: end } = window.of(undefined, { span: instant, at: 5, holds: [] });
    expect(end).toBeGreaterThan(start);
  });

  it('goes along with an instant that leaves it, and stays for one that does not', () => {
    const asked = { from: 1_200_000, to: 1_300_000 };
    window.of(asked, { span, at: 1_250_000, holds: few });
    expect(window.of(asked, { span, at: 1_290_000, holds: few })).toEqual(asked);
    expect(window.of(asked, { span, at: 1_310_000, holds: few })).toEqual({ from: 1_260_000, to: 1_360_000 });
    expect(window.of(asked, { span, at: 1_320_000, holds: few })).toEqual({ from: 1_260_000, to: 1_360_000 });
  });

  it('may be where the instant is not, as long as that stays', () => {
    const at = 1_900_000;
    window.of(undefined, { span, at, holds: few });
    const asked = { from: 1_200_000, to: 1_300_000 };
    expect(window.of(asked, { span, at, holds: few })).toEqual(asked);
    expect(window.of(asked, { span, at, holds: few })).toEqual(asked);
  });

  it('grows with a recording that is shown whole', () => {
    window.of(undefined, { span, at: span.to, holds: few });
    const longer = { from: span.from, to: span.to + 50_000 };
    expect(window.of(undefined, { span: longer, at: longer.to, holds: few })).toEqual(longer);
  });
});

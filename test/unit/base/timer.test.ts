import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callLater } from '../../../src/base/timer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The clock goes on with the timers, and by `sleptMs` without them. */
function clockThatSleeps(): { now(): number; sleptMs: number } {
  const start = Date.now();
  return {
    sleptMs: 0,
    now() {
      return Date.now() - start + this.sleptMs;
    },
  };
}

describe('a call later', () => {
  it.each([205, 10_000, 10_001, 300_000])('comes after %i ms, once', ms => {
    const callback = vi.fn();
    const clock = clockThatSleeps();
    callLater(callback, ms, () => clock.now());
    vi.advanceTimersByTime(ms - 1);
    expect(callback).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(600_000);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('counts the time for which the machine slept', () => {
    const callback = vi.fn();
    const clock = clockThatSleeps();
    callLater(callback, 300_000, () => clock.now());
    vi.advanceTimersByTime(20_000);
    clock.sleptMs = 3_600_000;
    vi.advanceTimersByTime(10_001);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it.each([5_000, 60_000])('does not come once it was disposed of, after %i ms', ms => {
    const callback = vi.fn();
    const clock = clockThatSleeps();
    const timer = callLater(callback, 120_000, () => clock.now());
    vi.advanceTimersByTime(ms);
    timer.dispose();
    vi.advanceTimersByTime(600_000);
    expect(callback).not.toHaveBeenCalled();
  });
});

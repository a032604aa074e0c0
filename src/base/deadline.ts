import { uptime } from 'node:os';
import { SleepAwareClock } from './sleepAwareClock.ts';

/**
 * Milliseconds that only move forward: a changed wall clock never ends or prolongs a deadline (docs/faults.md, F28), and the
 * time for which the machine slept counts (F27).
 */
export type MonotonicClock = () => number;

export const monotonicNow: MonotonicClock = clockOf(process.platform);

/**
 * On Linux `performance.now()` stands still while the machine sleeps, and `uptime()` does not. Elsewhere it goes on, and
 * `uptime()` follows the wall clock (macOS) or is of no use.
 */
function clockOf(platform: NodeJS.Platform): MonotonicClock {
  if (platform !== 'linux') return () => performance.now();
  const clock = new SleepAwareClock({
    awake: () => performance.now(),
    sinceBoot: () => uptime() * 1_000,
    wall: () => Date.now(),
  });
  return () => clock.now();
}

/** A moment after which an attempt must be over. Created once per attempt; every step uses what is left. */
export class Deadline {
  private readonly clock: MonotonicClock;
  private readonly endsAt: number;

  /** @param durationMs from now; `Infinity` never ends */
  constructor(durationMs: number, clock: MonotonicClock = monotonicNow) {
    this.clock = clock;
    this.endsAt = clock() + durationMs;
  }

  /** Milliseconds left, never negative. */
  get remainingMs(): number {
    return Math.max(0, this.endsAt - this.clock());
  }

  get isOver(): boolean {
    return this.clock() >= this.endsAt;
  }
}

/**
 * Milliseconds that only move forward: a changed wall clock never ends or prolongs a deadline (docs/faults.md, F28).
 */
export type MonotonicClock = () => number;

export const monotonicNow: MonotonicClock = () => performance.now();

/** A moment after which an attempt must be over. Made once per attempt; every step asks for what is left. */
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

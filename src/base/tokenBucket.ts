import type { MonotonicClock } from './deadline.ts';

/** So many at once, and so many a second in the long run. */
export class TokenBucket {
  private readonly perMs: number;
  private readonly burst: number;
  private readonly clock: MonotonicClock;
  private tokens: number;
  private at: number;

  /** @param burst at once, at most */
  constructor(perSecond: number, burst: number, clock: MonotonicClock) {
    this.perMs = perSecond / 1_000;
    this.burst = burst;
    this.clock = clock;
    this.tokens = burst;
    this.at = clock();
  }

  /** How many may be taken now. Below 0 where more were taken. */
  get left(): number {
    const now = this.clock();
    this.tokens = Math.min(this.burst, this.tokens + (now - this.at) * this.perMs);
    this.at = now;
    return this.tokens;
  }

  take(count = 1): void {
    this.tokens = this.left - count;
  }

  /** Ms until so many may be taken, or a burst if that is less. */
  waitMs(count = 1): number {
    const missing = Math.min(count, this.burst) - this.left;
    return missing <= 0 ? 0 : missing / this.perMs;
  }
}

import type { MonotonicClock } from './deadline.ts';
import { TokenBucket } from './tokenBucket.ts';

/** Whether something comes fast: more than a burst at once, or more often than so many times a second for long. */
export class RateMeter {
  private readonly bucket: TokenBucket;
  private readonly perSecond: number;

  constructor(perSecond: number, burst: number, clock: MonotonicClock) {
    this.bucket = new TokenBucket(perSecond, burst, clock);
    this.perSecond = perSecond;
  }

  note(count = 1): void {
    // However many came, a second without them ends it.
    this.bucket.take(Math.min(count, this.bucket.left + this.perSecond));
  }

  get isFast(): boolean {
    return this.bucket.left < 0;
  }
}

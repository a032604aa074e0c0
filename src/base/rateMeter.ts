import type { MonotonicClock } from './deadline.ts';
import { TokenBucket } from './tokenBucket.ts';

/** Whether something comes fast: more often than so many times a second, for longer than a burst takes. */
export class RateMeter {
  private readonly bucket: TokenBucket;
  private readonly burst: number;

  /** @param burst that may come together and is not fast; after more, it is fast until as long went by as a burst takes */
  constructor(perSecond: number, burst: number, clock: MonotonicClock) {
    this.bucket = new TokenBucket(perSecond, burst, clock);
    this.burst = burst;
  }

  note(count = 1): void {
    // However many came, as long without them ends it.
    this.bucket.take(Math.min(count, this.bucket.left + this.burst));
  }

  get isFast(): boolean {
    return this.bucket.left < 0;
  }
}

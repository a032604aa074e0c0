import type { MonotonicClock } from '../../base/deadline.ts';
import { TokenBucket } from '../../base/tokenBucket.ts';

const readsPerSecond = 20;
const burst = 100;

/**
 * Spaces reads while changes come fast for long: a request costs more than what it reads, so some changes are read together then. Up to 20
 * changes a second are read at once, and so are a hundred that come together: what is read late may be gone.
 */
export class SpacedReads {
  private readonly bucket: TokenBucket;

  constructor(clock: MonotonicClock) {
    this.bucket = new TokenBucket(readsPerSecond, burst, clock);
  }

  /** Resolves when it is time for the next read. Calls follow each other. */
  async next(): Promise<void> {
    const wait = this.bucket.waitMs();
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
    this.bucket.take();
  }
}

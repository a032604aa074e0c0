import type { MonotonicClock } from '../../base/deadline.ts';
import { RateMeter } from '../../base/rateMeter.ts';

/** More changes a second, for longer than such a burst takes, come fast. */
const changesPerSecond = 60;
const burst = 300;
/** Between two reads while changes come fast, ms. */
const spacingMs = 100;

/**
 * Spaces reads while changes come fast for long: a request costs more than what it reads, so those changes are read together. Otherwise
 * they are read at once: what is read late may be gone.
 */
export class SpacedReads {
  private readonly clock: MonotonicClock;
  private readonly changes: RateMeter;
  private lastAt = -Infinity;

  constructor(clock: MonotonicClock) {
    this.clock = clock;
    this.changes = new RateMeter(changesPerSecond, burst, clock);
  }

  /** Something changed. */
  note(): void {
    this.changes.note();
  }

  /** Resolves when it is time for the next read. Calls follow each other. */
  async next(): Promise<void> {
    const wait = this.changes.isFast ? this.lastAt + spacingMs - this.clock() : 0;
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
    this.lastAt = this.clock();
  }
}

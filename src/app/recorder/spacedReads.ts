import type { MonotonicClock } from '../../base/deadline.ts';

const spacingMs = 20;
const mostInARow = 20;

/**
 * Spaces reads while changes come one after the other for long: a request costs more than what it reads, so some changes are read
 * together then. A single change, or a few, are read at once.
 */
export class SpacedReads {
  private readonly clock: MonotonicClock;
  private readAt = -Infinity;
  private inARow = 0;

  constructor(clock: MonotonicClock) {
    this.clock = clock;
  }

  /** Resolves when it is time for the next read. */
  async next(): Promise<void> {
    const since = this.clock() - this.readAt;
    this.inARow = since < 2 * spacingMs ? this.inARow + 1 : 0;
    if (this.inARow > mostInARow && since < spacingMs) {
      await new Promise(resolve => setTimeout(resolve, spacingMs - since));
    }
    this.readAt = this.clock();
  }
}

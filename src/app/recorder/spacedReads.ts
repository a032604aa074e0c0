import type { MonotonicClock } from '../../base/deadline.ts';

/** After so many reads in a row there is so much time between two of them, ms. */
const spacings = [
  { inARow: 200, ms: 50 },
  { inARow: 20, ms: 20 },
];
/** More time between two reads ends the row. ms */
const longestPause = 100;

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
    this.inARow = since < longestPause ? this.inARow + 1 : 0;
    const { ms = 0 } = spacings.find(({ inARow }) => this.inARow > inARow) ?? {};
    if (since < ms) await new Promise(resolve => setTimeout(resolve, ms - since));
    this.readAt = this.clock();
  }
}

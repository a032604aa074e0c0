import type { MonotonicClock } from '../../base/deadline.ts';

/** So much time is between two reads in the long run, ms. */
const spacingMs = 50;
/** So many more may follow each other at once. */
const burst = 100;

/**
 * Spaces reads while changes come fast for long: a request costs more than what it reads, so some changes are read together then. Up to 20
 * changes a second are read at once, and so are a hundred that come together: what is read late may be gone.
 */
export class SpacedReads {
  private readonly clock: MonotonicClock;
  private left = burst;
  private at: number;

  constructor(clock: MonotonicClock) {
    this.clock = clock;
    this.at = clock();
  }

  /** Resolves when it is time for the next read. Calls follow each other. */
  async next(): Promise<void> {
    this.fill();
    if (this.left < 1) await new Promise(resolve => setTimeout(resolve, (1 - this.left) * spacingMs));
    this.fill();
    this.left--;
  }

  private fill(): void {
    const now = this.clock();
    this.left = Math.min(burst, this.left + (now - this.at) / spacingMs);
    this.at = now;
  }
}

/** The two clocks of a machine, in ms. */
export interface WallAndSteadyClock {
  /** Epoch ms; may be set by anybody at any time. */
  now(): number;
  /** Monotonic. */
  monotonicNow(): number;
}

/** A wall clock that is steered, or read a moment later than the other, is not taken for one that was set. */
const leastStepMs = 1_000;

/**
 * The time of a history: it runs as the monotonic clock does, so that spans are right and the order stays, whatever is done to
 * the wall clock. It begins as the wall clock's; for the screen all of its moments are told by the wall clock as it is set now.
 */
export class HistoryClock {
  private readonly clocks: WallAndSteadyClock;
  private readonly ahead: number;
  private told = 0;

  constructor(clocks: WallAndSteadyClock) {
    this.clocks = clocks;
    this.ahead = clocks.now() - clocks.monotonicNow();
  }

  now(): number {
    return Math.round(this.clocks.monotonicNow() + this.ahead);
  }

  /** To be added to a moment of this clock for the wall clock's, in ms: how far that was set meanwhile. */
  get step(): number {
    const step = this.clocks.now() - this.now();
    if (Math.abs(step - this.told) >= leastStepMs) this.told = step;
    return this.told;
  }
}

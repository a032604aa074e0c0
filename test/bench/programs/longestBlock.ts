export interface Block {
  /** By the clock, ms. */
  blockMs: number;
  /** Processor time of the thread between two looks: what it would be, at most, on a core with no other work, ms. */
  ownMs: number;
}

/** Measures for how long the event loop of this program stands still, from now on. */
export class LongestBlock {
  private readonly lookEveryMs: number;
  private longest: Block = { blockMs: 0, ownMs: 0 };
  private last = performance.now();
  private own = process.threadCpuUsage();

  constructor(lookEveryMs: number) {
    this.lookEveryMs = lookEveryMs;
    setInterval(() => this.look(), lookEveryMs);
  }

  /** The longest since it was taken last. What stands still now, does so until here. */
  take(): Block {
    this.look();
    const { longest } = this;
    this.leaveOut();
    return longest;
  }

  /** What was done since the last look does not count. */
  leaveOut(): void {
    this.last = performance.now();
    this.own = process.threadCpuUsage();
    this.longest = { blockMs: 0, ownMs: 0 };
  }

  private look(): void {
    const now = performance.now();
    const { user, system } = process.threadCpuUsage(this.own);
    this.longest = {
      blockMs: Math.max(this.longest.blockMs, now - this.last - this.lookEveryMs),
      ownMs: Math.max(this.longest.ownMs, (user + system) / 1000),
    };
    this.last = now;
    this.own = process.threadCpuUsage();
  }
}

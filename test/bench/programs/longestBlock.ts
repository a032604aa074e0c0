export interface Block {
  /** By the clock, ms. */
  blockMs: number;
  /** Processor time of the thread between two looks: what it would be, at most, on a core with no other work, ms. */
  ownMs: number;
}

/** Measures for how long the event loop of this program stands still, from now on. Its looks take processor time themselves. */
export class LongestBlock {
  private readonly lookEveryMs: number;
  private timer: NodeJS.Timeout | undefined;
  private longest: Block = { blockMs: 0, ownMs: 0 };
  private last = performance.now();
  private own = process.threadCpuUsage();

  constructor(lookEveryMs: number) {
    this.lookEveryMs = lookEveryMs;
    this.resume();
  }

  pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** What was done since `pause` does not count. */
  resume(): void {
    if (this.timer !== undefined) return;
    this.begin();
    this.timer = setInterval(() => this.look(), this.lookEveryMs);
  }

  /** The longest since it was taken last. What stands still now, does so until here. */
  take(): Block {
    if (this.timer !== undefined) this.look();
    const { longest } = this;
    this.leaveOut();
    return longest;
  }

  /** What was done since the last look does not count. */
  leaveOut(): void {
    this.begin();
    this.longest = { blockMs: 0, ownMs: 0 };
  }

  private begin(): void {
    this.last = performance.now();
    this.own = process.threadCpuUsage();
  }

  private look(): void {
    const now = performance.now();
    const { user, system } = process.threadCpuUsage(this.own);
    this.longest = {
      blockMs: Math.max(this.longest.blockMs, now - this.last - this.lookEveryMs),
      ownMs: Math.max(this.longest.ownMs, (user + system) / 1000),
    };
    this.begin();
  }
}

/** Work that is begun at a steady rate and not waited for before the end. */
export class SteadyWork {
  private readonly tickMs: number;
  private readonly underWay = new Set<Promise<unknown>>();
  private begun = 0;

  /** @param tickMs how often work is begun; each time wakes the program up, which takes processor time */
  constructor(tickMs = 2) {
    this.tickMs = tickMs;
  }

  /** Keeps work until it is done. */
  track(work: Promise<unknown>): void {
    const tracked = work.finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }

  /** Resolves when all that was begun is done. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** @param begin gets how many were begun before it, in all runs @returns how many were begun */
  async run(perSecond: number, ms: number, begin: (before: number) => void): Promise<number> {
    const start = performance.now();
    const before = this.begun;
    for (let now = 0; now < ms; now = performance.now() - start) {
      const due = before + Math.floor((now / 1000) * perSecond);
      for (; this.begun < due; this.begun += 1) begin(this.begun);
      await new Promise(resolve => setTimeout(resolve, this.tickMs));
    }
    await this.settled();
    return this.begun - before;
  }
}

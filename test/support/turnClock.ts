/** Knows how much was worked in each turn of the event loop. */
export class TurnClock {
  /** ms */
  longestTurnMs = 0;
  private workedMs = 0;
  private next = setImmediate(() => this.turn());

  /** Keeps the thread busy for at least so many ms. */
  work(ms: number): void {
    const end = performance.now() + ms;
    while (performance.now() < end);
    this.workedMs += ms;
    this.longestTurnMs = Math.max(this.longestTurnMs, this.workedMs);
  }

  stop(): void {
    clearImmediate(this.next);
  }

  private turn(): void {
    this.workedMs = 0;
    this.next = setImmediate(() => this.turn());
  }
}

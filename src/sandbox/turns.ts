import { limits } from './limits.ts';

/** Shares the event loop among clients: together they get one turn at a time, and who has to wait goes on in the order of waiting. */
export class Turns {
  private endsAt: number | undefined;
  private waiting: (() => void)[] = [];

  /** Whether the present turn is over. The first to ask begins one. */
  get isOver(): boolean {
    if (this.endsAt === undefined) this.begin();
    return performance.now() >= (this.endsAt ?? 0);
  }

  /** Calls back in a later turn. */
  wait(work: () => void): void {
    this.waiting.push(work);
    if (this.endsAt === undefined) this.begin();
  }

  private begin(): void {
    this.endsAt = performance.now() + limits.turnMs;
    setImmediate(() => this.next());
  }

  private next(): void {
    this.endsAt = undefined;
    const works = this.waiting;
    this.waiting = [];
    for (let work = works.shift(); work !== undefined; work = works.shift()) {
      work();
      // Who did not come to work stays before those that wait again.
      if (this.isOver) break;
    }
    this.waiting.unshift(...works);
  }
}

import type { Bench } from './bench.ts';
import { contender } from './fixtures.ts';
import { SteadyWork } from './steadyWork.ts';

/**
 * Many locks that are handed over at a steady rate: a contender joins, then the head of the same queue leaves. The queues keep their length
 * and get no shorter than they were made.
 */
export class HandOvers {
  private readonly bench: Bench;
  private readonly root: string;
  /** Of each lock its contenders in the order in which they joined. */
  private readonly queues: string[][];
  private readonly work = new SteadyWork();

  constructor(bench: Bench, root: string, locks: number) {
    this.bench = bench;
    this.root = root;
    this.queues = Array.from({ length: locks }, () => []);
  }

  /** Makes the queues. */
  async fill(contendersEach: number): Promise<void> {
    for (let each = 0; each < contendersEach; each++) {
      for (let lock = 0; lock < this.queues.length; lock++) this.join(lock);
      await this.work.settled();
    }
  }

  /** @returns how many changes were made, half of them hand-overs */
  run(perSecond: number, ms: number): Promise<number> {
    return this.work.run(perSecond, ms, before => this.change(before));
  }

  async end(): Promise<void> {
    await Promise.all(this.queues.flatMap(queue => queue.splice(0)).map(path => this.bench.client.remove(path, 0)));
  }

  private change(before: number): void {
    const lock = (Math.floor(before / 2) * 7) % this.queues.length;
    if (before % 2 === 0) this.join(lock);
    else this.leave(lock);
  }

  private join(lock: number): void {
    const { path, ...options } = contender(`${this.root}/l${lock}`, lock);
    this.work.track(this.bench.client.create(path, options).then(created => this.queues[lock]?.push(created.path)));
  }

  private leave(lock: number): void {
    const head = this.queues[lock]?.shift();
    if (head !== undefined) this.work.track(this.bench.client.remove(head, 0));
  }
}

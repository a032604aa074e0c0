import type { Bench } from './bench.ts';
import { contender, contenderPrefix } from './fixtures.ts';

/** Contenders come and go at a steady rate, as many of the one as of the other, so that the queues keep their length. */
export class Changes {
  private readonly bench: Bench;
  private readonly root: string;
  private readonly locks: number;
  private readonly present: string[] = [];
  private readonly underWay = new Set<Promise<unknown>>();
  private begun = 0;

  constructor(bench: Bench, root: string, locks: number) {
    this.bench = bench;
    this.root = root;
    this.locks = locks;
  }

  /** @returns how many were made */
  async run(perSecond: number, ms: number): Promise<number> {
    const start = performance.now();
    const before = this.begun;
    for (let now = 0; now < ms; now = performance.now() - start) {
      const due = before + Math.floor((now / 1000) * perSecond);
      for (; this.begun < due; this.begun += 1) this.change();
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    await Promise.all(this.underWay);
    return this.begun - before;
  }

  async end(): Promise<void> {
    await Promise.all(this.present.splice(0).map(path => this.bench.client.remove(path, 0)));
  }

  private change(): void {
    const { client } = this.bench;
    const oldest = this.begun % 2 === 1 ? this.present.shift() : undefined;
    const path = `${this.root}/l${(this.begun * 7) % this.locks}`;
    const work =
      oldest === undefined
        ? client
            .create(`${path}/${contenderPrefix()}`, {
              mode: 'ephemeral_sequential',
              data: contender(path, this.begun).data!,
            })
            .then(created => this.present.push(created.path))
        : client.remove(oldest, 0);
    const tracked = work.finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }
}

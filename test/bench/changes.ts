import type { Bench } from './bench.ts';
import { contender, contenderPrefix } from './fixtures.ts';
import { SteadyWork } from './steadyWork.ts';

/** Contenders come and go at a steady rate, as many of the one as of the other, so that the queues keep their length. */
export class Changes {
  private readonly bench: Bench;
  private readonly root: string;
  private readonly locks: number;
  private readonly present: string[] = [];
  private readonly work = new SteadyWork();

  constructor(bench: Bench, root: string, locks: number) {
    this.bench = bench;
    this.root = root;
    this.locks = locks;
  }

  /** @returns how many were made */
  run(perSecond: number, ms: number): Promise<number> {
    return this.work.run(perSecond, ms, before => this.change(before));
  }

  async end(): Promise<void> {
    await Promise.all(this.present.splice(0).map(path => this.bench.client.remove(path, 0)));
  }

  private change(before: number): void {
    const { client } = this.bench;
    const oldest = before % 2 === 1 ? this.present.shift() : undefined;
    const path = `${this.root}/l${(before * 7) % this.locks}`;
    const work =
      oldest === undefined
        ? client
            .create(`${path}/${contenderPrefix()}`, {
              mode: 'ephemeral_sequential',
              data: contender(path, before).data!,
            })
            .then(created => this.present.push(created.path))
        : client.remove(oldest, 0);
    this.work.track(work);
  }
}

import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { contender } from '../fixtures.ts';

/** Keeps a queue in motion: its head leaves and a new waiter joins, by turns, so that its length stays. */
export class QueueChanges {
  private readonly client: ZooKeeperClient;
  private readonly path: string;
  private readonly perSecond: number;
  private readonly heads: string[];
  private timer: ReturnType<typeof setInterval> | undefined;
  private startedAt = 0;
  private done = 0;
  private failure: unknown;

  constructor(client: ZooKeeperClient, path: string, perSecond: number, heads: readonly string[]) {
    this.client = client;
    this.path = path;
    this.perSecond = perSecond;
    this.heads = [...heads];
  }

  start(): void {
    this.startedAt = performance.now();
    this.done = 0;
    // Several a step where this machine was busy, so that the rate stays.
    this.timer = setInterval(() => {
      const due = Math.floor(((performance.now() - this.startedAt) / 1000) * this.perSecond);
      while (this.done < due) this.change(this.done++);
    }, 1000 / this.perSecond);
  }

  /** @returns how many changes a second there were @throws the cause, if one failed */
  stop(): number {
    clearInterval(this.timer);
    if (this.failure !== undefined) throw new Error('A change failed.', { cause: this.failure });
    return this.done / ((performance.now() - this.startedAt) / 1000);
  }

  private change(index: number): void {
    const head = index % 2 === 0 ? this.heads.shift() : undefined;
    const change = head === undefined ? this.join(index) : this.client.remove(`${this.path}/${head}`, 0);
    change.catch((error: unknown) => {
      this.failure ??= error;
    });
  }

  private async join(index: number): Promise<void> {
    const { path, ...options } = contender(this.path, index);
    await this.client.create(path, options);
  }
}

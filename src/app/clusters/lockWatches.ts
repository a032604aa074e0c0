import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';

/**
 * How many contenders first reads read at the same time: enough to hide the round trips, few enough not to delay the first rows
 * and the requests of commands, which wait behind them.
 */
const contendersAtOnce = 8_000;
/** A shorter queue counts as so long: 100 of them are read at the same time, since it is round trips that they cost. */
const leastLength = 80;

/** How many directories all clusters together watch, and may watch. */
export interface WatchBudget {
  used: number;
  limit(): number;
}

export interface LockWatchesParts {
  watch(
    client: ZooKeeperClient,
    path: string,
    listener: (queues: LockQueue[]) => void,
    options: { onFailure: (error: unknown) => void; onGap: () => void },
  ): Promise<Disposable>;
  /** @param isContinuous whether every change since the last call for the path was seen */
  onQueues(path: string, queues: LockQueue[], isContinuous: boolean): void;
  onFailure(path: string, error: unknown): void;
  /** How many contenders a path has, as far as that is known. */
  lengthOf(path: string): number;
  /** The path is watched from now on or not any more, or its last snapshot is up to date or not any more. */
  onChange(path: string): void;
  budget: WatchBudget;
}

interface Watch {
  readonly path: string;
  readonly slot: DisposableSlot;
  /** `reading`: for the first time, or again because changes may have been missed or a read failed. */
  state: 'waiting' | 'reading' | 'live' | 'ended';
}

/** Keeps the set of watched paths equal to the set of visible ones. */
export class LockWatches implements Disposable {
  private readonly parts: LockWatchesParts;
  private readonly watches = new Map<string, Watch>();
  /** Paths that `onChange` is still to be called for. */
  private readonly changed = new Set<string>();
  /** Those of `watches` whose first read has not begun. */
  private waiting: Watch[] = [];
  private client: ZooKeeperClient | undefined;
  /** Contenders of the first reads that have begun. */
  private reading = 0;

  constructor(parts: LockWatchesParts) {
    this.parts = parts;
  }

  get count(): number {
    return this.watches.size;
  }

  has(path: string): boolean {
    return this.watches.has(path);
  }

  /** Whether the last snapshot of a path is up to date. */
  isLive(path: string): boolean {
    return this.watches.get(path)?.state === 'live';
  }

  /**
   * Watches exactly `paths`, as far as the budget allows; watches that exist already stay. Without a client nothing is
   * watched; with another client every watch is made again. A path whose first read failed is tried again.
   *
   * @param first paths that are watched before all others; at the limit, they replace others
   */
  setTarget(
    client: ZooKeeperClient | undefined,
    paths: readonly string[],
    first: ReadonlySet<string> = new Set(),
  ): void {
    const wanted = new Set(client === undefined ? [] : [...first, ...paths]);
    for (const watch of [...this.watches.values()]) {
      if (client !== this.client || !wanted.has(watch.path)) this.end(watch);
    }
    this.client = client;
    for (const path of wanted) {
      if (this.watches.has(path)) continue;
      if (!this.reserve(path, first)) break;
      this.watches.set(path, { path, slot: new DisposableSlot(), state: 'waiting' });
      this.changed.add(path);
    }
    this.waiting = [...this.watches.values()].filter(({ state }) => state === 'waiting');
    this.startWaiting();
    this.report();
  }

  /** Ends the watches of live paths: the next `setTarget` makes them again, which reads the queues. */
  forget(paths: readonly string[]): void {
    for (const path of paths) {
      const watch = this.watches.get(path);
      if (watch?.state === 'live') this.end(watch);
    }
  }

  dispose(): void {
    this.setTarget(undefined, []);
  }

  private end(watch: Watch): void {
    if (watch.state === 'ended') return;
    watch.state = 'ended';
    watch.slot.dispose();
    this.watches.delete(watch.path);
    this.changed.add(watch.path);
    this.parts.budget.used--;
  }

  /** Takes a place from the budget; for one of the `first` paths also the place of another path. */
  private reserve(path: string, first: ReadonlySet<string>): boolean {
    const { budget } = this.parts;
    if (budget.used >= budget.limit() && first.has(path)) {
      const last = [...this.watches.values()].findLast(other => !first.has(other.path));
      if (last !== undefined) this.end(last);
    }
    if (budget.used >= budget.limit()) return false;
    budget.used++;
    return true;
  }

  private startWaiting(): void {
    const { client } = this;
    while (client !== undefined && this.reading < contendersAtOnce) {
      const watch = this.waiting.shift();
      if (watch === undefined) return;
      void this.start(client, watch);
    }
  }

  private async start(client: ZooKeeperClient, watch: Watch): Promise<void> {
    watch.state = 'reading';
    const { path } = watch;
    const length = Math.max(leastLength, this.parts.lengthOf(path));
    this.reading += length;
    try {
      watch.slot.value = await this.parts.watch(client, path, queues => this.take(watch, queues), {
        onFailure: error => this.takeFailure(watch, error),
        onGap: () => this.doubt(watch),
      });
    } catch (error) {
      this.takeFailure(watch, error);
      this.end(watch);
    } finally {
      this.reading -= length;
      this.startWaiting();
      this.noteChange(path);
    }
  }

  private take(watch: Watch, queues: LockQueue[]): void {
    if (watch.state === 'ended') return;
    const isContinuous = watch.state === 'live';
    watch.state = 'live';
    this.parts.onQueues(watch.path, queues, isContinuous);
  }

  private takeFailure(watch: Watch, error: unknown): void {
    if (watch.state === 'ended') return;
    this.doubt(watch);
    this.parts.onFailure(watch.path, error);
  }

  private doubt(watch: Watch): void {
    if (watch.state !== 'live') return;
    watch.state = 'reading';
    this.noteChange(watch.path);
  }

  private noteChange(path: string): void {
    this.changed.add(path);
    this.report();
  }

  private report(): void {
    const paths = [...this.changed];
    this.changed.clear();
    for (const path of paths) this.parts.onChange(path);
  }
}

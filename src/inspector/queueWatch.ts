import { backOffMs } from '../base/backOff.ts';
import { monotonicNow, type MonotonicClock } from '../base/deadline.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { LockQueue } from '../locks/lockQueue.ts';
import type { SessionState, TreeEvent, ZooKeeperClient } from '../zookeeper/client.ts';
import { assembleQueues } from './readQueues.ts';
import { LockDirectoryCache } from './lockDirectoryCache.ts';
import { readDirectory } from './readDirectory.ts';
import { readNodes, requestFor } from './readNodes.ts';
import { settlingMs } from './settling.ts';
import { UntoldChanges } from './untoldChanges.ts';

/** What a watch needs besides the session and the path. */
export interface QueueWatchParts {
  listener: (queues: LockQueue[]) => void;
  onFailure: (error: unknown) => void;
  onGap: () => void;
  logger: Logger;
  clock?: MonotonicClock;
  /** Pause between two looks for what no event tells, ms. */
  lookEveryMs?: number;
}

/**
 * Keeps the queues of one lock path right and tells of every change.
 *
 * One run at a time: events are noted in the cache as they come, and a run works in all that was noted. The watch is set
 * before the first read, so nothing is lost between them. A watch is a hint (docs/faults.md, L10): whatever fails or
 * may have been missed leads to reading everything again, repeated with a growing pause until it worked or the session
 * is over.
 */
export class QueueWatch implements Disposable {
  private readonly client: ZooKeeperClient;
  private readonly parts: QueueWatchParts;
  private readonly clock: MonotonicClock;
  private readonly cache: LockDirectoryCache;
  private readonly untold: UntoldChanges;
  private readonly owned = new DisposableStore();
  private readonly abort = new AbortController();
  private readonly watches = new Map<string, Disposable>();
  private running = true;
  private failures = 0;
  private notBefore = 0;
  private lastCostMs = 0;
  private cancelTimer: (() => void) | undefined;

  constructor(client: ZooKeeperClient, lockPath: string, parts: QueueWatchParts) {
    this.client = client;
    this.parts = parts;
    this.clock = parts.clock ?? monotonicNow;
    this.cache = new LockDirectoryCache(lockPath);
    this.untold = new UntoldChanges(client, this.cache, {
      wake: () => this.schedule(),
      isSettled: () => !this.running && !this.cache.hasWork,
      ...(parts.lookEveryMs === undefined ? {} : { lookEveryMs: parts.lookEveryMs }),
    });
    this.owned.add(toDisposable(() => this.stop()));
  }

  /** Sets the watch, reads, and tells the first picture. Rejects if that fails; nothing is then left behind. */
  async start(): Promise<void> {
    try {
      this.owned.add(this.client.onState(change => this.onState(change.state)));
      await this.watch(this.cache.path);
      await this.catchUp();
    } catch (error) {
      this.dispose();
      throw error;
    }
    this.deliver();
    this.running = false;
    this.untold.start();
    this.schedule();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private stop(): void {
    this.abort.abort();
    this.cancelTimer?.();
    // Before the watches of the same paths: they take along what the server still has of these.
    this.untold.dispose();
    for (const watch of this.watches.values()) watch.dispose();
    this.watches.clear();
  }

  private onEvent(event: TreeEvent): void {
    if (this.owned.isDisposed || !this.cache.note(event)) return;
    if (event.type === 'reread') this.onReread();
    this.schedule(event.type === 'reread');
  }

  private onReread(): void {
    // A gap in the events ends with a reconnect: no reason to sit out the pause after a failure.
    this.notBefore = 0;
    // Told while connected it is the event of a one-shot watch: nothing was missed.
    if (this.client.state !== 'connected') this.contain(() => this.parts.onGap());
  }

  private onState(state: SessionState): void {
    // Both are final: what is shown stays, and there is nobody left to ask.
    if (state === 'lost' || state === 'closed') this.dispose();
  }

  private schedule(replaceTimer = false): void {
    if (this.owned.isDisposed || this.running) return;
    if (this.cancelTimer !== undefined && !replaceTimer) return;
    if (!this.cache.hasWork && !this.untold.isDue) return;
    this.cancelTimer?.();
    const run = (): void => {
      this.cancelTimer = undefined;
      void this.run();
    };
    const pauseMs = this.notBefore - this.clock();
    if (pauseMs > 0) {
      const timer = setTimeout(run, pauseMs);
      this.cancelTimer = () => clearTimeout(timer);
    } else {
      // After the events that arrived together, so that a burst costs one run.
      const immediate = setImmediate(run);
      this.cancelTimer = () => clearImmediate(immediate);
    }
  }

  private async run(): Promise<void> {
    this.running = true;
    try {
      let isNews = await this.catchUp();
      if (await this.untold.list()) isNews = (await this.workOnce()) || isNews;
      this.failures = 0;
      if (isNews) this.deliver();
      this.notBefore = this.clock() + settlingMs(this.lastCostMs);
    } catch (error) {
      this.recover(error);
    }
    this.running = false;
    this.schedule();
  }

  private recover(error: unknown): void {
    if (this.owned.isDisposed) return;
    this.cache.requestReload();
    this.failures += 1;
    this.notBefore = this.clock() + backOffMs(this.failures);
    this.parts.logger.warn(`Reading ${this.cache.path} failed, trying again: ${String(error)}`);
    this.contain(() => this.parts.onFailure(error));
  }

  /**
   * Works in what was noted so far. What is noted meanwhile waits for the next run, unless the layout itself changed.
   *
   * @returns whether there was anything
   */
  private async catchUp(): Promise<boolean> {
    const isNews = await this.workOnce();
    if (this.cache.needsReload) await this.workOnce();
    if (await this.watchFurther()) await this.workOnce();
    return isNews;
  }

  private async workOnce(): Promise<boolean> {
    const work = this.cache.takeWork();
    const { signal } = this.abort;
    if (work.need === 'reload') this.cache.load(await readDirectory(this.client, this.cache.path, signal));
    if (work.need === 'read' && work.paths.length > 0) {
      const readings = await readNodes(this.client, work.paths.map(requestFor), signal);
      // Events that arrived together with the answers are told after them; who left before others is to leave with them.
      await new Promise(resolve => setImmediate(resolve));
      this.cache.applyReads(work.paths, readings);
    }
    return work.need !== 'nothing';
  }

  /**
   * Watches the further directories of the layout. Those below the lock path need it only on servers before 3.6, whose
   * watches do not reach that deep; elsewhere it costs a watch and no event.
   *
   * @returns whether one is new, so that what happened there before must be read
   */
  private async watchFurther(): Promise<boolean> {
    const wanted = this.cache.furtherPaths;
    for (const [path, watch] of this.watches) {
      if (path === this.cache.path || wanted.includes(path)) continue;
      watch.dispose();
      this.watches.delete(path);
    }
    let added = false;
    for (const path of wanted) {
      if (this.watches.has(path)) continue;
      await this.watch(path);
      added = true;
    }
    if (added) this.cache.requestReload();
    return added;
  }

  private async watch(path: string): Promise<void> {
    const watch = await this.client.watchTree(path, event => this.onEvent(event));
    if (this.owned.isDisposed) watch.dispose();
    else this.watches.set(path, watch);
  }

  private deliver(): void {
    if (this.owned.isDisposed) return;
    const startedAt = this.clock();
    this.contain(() => {
      const reading = this.cache.snapshot();
      this.parts.listener(reading === undefined ? [] : assembleQueues(reading));
    });
    this.lastCostMs = this.clock() - startedAt;
  }

  private contain(call: () => void): void {
    try {
      call();
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.parts.logger.error(`A listener of ${this.cache.path} failed: ${text}`);
    }
  }
}

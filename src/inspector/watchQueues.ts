import { backOffMs } from '../base/backOff.ts';
import { monotonicNow } from '../base/deadline.ts';
import { inTurns } from '../base/interruptible.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/disposable.ts';
import { nullLogger, type Logger } from '../base/logger.ts';
import type { LockQueue } from '../locks/lockQueue.ts';
import type { SessionState, TreeEvent, ZooKeeperClient } from '../zookeeper/client.ts';
import { LockDirectoryCache } from './lockDirectoryCache.ts';
import { MissedChanges } from './missedChanges.ts';
import { readDirectory } from './readDirectory.ts';
import { readNodes, requestFor } from './readNodes.ts';
import { assemblingQueues } from './readQueues.ts';

/** Callbacks and settings of a watch. */
export interface WatchQueuesOptions {
  /** A read failed after the first; it is repeated, and the next call of the listener says that it worked. */
  onFailure?: (error: unknown) => void;
  /**
   * Changes may have been missed: the last queues may be out of date until the listener is called again, changed or not. After
   * a reconnect it is called before the session reports that it is connected.
   */
  onGap?: () => void;
  logger?: Logger;
  /** Pause between two checks for changes of nodes that may not be read, which the server reports in no event; default 15 s. */
  lookEveryMs?: number;
}

const defaultLookEveryMs = 15_000;

/** How often at most a report waits for the rest of a session's end. */
const mostRounds = 8;

/**
 * Calls back with the queues at `lockPath`: once before the returned promise resolves, then after every change, until the
 * watch is disposed or the session ends. Changes that arrive together give one call, and so does the end of a session with all its
 * nodes; a change that a reading saw before its event may give two.
 *
 * The path need not exist; it may vanish (then the list is empty) and come back. After a lost connection everything is
 * read again. A short queue is reported within milliseconds; one of many thousand contenders about seven times a second at most,
 * one of 100,000 about once. A long queue is worked out in turns of the event loop, from what was known when that began.
 * Servers before 3.6 send no event when the data of a contender changes; the change appears with the next contender that comes or
 * goes. Data decide who holds in one layout only, the semaphore of DistributedLock for .NET.
 * Watches: one on `lockPath`, and one on each further directory of the layout. Changes deeper than that are ignored. Where nodes
 * may not be read, or none was seen yet, the list of children is watched as well.
 *
 * @param listener gets a fresh array each time; if it throws, that is logged and nothing else happens
 * @returns ends the watch when disposed; no call comes after it
 * @throws whatever `readQueues` throws, if the first read fails; nothing is then left behind
 */
export async function watchQueues(
  client: ZooKeeperClient,
  lockPath: string,
  listener: (queues: LockQueue[]) => void,
  options: WatchQueuesOptions = {},
): Promise<Disposable> {
  const watch = new LockPathWatch(client, lockPath, listener, options);
  await watch.start();
  return watch;
}

/**
 * The pause before the next run, so that a queue that changes all the time uses about four percent of a core and is still
 * reported within 200 ms; one that takes longer than 20 ms uses up to an eighth of a core, and is reported later. A short queue is
 * reported at once, after every burst of events.
 *
 * @param lastCostMs time of the last report, including the listener's own work
 */
export function settlingMs(lastCostMs: number): number {
  if (lastCostMs < 1) return 0;
  return Math.max(Math.min(150, lastCostMs * 25), Math.min(2_000, lastCostMs * 7.5));
}

/**
 * Keeps the queues of one lock path up to date and reports every change.
 *
 * One run at a time: the cache notes events as they come, and a run applies all that were noted. The watch is set before the
 * first read, so nothing is lost between them. A watch is a hint (docs/faults.md, L10): after any failure, and whenever events
 * may have been missed, everything is read again, with a growing pause between attempts until it worked or the session is over.
 */
class LockPathWatch implements Disposable {
  private readonly client: ZooKeeperClient;
  private readonly listener: (queues: LockQueue[]) => void;
  private readonly options: WatchQueuesOptions;
  private readonly logger: Logger;
  private readonly cache: LockDirectoryCache;
  private readonly missed: MissedChanges;
  private readonly owned = new DisposableStore();
  private readonly abort = new AbortController();
  private readonly watches = new Map<string, Disposable>();
  private running = true;
  private failures = 0;
  /** How often changes may have been missed so far. */
  private gaps = 0;
  /** `gaps` when the last reading of everything began: a later one may have begun within it. */
  private gapsAtLoad = 0;
  private notBefore = 0;
  private lastCostMs = 0;
  private cancelTimer: (() => void) | undefined;

  constructor(
    client: ZooKeeperClient,
    lockPath: string,
    listener: (queues: LockQueue[]) => void,
    options: WatchQueuesOptions,
  ) {
    this.client = client;
    this.listener = listener;
    this.options = options;
    this.logger = options.logger ?? nullLogger;
    this.cache = new LockDirectoryCache(lockPath);
    this.missed = new MissedChanges(client, this.cache, {
      wake: () => this.schedule(),
      isSettled: () => !this.running && !this.cache.hasWork,
      checkEveryMs: options.lookEveryMs ?? defaultLookEveryMs,
    });
    this.owned.add(toDisposable(() => this.stop()));
  }

  /** Sets the watch, reads, and reports the first queues. Rejects if that fails; nothing is then left behind. */
  async start(): Promise<void> {
    try {
      this.owned.add(this.client.onState(change => this.onState(change.state)));
      await this.watch(this.cache.path);
      do await this.catchUp();
      while (!(await this.deliver()));
    } catch (error) {
      this.dispose();
      throw error;
    }
    this.running = false;
    if (this.owned.isDisposed) return;
    this.missed.start();
    this.schedule();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private stop(): void {
    this.abort.abort();
    this.cancelTimer?.();
    // Before the watches of the same paths: removing those also removes the list watches from the server.
    this.missed.dispose();
    for (const watch of this.watches.values()) watch.dispose();
    this.watches.clear();
  }

  private onEvent(event: TreeEvent): void {
    if (this.owned.isDisposed || !this.cache.note(event)) return;
    if (event.type === 'reread') this.onReread();
    this.schedule(event.type === 'reread');
  }

  private onReread(): void {
    // A gap in the events ends with a reconnect: the pause after a failure is no longer needed.
    this.notBefore = 0;
    // While connected it comes from a one-shot watch of an old server: nothing was missed.
    if (this.client.state === 'connected') return;
    this.gaps++;
    this.contain(() => this.options.onGap?.());
  }

  private onState(state: SessionState): void {
    // Both are final: the last queues stay on display, and no further read is possible.
    if (state === 'lost' || state === 'closed') this.dispose();
  }

  private schedule(replaceTimer = false): void {
    if (this.owned.isDisposed || this.running) return;
    if (this.cancelTimer !== undefined && !replaceTimer) return;
    if (!this.cache.hasWork && !this.missed.isDue) return;
    this.cancelTimer?.();
    const run = (): void => {
      this.cancelTimer = undefined;
      void this.run();
    };
    const pauseMs = this.notBefore - monotonicNow();
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
      let hasChanged = await this.catchUp();
      if (await this.missed.list()) hasChanged = (await this.catchUp()) || hasChanged;
      this.failures = 0;
      if (hasChanged) await this.deliver();
      this.notBefore = monotonicNow() + settlingMs(this.lastCostMs);
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
    this.notBefore = monotonicNow() + backOffMs(this.failures);
    this.logger.warn(`Reading ${this.cache.path} failed, trying again: ${String(error)}`);
    this.contain(() => this.options.onFailure?.(error));
  }

  /**
   * Applies what was noted so far. What is noted meanwhile waits for the next run, unless the layout itself changed.
   *
   * @returns whether there was anything
   */
  private async catchUp(): Promise<boolean> {
    const hasChanged = await this.applyNoted();
    await this.awaitSessionEnds();
    return hasChanged;
  }

  /** @returns whether there was anything */
  private async applyNoted(): Promise<boolean> {
    const hasChanged = await this.workOnce();
    if (this.cache.needsReload) await this.workOnce();
    if (await this.watchFurther()) await this.workOnce();
    return hasChanged;
  }

  /**
   * Any answer comes after all events of the transactions that it follows: behind one, a session that ended is gone with all its nodes.
   * Others may have ended half meanwhile, so it is asked again, a few times at most where one session changes its nodes all the time.
   */
  private async awaitSessionEnds(): Promise<void> {
    for (let round = 0; round < mostRounds && this.cache.takeHalfEnded(); round++) {
      await readNodes(this.client, [requestFor(this.cache.path)], this.abort.signal);
      await afterEvents();
      await this.applyNoted();
    }
  }

  private async workOnce(): Promise<boolean> {
    const work = this.cache.takeWork();
    const { signal } = this.abort;
    if (work.need === 'reload') {
      this.gapsAtLoad = this.gaps;
      this.cache.load(await readDirectory(this.client, this.cache.path, signal));
    }
    if (work.need === 'read' && work.paths.length > 0) {
      const readings = await readNodes(this.client, work.paths.map(requestFor), signal);
      await afterEvents();
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

  /**
   * Reports the queues as the cache has them now.
   *
   * @returns false if a gap in the events began since all was read: they are not reported, and must be read again
   */
  private async deliver(): Promise<boolean> {
    if (this.owned.isDisposed) return true;
    const startedAt = monotonicNow();
    const isWhole = (): boolean => this.gaps === this.gapsAtLoad;
    const isWanted = (): boolean => !this.owned.isDisposed && isWhole();
    const reading = this.cache.snapshot();
    const queues = reading === undefined ? [] : await inTurns(assemblingQueues(reading), isWanted);
    if (queues !== undefined && isWanted()) this.contain(() => this.listener(queues));
    this.lastCostMs = monotonicNow() - startedAt;
    return isWhole();
  }

  private contain(call: () => void): void {
    try {
      call();
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.logger.error(`A listener of ${this.cache.path} failed: ${text}`);
    }
  }
}

/** Events that arrived together with an answer are delivered after it; deletions among them are applied together. */
async function afterEvents(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve));
}

import type { Disposable } from '../base/disposable.ts';
import type { ReadOptions, Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, ZooKeeperError } from '../zookeeper/errors.ts';
import type { LockDirectoryCache } from './lockDirectoryCache.ts';

/** How missed changes reach the watch that they belong to. */
export interface MissedChangesOptions {
  /** Called when there is something to list or to read. */
  wake: () => void;
  /** Whether the cache has worked in every event. */
  isSettled: () => boolean;
  /** Pause between two checks, ms. */
  checkEveryMs: number;
}

/**
 * Finds changes of a lock directory for which the server sends no event (see `UnreadableChildren`).
 *
 * - Where a child may not be read, or none was seen yet, the list of children is watched, which needs the right to read the
 *   directory only. When that watch fires, the names are compared. A persistent watch of the list would not have to be set
 *   again, but before 3.9 it replaces the recursive one (ZOOKEEPER-4466).
 * - Everything else, such as a path that did not exist, is compared with the directory's stat every `checkEveryMs`.
 */
export class MissedChanges implements Disposable {
  private readonly client: ZooKeeperClient;
  private readonly cache: LockDirectoryCache;
  private readonly options: MissedChangesOptions;
  /** Watched lists by directory; aborting one gives up its watch. */
  private readonly armed = new Map<string, AbortController>();
  /** Directories that differ from the cache. */
  private readonly suspect = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(client: ZooKeeperClient, cache: LockDirectoryCache, options: MissedChangesOptions) {
    this.client = client;
    this.cache = cache;
    this.options = options;
  }

  /** Begins the periodic checks. */
  start(): void {
    if (this.isDisposed) return;
    this.timer = setTimeout(() => {
      void this.check().finally(() => this.start());
    }, this.options.checkEveryMs);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const armed of this.armed.values()) armed.abort();
    this.armed.clear();
  }

  /** Whether `list` would send any request. */
  get isDue(): boolean {
    return this.due.length > 0;
  }

  private get due(): string[] {
    return this.cache.directories.filter(
      path => this.suspect.has(path) || (this.cache.isBlind(path) && !this.armed.has(path)),
    );
  }

  /**
   * Lists the directories that are due, and notes in the cache where the names differ.
   *
   * @returns whether there is something to read now
   */
  async list(): Promise<boolean> {
    let differs = false;
    for (const path of this.due) {
      if (this.isDisposed) return false;
      this.suspect.delete(path);
      const names = await this.namesOf(path);
      if (names === undefined) this.cache.requestReload();
      else if (!this.cache.noteNames(path, names)) continue;
      differs = true;
    }
    return differs;
  }

  private async namesOf(path: string): Promise<string[] | undefined> {
    const options = this.cache.isBlind(path) ? this.arm(path) : {};
    try {
      const { children } = await this.client.getChildren(path, options);
      return children;
    } catch (error) {
      this.armed.delete(path);
      if (isZooKeeperError(error, 'NO_NODE')) return undefined;
      throw error;
    }
  }

  private arm(path: string): ReadOptions {
    this.armed.get(path)?.abort();
    const armed = new AbortController();
    this.armed.set(path, armed);
    const watch = (): void => {
      if (this.armed.get(path) !== armed) return;
      this.armed.delete(path);
      this.suspect.add(path);
      this.options.wake();
    };
    return { watch, signal: armed.signal };
  }

  /** Never rejects: a failure of the connection leads to a reload anyway. */
  private async check(): Promise<void> {
    if (this.client.state !== 'connected' || !this.options.isSettled()) return;
    const { revision, checkedPaths: paths } = this.cache;
    const stats = await Promise.allSettled(paths.map(path => this.client.exists(path)));
    // Events that arrived together with the answers are delivered after them.
    await new Promise(resolve => setImmediate(resolve));
    if (this.isDisposed || !this.options.isSettled() || this.cache.revision !== revision) return;
    paths.forEach((path, at) => this.judge(path, stats[at]));
    this.options.wake();
  }

  private judge(path: string, answer: PromiseSettledResult<Stat | undefined> | undefined): void {
    const known = this.cache.countOf(path);
    if (answer?.status !== 'fulfilled') {
      if (answer?.reason instanceof ZooKeeperError) this.cache.requestReload();
    } else if ((answer.value === undefined) !== (known === undefined)) this.cache.requestReload();
    else if (answer.value?.numChildren !== known) this.suspect.add(path);
  }
}

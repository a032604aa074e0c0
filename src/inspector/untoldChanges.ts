import type { Disposable } from '../base/disposable.ts';
import type { ReadOptions, Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, ZooKeeperError } from '../zookeeper/errors.ts';
import type { LockDirectoryCache } from './lockDirectoryCache.ts';

/** What the search for untold changes needs to know of the watch that it serves. */
export interface UntoldChangesParts {
  /** Something is to be listed or read. */
  wake: () => void;
  /** Whether the cache shows all that was told. */
  isSettled: () => boolean;
  /** Pause between two looks, ms. */
  lookEveryMs?: number;
}

const defaultLookEveryMs = 15_000;

/**
 * Finds what the watch of a lock directory is not told (`Sight` says why).
 *
 * - Where a child was met that may not be read, or none at all yet, the list itself is watched, which takes the right to
 *   read the directory only. When that fires the names are compared. A persistent watch of the list would need no listing
 *   to be set again, but before 3.9 it takes the place of the recursive one (ZOOKEEPER-4466).
 * - Everything else, such as a path that did not exist, is compared with the directory's stat now and then.
 */
export class UntoldChanges implements Disposable {
  private readonly client: ZooKeeperClient;
  private readonly cache: LockDirectoryCache;
  private readonly parts: UntoldChangesParts;
  /** Watched lists by directory; aborted when the watch is not wanted any more. */
  private readonly armed = new Map<string, AbortController>();
  /** Directories that are not as the cache shows them. */
  private readonly suspect = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(client: ZooKeeperClient, cache: LockDirectoryCache, parts: UntoldChangesParts) {
    this.client = client;
    this.cache = cache;
    this.parts = parts;
  }

  /** Begins to look now and then. */
  start(): void {
    if (this.isDisposed) return;
    this.timer = setTimeout(() => {
      void this.look().finally(() => this.start());
    }, this.parts.lookEveryMs ?? defaultLookEveryMs);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const armed of this.armed.values()) armed.abort();
    this.armed.clear();
  }

  /** Whether `list` would ask for anything. */
  get isDue(): boolean {
    return this.due.length > 0;
  }

  private get due(): string[] {
    return this.cache.directories.filter(
      path => this.suspect.has(path) || (this.cache.isBlind(path) && !this.armed.has(path)),
    );
  }

  /**
   * Lists what is due, and has the cache note where the names differ.
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
      this.parts.wake();
    };
    return { watch, signal: armed.signal };
  }

  /** Never rejects: trouble with the connection ends in a reading of everything. */
  private async look(): Promise<void> {
    if (this.client.state !== 'connected' || !this.parts.isSettled()) return;
    const { revision, lookPaths: paths } = this.cache;
    const stats = await Promise.allSettled(paths.map(path => this.client.exists(path)));
    // Events that arrived together with the answers are told after them.
    await new Promise(resolve => setImmediate(resolve));
    if (this.isDisposed || !this.parts.isSettled() || this.cache.revision !== revision) return;
    paths.forEach((path, at) => this.judge(path, stats[at]));
    this.parts.wake();
  }

  private judge(path: string, answer: PromiseSettledResult<Stat | undefined> | undefined): void {
    const known = this.cache.countOf(path);
    if (answer?.status !== 'fulfilled') {
      if (answer?.reason instanceof ZooKeeperError) this.cache.requestReload();
    } else if ((answer.value === undefined) !== (known === undefined)) this.cache.requestReload();
    else if (answer.value?.numChildren !== known) this.suspect.add(path);
  }
}

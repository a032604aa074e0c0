import { isAtOrBelow, parentPath } from '../base/paths.ts';
import type { ServerEvent } from '../zookeeper/wire/records.ts';

/** Kinds of watches (WatcherMode.java), as bits: one watcher may have all of them on one path. */
export const WatchMode = { once: 1, persistent: 2, recursive: 4 } as const;

const anyMode = 7;

/**
 * Which watcher watches which paths: one half of a server's watches, those on data or those on children (WatchManager.java).
 *
 * @typeParam Watcher what is notified: a connection
 */
class WatchHalf<Watcher> {
  /** Modes by path and watcher. */
  readonly byPath = new Map<string, Map<Watcher, number>>();
  readonly byWatcher = new Map<Watcher, Set<string>>();
  /** Paths with recursive watches, and how many. */
  private readonly recursive = new Map<string, number>();

  add(path: string, watcher: Watcher, mode: number): void {
    const watchers = this.byPath.get(path) ?? new Map<Watcher, number>();
    const before = watchers.get(watcher) ?? 0;
    watchers.set(watcher, before | mode);
    this.byPath.set(path, watchers);
    const paths = this.byWatcher.get(watcher) ?? new Set();
    paths.add(path);
    this.byWatcher.set(watcher, paths);
    if ((mode & WatchMode.recursive & ~before) !== 0) this.countRecursive(path, 1);
  }

  has(path: string, watcher: Watcher, mode: number): boolean {
    return ((this.byPath.get(path)?.get(watcher) ?? 0) & mode) !== 0;
  }

  /** How many there are; several modes of one watcher on one path count once. */
  get count(): number {
    let sum = 0;
    for (const paths of this.byWatcher.values()) sum += paths.size;
    return sum;
  }

  /** @returns whether there was such a watch */
  remove(path: string, watcher: Watcher, mode: number): boolean {
    const watchers = this.byPath.get(path);
    const before = watchers?.get(watcher) ?? 0;
    if (watchers === undefined || (before & mode) === 0) return false;
    if ((before & mode & WatchMode.recursive) !== 0) this.countRecursive(path, -1);
    const after = before & ~mode;
    if (after !== 0) watchers.set(watcher, after);
    else this.forget(path, watcher, watchers);
    return true;
  }

  private forget(path: string, watcher: Watcher, watchers: Map<Watcher, number>): void {
    watchers.delete(watcher);
    if (watchers.size === 0) this.byPath.delete(path);
    const paths = this.byWatcher.get(watcher);
    if (paths?.delete(path) === true && paths.size === 0) this.byWatcher.delete(watcher);
  }

  removeAll(watcher: Watcher): void {
    for (const path of this.byWatcher.get(watcher) ?? []) this.remove(path, watcher, anyMode);
  }

  /** @returns who is notified of a change of `path`; one-shot watches are used up */
  triggered(path: string): Set<Watcher> {
    const watchers = new Set(this.byPath.get(path)?.keys());
    for (const watcher of watchers) this.remove(path, watcher, WatchMode.once);
    for (const above of this.recursiveAbove(path)) this.addRecursive(above, watchers);
    return watchers;
  }

  private countRecursive(path: string, more: number): void {
    const count = (this.recursive.get(path) ?? 0) + more;
    if (count === 0) this.recursive.delete(path);
    else this.recursive.set(path, count);
  }

  /** The paths above `path` that have recursive watches. A path may have 100,000 levels, so few watches are gone through instead. */
  private *recursiveAbove(path: string): Generator<string> {
    if (this.recursive.size <= 16) {
      for (const above of this.recursive.keys()) if (above !== path && isAtOrBelow(above, path)) yield above;
      return;
    }
    for (let above = path; above !== '/' && above !== '';) {
      above = parentPath(above);
      if (this.recursive.has(above)) yield above;
    }
  }

  private addRecursive(above: string, watchers: Set<Watcher>): void {
    for (const [watcher, modes] of this.byPath.get(above) ?? []) {
      if ((modes & WatchMode.recursive) !== 0) watchers.add(watcher);
    }
  }
}

/** What checkWatches and removeWatches may name (Watcher.WatcherType). */
export type WatchType = 'children' | 'data' | 'any' | 'persistent' | 'recursive';

const modesOf: Readonly<Record<WatchType, { data: number; children: number }>> = {
  children: { data: 0, children: WatchMode.once },
  data: { data: WatchMode.once, children: 0 },
  any: { data: anyMode, children: anyMode },
  persistent: { data: WatchMode.persistent, children: WatchMode.persistent },
  recursive: { data: WatchMode.recursive, children: 0 },
};

/** All watches of a server. */
export class WatchTable<Watcher> {
  private readonly data = new WatchHalf<Watcher>();
  private readonly children = new WatchHalf<Watcher>();

  /** A one-shot watch of `exists` and `getData`. */
  watchData(path: string, watcher: Watcher): void {
    this.data.add(path, watcher, WatchMode.once);
  }

  /** A one-shot watch of `getChildren`. */
  watchChildren(path: string, watcher: Watcher): void {
    this.children.add(path, watcher, WatchMode.once);
  }

  /** A watch that stays. */
  watchPersistently(path: string, watcher: Watcher, isRecursive: boolean): void {
    this.data.add(path, watcher, isRecursive ? WatchMode.recursive : WatchMode.persistent);
    if (!isRecursive) this.children.add(path, watcher, WatchMode.persistent);
  }

  has(path: string, watcher: Watcher, type: WatchType): boolean {
    const { data, children } = modesOf[type];
    // Of a persistent watch, which is in both halves, the server looks at one.
    return this.data.has(path, watcher, data) || (type !== 'persistent' && this.children.has(path, watcher, children));
  }

  /** @returns whether there was one */
  remove(path: string, watcher: Watcher, type: WatchType): boolean {
    const { data, children } = modesOf[type];
    const fromChildren = this.children.remove(path, watcher, children);
    return this.data.remove(path, watcher, data) || fromChildren;
  }

  /** Forgets a watcher: its connection is gone. */
  removeAll(watcher: Watcher): void {
    this.data.removeAll(watcher);
    this.children.removeAll(watcher);
  }

  /** @returns who is notified of an event, each once */
  triggered({ type, path }: ServerEvent): Set<Watcher> {
    if (type === 'childrenChanged') return this.children.triggered(path);
    const watchers = this.data.triggered(path);
    if (type === 'deleted') for (const watcher of this.children.triggered(path)) watchers.add(watcher);
    return watchers;
  }

  /** How many watches there are: on data, and with those on children. */
  get counts(): { data: number; all: number } {
    const { count } = this.data;
    return { data: count, all: count + this.children.count };
  }

  /** Watchers of data by path: what the four-letter words show. */
  get byPath(): ReadonlyMap<string, ReadonlyMap<Watcher, number>> {
    return this.data.byPath;
  }

  /** Paths whose data are watched, by watcher. */
  get byWatcher(): ReadonlyMap<Watcher, ReadonlySet<string>> {
    return this.data.byWatcher;
  }
}

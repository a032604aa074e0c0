import { isAtOrBelow, parentPath } from '../../base/paths.ts';
import type { JournalNode } from '../../journal/entry.ts';
import type { NodeState } from './nodeStates.ts';

/** What the observer knows of the nodes of locks, and the directories that it keeps whole. */
export class LockTree {
  private readonly roots: readonly string[];
  private readonly byPath = new Map<string, JournalNode>();
  /** By directory: how many of its children are among the nodes. */
  private readonly childCounts = new Map<string, number>();
  /** By path: the last transaction that is known to have changed the list of children. */
  private readonly directories = new Map<string, bigint>();
  /** Of all transactions that were read. */
  newest = 0n;

  /** @param roots what is below them has events */
  constructor(roots: readonly string[] = ['/']) {
    this.roots = roots;
  }

  get nodes(): ReadonlyMap<string, JournalNode> {
    return this.byPath;
  }

  isDirectory(path: string): boolean {
    return this.directories.has(path);
  }

  /** Whether every change of the list of children has an event that is taken. Children that may not be read can have none. */
  isWatched(directory: string): boolean {
    return this.isDirectory(directory) && this.roots.some(root => isAtOrBelow(root, directory));
  }

  /** How many children of a directory are known. */
  childCount(directory: string): number {
    return this.childCounts.get(directory) ?? 0;
  }

  /** From now on all children of a directory are kept. */
  keep(directory: string): void {
    if (!this.directories.has(directory)) this.directories.set(directory, 0n);
  }

  set({ node, pzxid }: NodeState): void {
    this.place(node);
    this.noteChildChange(parentPath(node.path), node.czxid);
    this.noteChildChange(node.path, pzxid);
    this.noteNewest(node.mzxid);
    this.noteNewest(pzxid);
  }

  /** A node of which nothing but its path is known. */
  setUnread(node: JournalNode): void {
    this.place(node);
  }

  /** Its children came or went in that transaction. */
  noteChildChange(directory: string, zxid: bigint): void {
    const known = this.directories.get(directory);
    if (known !== undefined && zxid > known) this.directories.set(directory, zxid);
    this.noteNewest(zxid);
  }

  /** The last transaction that is known to have changed the list of children; 0n: none. */
  lastChildChange(directory: string): bigint {
    return this.directories.get(directory) ?? 0n;
  }

  delete(path: string): void {
    if (this.byPath.delete(path)) this.count(path, -1);
    this.directories.delete(path);
  }

  clear(): void {
    this.byPath.clear();
    this.childCounts.clear();
    this.directories.clear();
  }

  private place(node: JournalNode): void {
    if (!this.byPath.has(node.path)) this.count(node.path, 1);
    this.byPath.set(node.path, node);
  }

  private count(path: string, more: 1 | -1): void {
    // It is no child of itself.
    if (path === '/') return;
    const directory = parentPath(path);
    const count = this.childCount(directory) + more;
    if (count === 0) this.childCounts.delete(directory);
    else this.childCounts.set(directory, count);
  }

  private noteNewest(zxid: bigint): void {
    if (zxid > this.newest) this.newest = zxid;
  }
}

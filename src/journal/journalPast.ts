import type { Interruptible } from '../base/interruptible.ts';
import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import { openAcl, type AclEntry } from '../dataTree/acl.ts';
import { Znode } from '../dataTree/znode.ts';
import type { Moment } from '../history/hold.ts';
import type { ReadableNode } from '../replay/followedNode.ts';
import type { MomentTree } from '../replay/momentClient.ts';
import { NodeVersions } from '../replay/nodeVersions.ts';
import type { StoredData } from '../replay/storedData.ts';
import { ChildHistory } from './childHistory.ts';
import { EntryMoments } from './entryMoments.ts';

/** A journal has no ACLs. These, by identity, say of a version what else is to be known of it. */
const unreadAcl: readonly AclEntry[] = [];
const madeUpAcl: readonly AclEntry[] = [...openAcl];

/** Nodes that are kept between two interruptions. */
const keptAtOnce = 1_024;

/** A node as it was at a moment. */
export interface PastNode {
  znode: Znode<StoredData>;
  isUnread: boolean;
  /** A directory of which nothing is known. */
  isMadeUp: boolean;
}

/** All nodes of a journal at all its moments, in memory. */
export class JournalPast {
  readonly moments = new EntryMoments();
  private readonly versions = new NodeVersions();
  private readonly children = new Map<string, ChildHistory>();
  private readonly changedPaths: string[] = [];
  private readonly changedAt: number[] = [];
  /** The moments behind which a gap begins, and those at which it is over, in turn. */
  private readonly gapEdges: number[] = [];
  /** Since when nothing is known, of each gap. */
  private readonly gapBegins: Moment[] = [];

  /**
   * Keeps what was changed at a moment behind those that are kept.
   *
   * @param changed paths
   * @param read gives a node as it is now
   * @param isMadeUp whether nothing is known of a node that is there
   */
  *keep(
    moment: Moment,
    changed: Iterable<string>,
    read: (path: string) => ReadableNode | undefined,
    isMadeUp: (path: string) => boolean,
  ): Interruptible<void> {
    const at = this.moments.add(moment);
    let kept = 0;
    for (const path of changed) {
      const node = read(path);
      this.versions.save(path, at, node && znodeOf(node, isMadeUp(path)));
      if (path !== '/') this.childrenOf(parentPath(path)).note(at, lastSegment(path), node !== undefined);
      this.changedPaths.push(path);
      this.changedAt.push(at);
      if (++kept % keptAtOnce === 0) yield;
    }
  }

  /** A gap begins behind the moment that was kept last. @param from since when nothing is known */
  beginGap(from: Moment): void {
    this.gapEdges.push(this.moments.count - 1);
    this.gapBegins.push(from);
  }

  /** A gap is over at the moment that was kept last. @param next since when nothing is known, if another one begins behind it */
  endGap(next: Moment | undefined): void {
    this.gapEdges.push(this.moments.count - 1);
    if (next !== undefined) this.beginGap(next);
  }

  /** The gap that lasts from a moment to the next one. @returns since when nothing is known */
  gapBehind(at: number): Moment | undefined {
    const edges = firstLarger(this.gapEdges, at);
    return edges % 2 === 0 ? undefined : this.gapBegins[(edges - 1) / 2];
  }

  /** @param at number of the moment */
  node(path: string, at: number): PastNode | undefined {
    const znode = this.versions.find(path, at);
    return znode && { znode, isUnread: znode.acl === unreadAcl, isMadeUp: znode.acl === madeUpAcl };
  }

  namesAt(directory: string, at: number): ReadonlySet<string> {
    return this.children.get(directory)?.namesAt(at) ?? new Set();
  }

  /** Paths that were changed behind a moment, until another one, in order; each with the number of its moment. */
  *changes(behind: number, until: number): Iterable<{ path: string; at: number }> {
    let change = firstLarger(this.changedAt, behind);
    for (; change < this.changedAt.length; change++) {
      const at = this.changedAt[change] ?? 0;
      if (at > until) return;
      yield { path: this.changedPaths[change] ?? '/', at };
    }
  }

  /** The transaction in which a child of a directory last came or went; 0n where that is not known. */
  lastChange(directory: string, at: number, names: ReadonlySet<string>): bigint {
    const change = this.children.get(directory)?.lastChange(at);
    if (change === undefined) return 0n;
    const czxidOf = (name: string): bigint => this.versions.find(childPath(directory, name), at)?.czxid ?? 0n;
    if (change.isThere) return czxidOf(change.name);
    const { zxid } = this.moments.get(change.moment);
    // Of a deletion it may be only the last transaction before it: who reads it would take it for the one that created a child.
    for (const name of names) if (czxidOf(name) === zxid) return 0n;
    return zxid;
  }

  treeAt(at: number): MomentTree {
    return new JournalTree(this, at);
  }

  private childrenOf(directory: string): ChildHistory {
    let history = this.children.get(directory);
    if (history === undefined) this.children.set(directory, (history = new ChildHistory()));
    return history;
  }
}

/** The nodes at a moment. */
class JournalTree implements MomentTree {
  private readonly past: JournalPast;
  private readonly at: number;
  private readonly lists = new Map<string, ReadonlySet<string>>();

  constructor(past: JournalPast, at: number) {
    this.past = past;
    this.at = at;
  }

  get(path: string): Znode<StoredData> | undefined {
    const node = this.past.node(path, this.at)?.znode;
    if (node === undefined) return undefined;
    const names = this.childrenOf(path);
    node.childCount = names.size;
    node.childrenCreated = names.size;
    const last = names.size > 0 ? this.past.lastChange(path, this.at, names) : 0n;
    if (last > node.pzxid) node.pzxid = last;
    return node;
  }

  isUnread(path: string): boolean {
    return this.past.node(path, this.at)?.isUnread === true;
  }

  childrenOf(path: string): ReadonlySet<string> {
    const known = this.lists.get(path);
    if (known !== undefined) return known;
    const names = this.past.namesAt(path, this.at);
    if (names.size > 0) this.lists.set(path, names);
    return names;
  }
}

function znodeOf(node: ReadableNode, isMadeUp: boolean): Znode<StoredData> {
  const { data, owner, czxid, ctime, mzxid, mtime, version, isUnread } = node;
  const acl = isUnread === true ? unreadAcl : isMadeUp ? madeUpAcl : openAcl;
  const znode = new Znode(data, acl, owner, czxid, ctime);
  znode.mzxid = mzxid;
  znode.mtime = mtime;
  znode.version = version;
  return znode;
}

/** The index of the first number of a sorted list that is larger. */
function firstLarger(sorted: readonly number[], than: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= than) low = middle + 1;
    else high = middle;
  }
  return low;
}

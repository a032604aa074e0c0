import { atOnce, type Interruptible } from '../base/interruptible.ts';
import { childPath, lastSegment } from '../base/paths.ts';
import { baseOfQueue } from '../locks/libraries/queueBeside.ts';
import { isLockDirectory } from '../locks/libraries/singleNode.ts';
import type { LockDirectory } from '../locks/lockDirectory.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import { memberOf } from '../locks/recognition/members.ts';
import {
  furtherDirectories,
  recogniseNames,
  recogniseQueues,
  recognisingQueues,
} from '../locks/recognition/recognise.ts';
import { FollowedNode, type Author, type ReadableNode, type ReadableTree } from './followedNode.ts';
import { isLockItself, isSearched, mayBeAlone, type LockNames } from './lockNames.ts';
import { PlainQueues } from './plainQueues.ts';

/** Gets what a directory holds now, as far as that may have changed. */
export interface Recognised {
  queue(queue: LockQueue): void;
  contender(queue: LockQueue, contender: Contender): void;
}

/** Children read, or contenders listed, between two interruptions. */
const doneAtOnce = 1_024;

const noFurther: ReadonlyMap<string, FollowedNode[]> = new Map();

/**
 * A directory that may hold locks, with its children as recognition wants them, and the contenders that it had last.
 *
 * A change is recognised in full, as the inspector does, but for two kinds of directories that may be long: plain queues (`PlainQueues`), where
 * a change concerns the changed children and the head only, and directories without a queue, whose children are each a lock or
 * none.
 */
export class FollowedDirectory {
  readonly path: string;
  readonly children = new Map<string, FollowedNode>();
  self: FollowedNode | undefined;
  /** The paths of its contenders' nodes. */
  listed = new Set<string>();
  /** Other directories that its layout may have, whether they exist or not. */
  wanted: readonly string[] = [];
  private readonly names: LockNames;
  private readonly isSearched: boolean;
  private readonly isLock: boolean;
  private readonly holdsLocks: boolean;
  /** How many children have a name that is a contender's, or may make a lock; and how many are contenders. */
  private named = 0;
  private parts = 0;
  private members = 0;
  private unread = 0;
  private isLoaded = false;
  private mode: 'whole' | 'each' | PlainQueues = 'whole';

  constructor(path: string, names: LockNames) {
    this.path = path;
    this.names = names;
    this.isSearched = isSearched(path);
    this.isLock = isLockItself(path);
    this.holdsLocks = isLockDirectory(path) || baseOfQueue(path) !== undefined;
  }

  /** Reads the node itself and all children, the first time. The tree must not change before it ends. */
  *load(tree: ReadableTree, author: Author | undefined): Interruptible<void> {
    if (this.isLoaded) return;
    this.isLoaded = true;
    this.refreshSelf(tree, author);
    let read = 0;
    for (const name of tree.childrenOf(this.path)) {
      this.refresh(name, tree, author);
      read++;
      if (read % doneAtOnce === 0) yield;
    }
  }

  refreshSelf(tree: ReadableTree, author: Author | undefined): void {
    const node = tree.get(this.path);
    if (node === undefined) this.self = undefined;
    else if (this.self?.isAs(node) !== true)
      this.self = new FollowedNode(lastSegment(this.path), this.path, node, author, sameNode(this.self, node));
  }

  /** Reads one child. @returns the node that is gone */
  refresh(name: string, tree: ReadableTree, author: Author | undefined): FollowedNode | undefined {
    const before = this.children.get(name);
    const path = childPath(this.path, name);
    const node = tree.get(path);
    if (node !== undefined && before?.isAs(node) === true) return undefined;
    const former = node && sameNode(before, node);
    const gone = former === undefined ? before : undefined;
    if (before !== undefined) this.count(before, -1);
    if (gone !== undefined) this.remove(gone);
    if (node !== undefined) this.add(new FollowedNode(name, path, node, author, former));
    return gone;
  }

  private add(child: FollowedNode): void {
    this.children.set(child.name, child);
    this.count(child, 1);
  }

  private remove({ name, path }: FollowedNode): void {
    this.children.delete(name);
    this.listed.delete(path);
  }

  private count(child: FollowedNode, more: 1 | -1): void {
    const kind = this.names.kindOf(this.path, child.name);
    if (kind === 'contender') this.named += more;
    else if (kind === 'part') this.parts += more;
    if (memberOf(this.path, child) !== undefined) this.members += more;
    if (child.isUnread === true) this.unread += more;
  }

  /** Whether the search for locks reads it, or takes it for one by its names. */
  get isCandidate(): boolean {
    if (!this.isSearched || this.self === undefined) return false;
    if (this.children.size === 0) return this.isLock;
    if (this.named > 0 || this.holdsLocks) return true;
    return this.parts > 0 && recogniseNames(this.path, [...this.children.keys()]).length > 0;
  }

  /** What else must be read now to recognise it. */
  furtherPaths(): string[] {
    return this.isCandidate ? furtherDirectories(this.path, [...this.children.keys()]) : [];
  }

  /**
   * Recognises what the changes of some children make of it.
   *
   * @returns the paths of nodes that are no contenders any more; `undefined`: it must be recognised as a whole
   */
  recogniseChanges(changed: ReadonlySet<string>, found: Recognised): string[] | undefined {
    if (this.mode === 'whole' || this.unread > 0 || !this.isCandidate || !this.wantsNoMore(changed)) return undefined;
    return this.mode === 'each' ? this.recogniseEach(changed, found) : this.passOn(this.mode, changed, found);
  }

  /** @param further children of the further directories that exist @returns as `recogniseChanges` */
  *recognise(further: ReadonlyMap<string, FollowedNode[]>, found: Recognised): Interruptible<string[]> {
    const { self, listed } = this;
    const isCandidate = self !== undefined && this.isCandidate;
    const queues = isCandidate ? yield* this.queuesOf(self, further) : [];
    this.listed = new Set();
    yield* this.list(queues, found);
    const hasModes = isCandidate && further.size === 0 && this.children.size > 0 && this.unread === 0;
    this.mode = hasModes ? yield* this.modeOf(queues) : 'whole';
    return [...listed].filter(path => !this.listed.has(path));
  }

  private queuesOf(self: FollowedNode, further: ReadonlyMap<string, FollowedNode[]>): Interruptible<LockQueue[]> {
    const children = [...this.children.values()];
    const all = this.unread > 0 ? [children, ...further.values()] : [...further.values()];
    const unread = all.flatMap(nodes => nodes.filter(node => !isReadable(node)));
    if (unread.length === 0) return recognisingQueues(this.directory(self, children, further));
    // Of those recognition wants the paths only.
    const readable = new Map(Array.from(further, ([path, nodes]) => [path, nodes.filter(isReadable)]));
    return recognisingQueues(
      this.directory(self, children.filter(isReadable), readable),
      unread.map(({ path }) => path),
    );
  }

  private *list(queues: readonly LockQueue[], found: Recognised): Interruptible<void> {
    let done = 0;
    for (const queue of queues) {
      if (queue.contenders.length > 0) found.queue(queue);
      for (const contender of queue.contenders) {
        this.listed.add(contender.path);
        found.contender(queue, contender);
        done++;
        if (done % doneAtOnce === 0) yield;
      }
    }
  }

  private directory(
    self: FollowedNode,
    children: FollowedNode[],
    further: ReadonlyMap<string, FollowedNode[]>,
  ): LockDirectory {
    return { path: this.path, self, children, further };
  }

  private *modeOf(queues: readonly LockQueue[]): Interruptible<FollowedDirectory['mode']> {
    if (this.members === 0) return this.hasJoinedNodes ? 'whole' : 'each';
    return (yield* PlainQueues.of(this.path, queues, this.children)) ?? 'whole';
  }

  /** Patroni's nodes, which are recognised together (loneNodes.ts). */
  private get hasJoinedNodes(): boolean {
    return this.children.has('leader') && this.children.has('initialize');
  }

  /** Whether the changed names ask for no other directory than was looked at. */
  private wantsNoMore(changed: ReadonlySet<string>): boolean {
    const names = [...changed].filter(name => this.children.has(name));
    if (names.length === 0) return true;
    return furtherDirectories(this.path, names).every(path => this.wanted.includes(path));
  }

  private recogniseEach(changed: ReadonlySet<string>, found: Recognised): string[] | undefined {
    const { self } = this;
    if (self === undefined || this.members > 0 || this.hasJoinedNodes) return undefined;
    const gone: string[] = [];
    for (const name of changed) {
      const child = this.children.get(name);
      if (child === undefined || !(this.holdsLocks || mayBeAlone(child))) continue;
      const queues = recogniseQueues(this.directory(self, [child], noFurther));
      if (queues.length > 0) atOnce(this.list(queues, found));
      else if (this.listed.delete(child.path)) gone.push(child.path);
    }
    return gone;
  }

  private passOn(plain: PlainQueues, changed: ReadonlySet<string>, found: Recognised): string[] | undefined {
    const queues = plain.change(changed, this.children);
    if (queues === undefined) return undefined;
    for (const { queue, contenders } of queues) atOnce(this.list([{ ...queue, contenders }], found));
    return [];
  }
}

function isReadable({ isUnread }: FollowedNode): boolean {
  return isUnread !== true;
}

/** A node that was changed; `undefined` for another one at the same path. */
function sameNode(before: FollowedNode | undefined, { czxid }: ReadableNode): FollowedNode | undefined {
  return before?.czxid === czxid ? before : undefined;
}

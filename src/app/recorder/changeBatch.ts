import { parentPath } from '../../base/paths.ts';
import type { JournalNode } from '../../journal/entry.ts';
import type { TreeEvent } from '../../zookeeper/client.ts';
import { deletedBy, type ZxidSpan } from './endCauses.ts';
import type { LockTree } from './lockTree.ts';
import { unreadNode, type NodeReading, type NodeState } from './nodeStates.ts';

/** An event of a watch, and when it came (steady ms). */
export interface NotedEvent extends Pick<TreeEvent, 'path' | 'zxid'> {
  type: 'created' | 'deleted' | 'dataChanged';
  seenAt: number;
}

/** A deletion as the batch shows it. */
export interface SeenDeletion {
  node: JournalNode;
  /** The transactions that can have deleted it; the first is the last where that is known. */
  within: ZxidSpan;
  seenAt: number;
  /** It came before that, epoch ms of the server; Infinity: not known. */
  before: number;
}

/** Gets what happened, in its order. */
export interface ChangeSink {
  node(state: NodeState, seenAt: number, isNew: boolean): void;
  /** It was there before, and is of interest from now on. */
  old(state: NodeState): void;
  /**
   * @param before it came before that, epoch ms of the server; Infinity: not known
   * @returns the node with the time at which it came
   */
  unread(node: JournalNode, seenAt: number, before: number): JournalNode;
  gone(deletion: SeenDeletion): void;
}

/** For what happens while everything is read: the tree alone takes it. */
export const silentSink: ChangeSink = {
  node: () => undefined,
  old: () => undefined,
  unread: node => node,
  gone: () => undefined,
};

/** What was read for some events. */
export interface BatchReadings {
  /**
   * By path. Where nodes were deleted by an event without a zxid also of their directories, and of the path itself if the event may be about
   * another node there.
   */
  states: ReadonlyMap<string, NodeReading>;
  /** By the path of the first node of a lock in a directory: what was there before it. */
  older: ReadonlyMap<string, readonly NodeState[]>;
}

const anyTransaction: ZxidSpan = { first: 0n, last: (1n << 63n) - 1n };

/** What a path or directory will still see, by the places of events. */
type Places = Map<string, number>;

/**
 * Events, and what was read after they came. Reading shows the state of later, so it says which node an event is about only together with
 * the events behind it: a node may be deleted, and created again under the same name, before it is read.
 *
 * Before 3.9 events have no transaction. Then a deletion is dated by the events around it and by the stat of its directory. A transaction
 * that created or wrote a node is taken for one that deleted none: no lock library does both at once.
 */
export class ChangeBatch {
  private readonly events: readonly NotedEvent[];
  private readonly states: ReadonlyMap<string, NodeReading>;
  private readonly older: BatchReadings['older'];
  private readonly tree: LockTree;
  private readonly lastCreated: Places = new Map();
  private readonly lastWritten: Places = new Map();
  private readonly lastOfDirectory: Places = new Map();
  private firstPossible: bigint;

  /**
   * @param later events that came while the nodes of `events` were read
   * @param readings of what `events` are about
   * @param firstPossible no transaction before that made one of the events; 0n: not known
   */
  constructor(
    events: readonly NotedEvent[],
    later: readonly NotedEvent[],
    { states, older }: BatchReadings,
    tree: LockTree,
    firstPossible = 0n,
  ) {
    this.firstPossible = firstPossible;
    this.events = events;
    this.states = states;
    this.older = older;
    this.tree = tree;
    let at = 0;
    for (const all of [events, later]) {
      for (const { type, path } of all) {
        if (type === 'created') this.lastCreated.set(path, at);
        if (type === 'dataChanged') this.lastWritten.set(path, at);
        else this.lastOfDirectory.set(parentPath(path), at);
        at++;
      }
    }
  }

  /**
   * Passes on what happened. The tree is changed with it.
   *
   * @returns no transaction before that makes one of the next events
   */
  run(sink: ChangeSink): bigint {
    const newNodes = this.nextNewNodes();
    this.events.forEach((event, at) => {
      if (event.type === 'created') this.created(event, at, newNodes[at], sink);
      else if (event.type === 'dataChanged') this.written(event, at, sink);
      else this.deleted(event, at, newNodes[at], sink);
    });
    return this.firstPossible;
  }

  /** For each event the next node behind it that came and was read. */
  private nextNewNodes(): (JournalNode | undefined)[] {
    const nodes: (JournalNode | undefined)[] = [];
    let next: JournalNode | undefined;
    for (let at = this.events.length - 1; at >= 0; at--) {
      nodes[at] = next;
      const event = this.events[at];
      const state = event?.type === 'created' ? this.states.get(event.path) : undefined;
      if (typeof state === 'object' && this.isAbout(event, at, state)) next = state.node;
    }
    return nodes;
  }

  private notBefore(zxid: bigint): void {
    if (zxid > this.firstPossible) this.firstPossible = zxid;
  }

  /** Whether an event of a new node is about the node that was read. */
  private isAbout(event: NotedEvent | undefined, at: number, { node }: NodeState): boolean {
    if (event?.zxid !== undefined) return event.zxid === node.czxid;
    return event !== undefined && this.lastCreated.get(event.path) === at;
  }

  private created(event: NotedEvent, at: number, next: JournalNode | undefined, sink: ChangeSink): void {
    const { path, zxid, seenAt } = event;
    this.passOlder(path, sink);
    const state = this.states.get(path);
    const known = this.tree.nodes.get(path);
    if (state === undefined || isOfBefore(known, state, zxid)) return;
    if (known !== undefined) this.end({ node: known, within: anyTransaction, seenAt, before: Infinity }, sink);
    if (typeof state === 'object' && this.isAbout(event, at, state)) {
      this.notBefore(state.node.czxid + 1n);
      const first = asCreated(state);
      this.tree.set(first);
      sink.node(first, seenAt, true);
      return;
    }
    this.tree.setUnread(sink.unread(unreadNode(path, zxid ?? 0n, 0), seenAt, next?.ctime ?? Infinity));
    if (zxid !== undefined) this.tree.noteChildChange(parentPath(path), zxid);
  }

  private passOlder(path: string, sink: ChangeSink): void {
    for (const state of this.older.get(path) ?? []) {
      if (this.tree.nodes.has(state.node.path)) continue;
      this.tree.set(state);
      sink.old(state);
    }
  }

  private written({ path, seenAt }: NotedEvent, at: number, sink: ChangeSink): void {
    const known = this.tree.nodes.get(path);
    const state = this.states.get(path);
    // The last of its events has what was read.
    if (typeof state !== 'object' || this.lastWritten.get(path) !== at) return;
    if (known !== undefined && !isWrittenSince(known, state)) return;
    if (known !== undefined) this.notBefore(state.node.mzxid + 1n);
    this.tree.set(state);
    sink.node(state, seenAt, false);
  }

  private deleted(event: NotedEvent, at: number, next: JournalNode | undefined, sink: ChangeSink): void {
    const { path, zxid, seenAt } = event;
    const node = this.tree.nodes.get(path);
    if (node === undefined) return;
    const before = next?.ctime ?? Infinity;
    if (zxid !== undefined) {
      // It is about a node of before.
      if (zxid <= node.czxid) return;
      this.end({ node, within: { first: zxid, last: zxid }, seenAt, before }, sink);
      return;
    }
    const state = this.states.get(path);
    if (typeof state === 'object' && state.node.czxid === node.czxid) return;
    this.end({ node, within: this.deletionSpan(node, at, next?.czxid), seenAt, before }, sink);
  }

  private end(deletion: SeenDeletion, sink: ChangeSink): void {
    const { path } = deletion.node;
    this.tree.delete(path);
    const zxid = deletedBy(deletion.within);
    if (zxid !== undefined) {
      this.tree.noteChildChange(parentPath(path), zxid);
      // All nodes of a session go at once.
      this.notBefore(zxid);
    }
    sink.gone(deletion);
  }

  /** @param next transaction that is known after the deletion */
  private deletionSpan({ path, czxid }: JournalNode, at: number, next: bigint | undefined): ZxidSpan {
    const directory = parentPath(path);
    const zxid = this.deletionBy(directory, at);
    if (zxid !== undefined) return { first: zxid, last: zxid };
    const state = this.states.get(directory);
    const first = czxid < this.firstPossible ? this.firstPossible : czxid + 1n;
    const byDirectory = typeof state === 'object' ? state.pzxid : anyTransaction.last;
    const last = next !== undefined && next <= byDirectory ? next - 1n : byDirectory;
    return first <= last ? { first, last } : anyTransaction;
  }

  /**
   * The transaction of a deletion, by the stat of its directory; `undefined` if another change came after it. Children that may not be read
   * change the stat too, and have no events.
   */
  private deletionBy(directory: string, at: number): bigint | undefined {
    const state = this.states.get(directory);
    if (typeof state !== 'object' || this.lastOfDirectory.get(directory) !== at) return undefined;
    // The node itself is still among those that are known.
    const isWhole = this.tree.isWatched(directory) && state.numChildren === this.tree.childCount(directory) - 1;
    if (!isWhole) return undefined;
    return state.pzxid > this.tree.lastChildChange(directory) ? state.pzxid : undefined;
  }
}

const noData = new Uint8Array(0);

/**
 * The node as it came: when it was written has an event of its own. What was read later are not the data that it came with, and without an
 * owner those alone say who holds: then it counts as not read.
 */
function asCreated(state: NodeState): NodeState {
  const { node } = state;
  const { czxid, ctime, owner } = node;
  if (node.mzxid === czxid) return state;
  const first = { ...node, mzxid: czxid, mtime: ctime, version: 0, data: noData };
  return { ...state, node: owner === 0n ? { ...first, isUnread: true } : first };
}

function isWrittenSince(known: JournalNode, { node }: NodeState): boolean {
  return known.czxid === node.czxid && known.mzxid !== node.mzxid;
}

/** Whether a node was read already before the event of its creation came. */
function isOfBefore(known: JournalNode | undefined, state: NodeReading, zxid: bigint | undefined): boolean {
  if (known === undefined) return false;
  const isSame = typeof state === 'object' && state.node.czxid === known.czxid;
  return isSame || (zxid !== undefined && zxid <= known.czxid);
}

import { parentPath } from '../../base/paths.ts';
import type { JournalNode } from '../../journal/entry.ts';
import type { TreeEvent } from '../../zookeeper/client.ts';
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
  /** Of the deletion; `undefined`: not known. */
  zxid: bigint | undefined;
  seenAt: number;
  /** It came before that, epoch ms of the server; Infinity: not known. */
  before: number;
}

/** Gets what happened, in its order. */
export interface ChangeSink {
  node(state: NodeState, seenAt: number, isNew: boolean): void;
  /** It was there before, and is of interest from now on. */
  old(state: NodeState): void;
  unread(node: JournalNode): void;
  gone(deletion: SeenDeletion): void;
}

/** What was read for some events. */
export interface BatchReadings {
  /** By path. Also of nodes that were deleted by an event without a zxid, and of their directories. */
  states: ReadonlyMap<string, NodeReading>;
  /** By the path of the first node of a lock in a directory: what was there before it. */
  older: ReadonlyMap<string, readonly NodeState[]>;
}

/** What a path or directory will still see, by the places of events. */
type Places = Map<string, number>;

/**
 * Events, and what was read after they came. Reading shows the state of later, so it says which node an event is about only together with
 * the events behind it: a node may be deleted, and created again under the same name, before it is read.
 */
export class ChangeBatch {
  private readonly events: readonly NotedEvent[];
  private readonly states: ReadonlyMap<string, NodeReading>;
  private readonly older: BatchReadings['older'];
  private readonly tree: LockTree;
  private readonly lastCreated: Places = new Map();
  private readonly lastWritten: Places = new Map();
  private readonly lastOfDirectory: Places = new Map();

  /**
   * @param later events that came while the nodes of `events` were read
   * @param readings of what `events` are about
   */
  constructor(
    events: readonly NotedEvent[],
    later: readonly NotedEvent[],
    { states, older }: BatchReadings,
    tree: LockTree,
  ) {
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

  /** Passes on what happened. The tree is changed with it. */
  run(sink: ChangeSink): void {
    const times = this.latestTimes();
    this.events.forEach((event, at) => {
      if (event.type === 'created') this.created(event, at, sink);
      else if (event.type === 'dataChanged') this.written(event, at, sink);
      else this.deleted(event, at, times[at] ?? Infinity, sink);
    });
  }

  /** For each event the time of the next one that has one. */
  private latestTimes(): number[] {
    const times: number[] = [];
    let next = Infinity;
    for (let at = this.events.length - 1; at >= 0; at--) {
      times[at] = next;
      const event = this.events[at];
      const state = event?.type === 'created' ? this.states.get(event.path) : undefined;
      if (typeof state === 'object' && this.isAbout(event, at, state)) next = state.node.ctime;
    }
    return times;
  }

  /** Whether an event of a new node is about the node that was read. */
  private isAbout(event: NotedEvent | undefined, at: number, { node }: NodeState): boolean {
    if (event?.zxid !== undefined) return event.zxid === node.czxid;
    return event !== undefined && this.lastCreated.get(event.path) === at;
  }

  private created(event: NotedEvent, at: number, sink: ChangeSink): void {
    const { path, zxid, seenAt } = event;
    this.passOlder(path, sink);
    const state = this.states.get(path);
    const known = this.tree.nodes.get(path);
    if (state === undefined || isOfBefore(known, state, zxid)) return;
    if (known !== undefined) this.end({ node: known, zxid: undefined, seenAt, before: Infinity }, sink);
    if (typeof state === 'object' && this.isAbout(event, at, state)) {
      const first = asCreated(state);
      this.tree.set(first);
      sink.node(first, seenAt, true);
      return;
    }
    const node = unreadNode(path, zxid ?? 0n, 0);
    this.tree.setUnread(node);
    if (zxid !== undefined) this.tree.noteChildChange(parentPath(path), zxid);
    sink.unread(node);
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
    this.tree.set(state);
    sink.node(state, seenAt, false);
  }

  private deleted(event: NotedEvent, at: number, before: number, sink: ChangeSink): void {
    const { path, zxid, seenAt } = event;
    const node = this.tree.nodes.get(path);
    if (node === undefined) return;
    if (zxid !== undefined) {
      // It is about a node of before.
      if (zxid <= node.czxid) return;
      this.end({ node, zxid, seenAt, before }, sink);
      return;
    }
    const state = this.states.get(path);
    if (typeof state === 'object' && state.node.czxid === node.czxid) return;
    this.end({ node, zxid: this.deletionBy(parentPath(path), at), seenAt, before }, sink);
  }

  private end(deletion: SeenDeletion, sink: ChangeSink): void {
    const { path } = deletion.node;
    this.tree.delete(path);
    if (deletion.zxid !== undefined) this.tree.noteChildChange(parentPath(path), deletion.zxid);
    sink.gone(deletion);
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

import { forEachInParts, type Interruptible } from '../base/interruptible.ts';
import { sortedInParts } from '../base/sortedInParts.ts';
import { TextMap } from '../base/textMap.ts';
import { lastSegment } from '../base/paths.ts';
import type { Hold, Moment, Wait } from '../history/hold.ts';
import type { RecordedSession, Recording } from '../replay/recording.ts';
import type { JournalEntry, JournalNode } from './entry.ts';
import { sessionEntry } from './journalSessions.ts';

/** A hold or a wait that is over. */
type Ended = (Hold | Wait) & { to: Moment };

/** Makes entries of what is read of a recording: the sessions come with their nodes, the causes with the ends. */
export class SpanEntries {
  private readonly sessions: ReadonlyMap<bigint, RecordedSession>;
  /** By the transactions that ended them. */
  private ends: readonly Ended[] = [];
  /** So many of them are of transactions that were asked for, or of earlier ones. */
  private taken = 0;
  /** Those of one transaction, by their nodes. */
  private found = { zxid: -1n, byNode: new Map<string, Ended>() };
  /** Sessions that have an entry. */
  private readonly shown = new Set<bigint>();
  /** By path, the nodes that are there. */
  private known = new TextMap<bigint>();
  private last: Moment | undefined;

  constructor(sessions: ReadonlyMap<bigint, RecordedSession>) {
    this.sessions = sessions;
  }

  /** Takes the ends that have a cause, once and before anything else. @param from zxid of the first moment @param until zxid of the last one */
  *takeEnds(recording: Pick<Recording, 'holds' | 'waits'>, from: bigint, until: bigint): Interruptible<void> {
    const ends: Ended[] = [];
    const add = (each: Hold | Wait): void => {
      if (isOver(each) && each.to.zxid >= from && each.to.zxid <= until && hasCause(each)) ends.push(each);
    };
    yield* forEachInParts(recording.holds(), add);
    yield* forEachInParts(recording.waits(), add);
    this.ends = yield* sortedInParts(ends, (one, other) => Number(one.to.zxid - other.to.zxid));
  }

  /** All that is there. Nothing is known of what was before. */
  *list(at: Moment, nodes: Iterable<JournalNode>): Iterable<JournalEntry> {
    this.last = at;
    this.known = new TextMap();
    yield { type: 'begin', at };
    for (const node of nodes) {
      yield* this.session(node.owner, at);
      this.known.set(node.path, node.czxid);
      yield { type: 'node', at, node };
    }
    yield { type: 'complete', at };
  }

  /** Nothing is known from here on. */
  gap(at: Moment): JournalEntry {
    this.last = at;
    return { type: 'gap', at };
  }

  /** A node has changed. @param node as it is now; `undefined`: it is gone */
  *change(at: Moment, path: string, node: JournalNode | undefined): Iterable<JournalEntry> {
    const czxid = this.known.get(path);
    const isOther = czxid !== undefined && czxid !== node?.czxid;
    if (isOther) {
      this.last = at;
      this.known.delete(path);
      yield { type: 'gone', at, path, czxid };
      yield* this.cause(at, path, czxid);
    }
    if (node === undefined) return;
    this.last = at;
    this.known.set(path, node.czxid);
    yield* this.session(node.owner, at);
    yield { type: 'node', at, node };
    if (!isOther) yield* this.cause(at, path, node.czxid);
  }

  /** @param at the last moment that is known */
  *end(at: Moment): Iterable<JournalEntry> {
    for (const id of this.shown) {
      const session = this.sessions.get(id);
      if (session?.ended !== undefined && session.ended.zxid <= at.zxid) yield entryOf(id, session, true);
    }
    const { last } = this;
    if (last !== undefined && (last.zxid < at.zxid || last.time < at.time)) yield { type: 'alive', at };
  }

  private *cause(at: Moment, path: string, czxid: bigint): Iterable<JournalEntry> {
    const found = this.endsAt(at.zxid).get(nodeKey({ name: path, czxid }));
    if (found?.ended === undefined) return;
    const { ended, endedBy } = found;
    if (endedBy !== undefined) yield* this.session(endedBy, at);
    yield { type: 'cause', path, czxid, ended, ...(endedBy !== undefined && { endedBy }) };
  }

  /** To be asked in the order of the transactions. */
  private endsAt(zxid: bigint): ReadonlyMap<string, Ended> {
    if (this.found.zxid === zxid) return this.found.byNode;
    const byNode = new Map<string, Ended>();
    for (let next = this.ends[this.taken]; next !== undefined && next.to.zxid <= zxid; next = this.ends[++this.taken]) {
      if (next.to.zxid === zxid) byNode.set(nodeKey(next), next);
    }
    this.found = { zxid, byNode };
    return byNode;
  }

  private *session(id: bigint, at: Moment): Iterable<JournalEntry> {
    if (id === 0n || this.shown.has(id)) return;
    const session = this.sessions.get(id);
    if (session === undefined) return;
    this.shown.add(id);
    const isOver = session.ended !== undefined && session.ended.zxid <= at.zxid;
    yield entryOf(id, session, isOver);
  }
}

function isOver(each: Hold | Wait): each is Ended {
  return each.to !== undefined;
}

function hasCause({ ended }: Ended): boolean {
  return ended !== 'unknown' && ended !== 'overtaken';
}

/** Names within a lock end with the name of the node. */
function nodeKey({ name, czxid }: Pick<Hold, 'name' | 'czxid'>): string {
  return `${czxid} ${lastSegment(name)}`;
}

/** @param isOver whether its end is known by then */
function entryOf(id: bigint, known: RecordedSession, isOver: boolean): JournalEntry {
  const session = sessionEntry(id, known);
  if (!isOver) {
    delete session.ended;
    delete session.how;
  }
  return { type: 'session', session };
}

import { sortEntries, type Dialect, type Entry, type KnownChild } from './dialects/dialect.ts';
import type { ChildNode } from './lockDirectory.ts';
import type { TurnRule } from './turn.ts';

/** Children of one directory that see each other. */
export interface QueueMembers {
  dialect: Dialect;
  rank: number;
  queueKey: string;
  lockName: string | undefined;
  members: KnownChild[];
}

/** A queue as its library sees it. */
export interface OrderedQueue {
  /** In grant order, with the foreign children that take a place in it. */
  ordered: Entry[];
  /** Children that are no members but may matter to the library. */
  foreign: ChildNode[];
  rule: TurnRule;
}

/**
 * Puts the members of one queue in grant order.
 *
 * @param siblings every child of that directory; those that are no members are foreign to this queue
 */
export function orderQueue(queue: QueueMembers, siblings: readonly ChildNode[]): OrderedQueue {
  const { dialect } = queue;
  const entries = entriesOf(queue);
  const foreign = dialect.foreign.effect === 'ignored' ? [] : foreignTo(queue, siblings);
  for (const entry of countedEntries(foreign, queue)) entries.push(entry);
  const ordered = dialect.arrange?.(entries) ?? sortEntries(entries, dialect.compare);
  ordered.forEach(({ child }, place) => {
    if (child !== undefined) child.place = place;
  });
  const hasChild = (name: string) => siblings.some(sibling => sibling.name === name);
  const rule = typeof dialect.rule === 'function' ? dialect.rule({ entries: ordered, hasChild }) : dialect.rule;
  return { ordered, foreign, rule };
}

/** Those that were in a queue before in the order of then: that is nearly the order of now, and soon sorted. */
function entriesOf({ dialect, members }: QueueMembers): Entry[] {
  // A lock that is also read is a write lock by another name (kazoo writes both the same).
  const isShared = dialect.id === 'kazoo' && members.some(({ found }) => found.match.kind === 'read');
  const places = members.reduce((most, { place }) => Math.max(most, (place ?? -1) + 1), 0);
  const inPlace = new Array<Entry | undefined>(places);
  const others: Entry[] = [];
  members.forEach(child => {
    const entry = entryOf(child, dialect, isShared);
    const { place } = child;
    if (place === undefined || inPlace[place] !== undefined) others.push(entry);
    else inPlace[place] = entry;
  });
  if (places === 0) return others;
  return [...inPlace.filter(entry => entry !== undefined), ...others];
}

function entryOf(child: KnownChild, dialect: Dialect, isShared: boolean): Entry {
  const { node, found, entry: last } = child;
  const { match, reading } = found;
  const kind = kindOf(child, isShared);
  const marked = dialect.isMarked?.(node);
  if (last?.kind === kind && last.marked === marked) return last;
  const entry: Entry = {
    name: node.name,
    kind,
    sequence: reading.sequence,
    suffix: reading.suffix,
    czxid: node.czxid,
    ownerSession: node.ephemeralOwner,
    child,
  };
  if (match.client !== undefined) entry.client = match.client;
  if (match.blocksNobody === true) entry.blocksNobody = true;
  if (marked !== undefined) entry.marked = marked;
  child.entry = entry;
  return entry;
}

function kindOf({ node, found }: KnownChild, isShared: boolean): Entry['kind'] {
  const kind = found.dialect.kindOf?.(node) ?? found.match.kind;
  return isShared && kind === 'exclusive' ? 'write' : kind;
}

/** The children of the directory that are no members. */
function foreignTo({ members }: QueueMembers, siblings: readonly ChildNode[]): ChildNode[] {
  if (members.length === siblings.length) return [];
  const names = new Set(members.map(({ node }) => node.name));
  return siblings.filter(({ name }) => !names.has(name));
}

/** Foreign children that take a place in the library's order. They block whoever must be first, not readers. */
function countedEntries(foreign: readonly ChildNode[], queue: QueueMembers): Entry[] {
  const rule = queue.dialect.foreign;
  if (rule.effect !== 'counted') return [];
  return foreign.map(node => {
    const suffix = rule.suffixOf(node.name, queue.queueKey);
    const sequence = /^-?\d{1,15}$/.test(suffix) ? Number(suffix) : 0;
    return { name: node.name, kind: 'read', sequence, suffix, czxid: node.czxid, ownerSession: node.ephemeralOwner };
  });
}

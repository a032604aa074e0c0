import { sortEntries, type Dialect, type Entry } from './dialects/dialect.ts';
import type { NameMatch } from './dialects/registry.ts';
import { hazard, hazardsOf } from './hazards.ts';
import { textOf } from './identifier.ts';
import type { ChildNode } from './lockDirectory.ts';
import type { Contender, Hazard, LockQueue } from './lockQueue.ts';
import { turnsOf, type Turn } from './turn.ts';

/** A child that a dialect knows. */
export interface KnownChild {
  node: ChildNode;
  found: NameMatch;
}

/** Children of one directory that see each other. */
export interface QueueMembers {
  dialect: Dialect;
  rank: number;
  queueKey: string;
  lockName: string | undefined;
  members: KnownChild[];
}

/**
 * Puts the members of one queue in grant order and asks whose turn it is.
 *
 * @param path the queue's directory
 * @param siblings every child of that directory; those that are no members are foreign to this queue
 */
export function buildQueue(path: string, queue: QueueMembers, siblings: readonly ChildNode[]): LockQueue {
  const { dialect } = queue;
  const members = new Map(queue.members.map(member => [member.node.name, member]));
  const inUse = queue.members.some(({ found }) => found.match.kind === 'read');
  const own = queue.members.map(member => entryOf(member, dialect, inUse));
  const foreign = dialect.foreign.effect === 'ignored' ? [] : siblings.filter(({ name }) => !members.has(name));
  const ordered = arrange([...own, ...countedEntries(foreign, queue)], dialect);
  const hasChild = (name: string) => siblings.some(sibling => sibling.name === name);
  const rule = typeof dialect.rule === 'function' ? dialect.rule({ entries: ordered, hasChild }) : dialect.rule;
  const turns = turnsOf(ordered, rule);
  const entries: Entry[] = [];
  const contenders: Contender[] = [];
  for (const [at, entry] of ordered.entries()) {
    const member = members.get(entry.name);
    const turn = turns[at];
    if (member === undefined || turn === undefined) continue;
    entries.push(entry);
    contenders.push(contenderOf(member, entry, turn));
  }
  const hazards = [
    ...hazardsOf(entries, contenders, dialect),
    ...hazard('strangers-block', blockingStrangers(ordered, members, foreign, dialect)),
    ...limitHazard(dialect, contenders),
  ];
  const named = queue.lockName === undefined ? {} : { lockName: queue.lockName };
  return { path, ...named, dialect: dialect.id, contenders, strangers: [], hazards };
}

function arrange(entries: Entry[], dialect: Dialect): Entry[] {
  return dialect.arrange?.(entries) ?? sortEntries(entries, dialect.compare);
}

function entryOf({ node, found }: KnownChild, dialect: Dialect, shared: boolean): Entry {
  const { match, reading } = found;
  const kind = found.dialect.kindOf?.(node) ?? match.kind;
  const entry: Entry = {
    name: node.name,
    // A lock that is also read is a write lock by another name (kazoo writes both the same).
    kind: shared && dialect.id === 'kazoo' && kind === 'exclusive' ? 'write' : kind,
    sequence: reading.sequence,
    suffix: reading.suffix,
    czxid: node.czxid,
    ownerSession: node.ephemeralOwner,
  };
  if (match.client !== undefined) entry.client = match.client;
  if (match.blocksNobody === true) entry.blocksNobody = true;
  if (dialect.isMarked !== undefined) entry.marked = dialect.isMarked(node);
  return entry;
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

function contenderOf({ node, found }: KnownChild, entry: Entry, turn: Turn): Contender {
  const text = found.dialect.identify?.(node) ?? textOf(node.data);
  const contender: Contender = {
    name: node.name,
    path: node.path,
    kind: entry.kind,
    role: turn.holds ? 'holder' : 'waiter',
    sequence: entry.sequence,
    ownerSession: node.ephemeralOwner,
    czxid: node.czxid,
    createdAt: node.createdAt,
    identifier: text === '' ? (found.match.identifier ?? '') : text,
  };
  if (!turn.holds && turn.waitsFor !== undefined) contender.waitsFor = turn.waitsFor;
  return contender;
}

function blockingStrangers(
  ordered: readonly Entry[],
  members: ReadonlyMap<string, KnownChild>,
  foreign: readonly ChildNode[],
  dialect: Dialect,
): string[] {
  const rule = dialect.foreign;
  if (rule.effect === 'fails') {
    return foreign.map(node => node.name).filter(name => rule.unless?.test(name) !== true);
  }
  const last = ordered.findLastIndex(entry => members.has(entry.name));
  return ordered.slice(0, last + 1).flatMap(entry => (members.has(entry.name) ? [] : [entry.name]));
}

/** The tree stores no limit for these: how many may hold is a guess. */
function limitHazard(dialect: Dialect, contenders: readonly Contender[]): Hazard[] {
  const unknown = dialect.id === 'zk-ruby-semaphore' || dialect.id === 'distributedlock-net-semaphore';
  if (!unknown) return [];
  return [{ kind: 'limit-unknown', names: contenders.filter(({ role }) => role === 'waiter').map(({ name }) => name) }];
}

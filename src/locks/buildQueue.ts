import type { Dialect, Entry } from './dialects/dialect.ts';
import { hazard, hazardsOf } from './hazards.ts';
import { textOf } from './identifier.ts';
import type { ChildNode } from './lockDirectory.ts';
import type { Contender, Hazard, LockQueue } from './lockQueue.ts';
import { orderQueue, type KnownChild, type QueueMembers } from './orderQueue.ts';
import { turnsOf, type Turn } from './turn.ts';

/**
 * Puts the members of one queue in grant order and asks whose turn it is.
 *
 * @param path the queue's directory
 * @param siblings every child of that directory; those that are no members are foreign to this queue
 */
export function buildQueue(path: string, queue: QueueMembers, siblings: readonly ChildNode[]): LockQueue {
  const { dialect } = queue;
  const members = new Map(queue.members.map(member => [member.node.name, member]));
  const { ordered, foreign, rule } = orderQueue(queue, siblings);
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

import { isKnown, type Dialect, type Entry, type KnownChild } from './dialects/dialect.ts';
import { hazard, hazardsOf } from './hazards.ts';
import { identifierOf } from './knownChild.ts';
import type { ChildNode } from './lockDirectory.ts';
import type { Contender, Hazard, LockQueue } from './lockQueue.ts';
import { orderQueue, type QueueMembers } from './orderQueue.ts';
import { startTurns, type Turn } from './turn.ts';

/**
 * Puts the members of one queue in grant order and asks whose turn it is.
 *
 * @param path the queue's directory
 * @param siblings every child of that directory; those that are no members are foreign to this queue
 */
export function buildQueue(path: string, queue: QueueMembers, siblings: readonly ChildNode[]): LockQueue {
  const { dialect } = queue;
  const { ordered, foreign, rule } = orderQueue(queue, siblings);
  const turnOf = startTurns(rule);
  const contenders: Contender[] = [];
  // Callbacks, here and below: a loop over 10,000 in a function that is called once runs in slow code, its body does not.
  ordered.forEach(entry => {
    const turn = turnOf(entry);
    if (isKnown(entry)) contenders.push(contenderOf(entry, turn));
  });
  const hazards = [
    ...hazardsOf(contenders, dialect),
    ...hazard('strangers-block', blockingStrangers(ordered, foreign, dialect)),
    ...limitHazard(dialect, contenders),
  ];
  const named = queue.lockName === undefined ? {} : { lockName: queue.lockName };
  return { path, ...named, dialect: dialect.id, contenders, strangers: [], hazards };
}

function contenderOf(child: KnownChild, turn: Turn): Contender {
  const { node, kind, contender: last } = child;
  const waitsFor = turn.holds ? undefined : turn.waitsFor;
  const role = turn.holds ? 'holder' : 'waiter';
  if (last?.role === role && last.waitsFor === waitsFor && last.kind === kind) return last;
  const { name, path, ephemeralOwner: ownerSession, czxid, createdAt } = node;
  const { sequence } = child;
  const identifier = identifierOf(child);
  // Written out twice: a field added later would cost each of 10,000 waiters a second object behind it.
  const contender: Contender =
    waitsFor === undefined
      ? { name, path, kind, role, sequence, ownerSession, czxid, createdAt, identifier }
      : { name, path, kind, role, waitsFor, sequence, ownerSession, czxid, createdAt, identifier };
  child.contender = contender;
  return contender;
}

function blockingStrangers(ordered: readonly Entry[], foreign: readonly ChildNode[], dialect: Dialect): string[] {
  const rule = dialect.foreign;
  if (rule.effect === 'fails') {
    return foreign.map(node => node.name).filter(name => rule.unless?.test(name) !== true);
  }
  if (foreign.length === 0) return [];
  const last = ordered.findLastIndex(isKnown);
  return ordered.slice(0, last).flatMap(entry => (isKnown(entry) ? [] : [entry.name]));
}

/** The tree stores no limit for these: how many may hold is a guess. */
function limitHazard(dialect: Dialect, contenders: readonly Contender[]): Hazard[] {
  const unknown = dialect.id === 'zk-ruby-semaphore' || dialect.id === 'distributedlock-net-semaphore';
  if (!unknown) return [];
  return [{ kind: 'limit-unknown', names: contenders.filter(({ role }) => role === 'waiter').map(({ name }) => name) }];
}

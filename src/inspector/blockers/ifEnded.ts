import type { Interruptible } from '../../base/interruptible.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { holdersWithoutAll, type Succession } from '../turnsWithout.ts';

/** What changes in one lock when all nodes of some sessions go. */
export interface Ending {
  queue: LockQueue;
  /** The nodes that go, in grant order. */
  leaving: readonly Contender[];
  succession: Succession;
  /** Contenders that hold then and wait now, in grant order; empty if none does, and where it cannot be foreseen. */
  next: readonly Contender[];
  /** Contenders that hold now and still do then. */
  stillHeld: readonly Contender[];
  /** A node that goes holds: those that are next can have the lock. */
  isHolder: boolean;
  /** Whether others wait in it. */
  hasWaiters: boolean;
}

/**
 * What frees if some sessions end now: the server deletes their nodes, and each lock goes on by its dialect's own rule. Nodes without
 * an owner stay. A session that is not ended may leave at any time, so this is what follows if nothing else happens.
 *
 * @param queues every lock once
 * @param ended signed session ids
 * @returns the locks in which one of them has a node, those that they hold first, each group in the order of the queues
 */
export function* ifEnded(queues: Iterable<LockQueue>, ended: ReadonlySet<bigint>): Interruptible<Ending[]> {
  const [held, others]: [Ending[], Ending[]] = [[], []];
  for (const queue of queues) {
    yield;
    const leaving = queue.contenders.filter(({ ownerSession }) => ownerSession !== 0n && ended.has(ownerSession));
    if (leaving.length === 0) continue;
    const ending = endingOf(queue, leaving);
    (ending.isHolder ? held : others).push(ending);
  }
  return [...held, ...others];
}

function endingOf(queue: LockQueue, leaving: readonly Contender[]): Ending {
  const { succession, holders } = holdersWithoutAll(queue, leaving);
  const held = new Set(queue.contenders.filter(({ role }) => role === 'holder').map(({ path }) => path));
  const gone = new Set(leaving.map(({ path }) => path));
  return {
    queue,
    leaving,
    succession,
    next: holders.filter(({ path }) => !held.has(path)),
    stillHeld: queue.contenders.filter(({ path, role }) => role === 'holder' && !gone.has(path)),
    isHolder: leaving.some(({ role }) => role === 'holder'),
    hasWaiters: queue.contenders.some(({ path, role }) => role === 'waiter' && !gone.has(path)),
  };
}

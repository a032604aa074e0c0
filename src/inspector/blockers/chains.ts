import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { WaiterId } from '../waitForGraph.ts';
import { keptBackBy, type BlockerIndex, type QueuePlace, type Source } from './blockerIndex.ts';

/** A lock that is kept from others by one place in it. */
export interface BlockedLock extends QueuePlace {
  /** How many places wait behind it in this lock, those of the same party not counted. */
  waits: number;
}

/** A session, or a node without one, that waits in a lock, and what others wait for because of that. */
export interface BlockedWait {
  id: WaiterId;
  contender: Contender;
  queue: LockQueue;
  /** What it held before it began to wait, as far as others wait for that. */
  keeps: readonly BlockedLock[];
}

/** Who waits behind a place in its lock, in grant order, places of the same party not included. */
export function waitsBehind(index: BlockerIndex, place: QueuePlace): BlockedWait[] {
  const source = index.sourceAt(place);
  if (source === undefined) return [];
  return source.behind
    .filter(({ party }) => party !== source.party)
    .map(wait => ({
      id: wait.party.id,
      contender: wait.contender,
      queue: wait.queue,
      keeps: keptBackBy(wait).map(lockOf),
    }));
}

function lockOf({ contender, queue, behind, party }: Source): BlockedLock {
  return { contender, queue, waits: behind.filter(wait => wait.party !== party).length };
}

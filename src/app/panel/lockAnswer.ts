import { nextHorizon, nextInLine, type NextInLine } from '../../inspector/turnsWithout.ts';
import { isHolderUnknown, isLeaseOver, type Contender, type LockQueue } from '../../locks/lockQueue.ts';

/** Who has a lock, who waits, and who is next, as far as that is known. */
export interface LockAnswer {
  holders: Contender[];
  /** The kind of every holder; absent without holders and where they differ. */
  kind?: Contender['kind'];
  /** No holder is seen, and a node that may not be read can be the holder. */
  isHolderUnknown: boolean;
  /** The lease of its holder has ended, by its own data. */
  isLeaseOver: boolean;
  waiters: number;
  /** Waiters that may hold all the same. */
  mayHold: number;
  /** When the one that waits longest queued, epoch ms of the server's clock; absent without waiters that may be read. */
  waitingSince?: number;
  /** Absent where no contender waits, and where it depends on which of the holders leaves. */
  next?: NextInLine;
}

/** Goes once through the queue. @param now epoch ms of the server's clock */
export function lockAnswer(queue: LockQueue, now: number): LockAnswer {
  const { holders, firstWaiters, mayHold, oldest } = counted(queue.contenders);
  const [first] = holders;
  const isOneKind = first !== undefined && holders.every(({ kind }) => kind === first.kind);
  return {
    holders,
    ...(isOneKind ? { kind: first.kind } : {}),
    isHolderUnknown: isHolderUnknown(queue),
    isLeaseOver: first !== undefined && isLeaseOver(first, now),
    waiters: queue.contenders.length - holders.length,
    mayHold,
    ...(oldest === Infinity ? {} : { waitingSince: oldest }),
    ...nextOf(queue, holders, firstWaiters),
  };
}

function nextOf(
  queue: LockQueue,
  holders: readonly Contender[],
  waiters: readonly Contender[],
): Pick<LockAnswer, 'next'> {
  const next = nextInLine(queue, holders, waiters);
  return next === undefined || (next.next.length === 0 && waiters.length === 0 && next.succession !== 'race')
    ? {}
    : { next };
}

function counted(contenders: readonly Contender[]) {
  const holders: Contender[] = [];
  const firstWaiters: Contender[] = [];
  let [mayHold, oldest] = [0, Infinity];
  // A callback: a loop over 100,000 in a function that is called once runs in slow code, and leaves an object for each behind.
  contenders.forEach(contender => {
    if (contender.role === 'holder') {
      holders.push(contender);
      return;
    }
    if (firstWaiters.length < nextHorizon) firstWaiters.push(contender);
    if (contender.mayHold === true) mayHold++;
    // Assigned seldom: each value that the callback stores here is an object.
    if (contender.isUnread !== true && contender.createdAt < oldest) oldest = contender.createdAt;
  });
  return { holders, firstWaiters, mayHold, oldest };
}

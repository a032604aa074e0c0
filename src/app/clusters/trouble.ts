import { waiterCount, type LockNode } from './clusterModel.ts';
import type { LockMarks, MarkSource } from './marks.ts';
import type { Trouble } from './viewState.ts';

/** Whether a lock has this trouble; *stale* and *deadlocked* include *maybe*, as in the lock's row. @param now epoch ms */
export function isInTrouble(lock: LockNode, trouble: Trouble, marks: MarkSource, now: number): boolean {
  if (trouble === 'contended') return waiterCount(lock) > 0;
  const { stale, maybeStale, deadlocked, maybeDeadlocked } = marks.of(lock, now);
  return trouble === 'stale' ? stale + maybeStale > 0 : deadlocked + maybeDeadlocked > 0;
}

/** How many locks need a person; one with two kinds of trouble is one of `locks`. */
export interface TroubleCounts {
  locks: number;
  deadlocked: number;
  stale: number;
  longHeld: number;
}

/** Counts the locks with marks that claim something: to have waiters is normal life, and *maybe* is no claim. */
export function countTrouble(locks: readonly LockNode[], marks: MarkSource, now: number): TroubleCounts {
  const marked = locks.map(lock => marks.of(lock, now));
  const count = (is: (of: LockMarks) => boolean): number => marked.filter(is).length;
  return {
    locks: count(of => of.deadlocked + of.stale + of.longHeld > 0),
    deadlocked: count(of => of.deadlocked > 0),
    stale: count(of => of.stale > 0),
    longHeld: count(of => of.longHeld > 0),
  };
}

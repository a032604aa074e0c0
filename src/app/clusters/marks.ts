import type { Contender } from '../../locks/lockQueue.ts';
import type { StaleSign } from '../../inspector/staleSigns.ts';
import type { LockNode } from './clusterModel.ts';

/** What is wrong with one contender, as far as the queues on screen tell; nobody is asked for it. */
export interface ContenderMarks {
  /** Why it may be stale, the surest reason first. */
  stale: readonly StaleSign[];
  longHeld: boolean;
  deadlocked: boolean;
}

/** What is wrong in one lock. Of a long queue only a page is on screen, so only the numbers are worked out beforehand. */
export interface LockMarks {
  /** `undefined` if nothing is wrong with it. */
  of(contender: Contender): ContenderMarks | undefined;
  /** Contenders that look stale, `possible` ones left out: normal programs look like those. */
  stale: number;
  /** Contenders of which only `possible` reasons are known. */
  maybeStale: number;
  longHeld: number;
  deadlocked: number;
}

export const noMarks: LockMarks = { of: () => undefined, stale: 0, maybeStale: 0, longHeld: 0, deadlocked: 0 };

/** Says what is wrong in a lock. */
export interface MarkSource {
  /** @param now epoch ms */
  of(lock: LockNode, now: number): LockMarks;
}

/** Marks nothing until there are queues to judge: what judges them is loaded together with what reads them. */
export class DeferredMarks implements MarkSource {
  private source: MarkSource | undefined;

  of(lock: LockNode, now: number): LockMarks {
    return this.source?.of(lock, now) ?? noMarks;
  }

  /** From now on `source` says it. */
  follow(source: MarkSource): void {
    this.source ??= source;
  }
}

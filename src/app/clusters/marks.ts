import type { Contender } from '../../locks/lockQueue.ts';
import type { StaleSign } from '../../inspector/findStale.ts';
import type { LockNode } from './clusterModel.ts';

/** The marks of one contender, from the queues that are loaded: no request is sent for them. */
export interface ContenderMarks {
  /** Why it may be stale, the surest reason first. */
  stale: readonly StaleSign[];
  longHeld: boolean;
  deadlocked: boolean;
}

/** The marks of one lock. Of a long queue only a page is on screen, so only the counts are computed in advance. */
export interface LockMarks {
  /** `undefined` for a contender without marks. */
  of(contender: Contender): ContenderMarks | undefined;
  /** Contenders with `certain` or `likely` signs of being stale. */
  stale: number;
  /** Contenders with only `possible` signs: normal programs look like those. */
  maybeStale: number;
  longHeld: number;
  deadlocked: number;
}

export const noMarks: LockMarks = { of: () => undefined, stale: 0, maybeStale: 0, longHeld: 0, deadlocked: 0 };

export interface MarkSource {
  /** @param now epoch ms of this machine */
  of(lock: LockNode, now: number): LockMarks;
}

/** Marks nothing until the real source, which is loaded together with the inspector, is set. */
export class DeferredMarks implements MarkSource {
  private source: MarkSource | undefined;

  of(lock: LockNode, now: number): LockMarks {
    return this.source?.of(lock, now) ?? noMarks;
  }

  /** Sets the source, once. */
  follow(source: MarkSource): void {
    this.source ??= source;
  }
}

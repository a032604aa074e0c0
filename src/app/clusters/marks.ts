import type { Contender } from '../../locks/lockQueue.ts';
import type { StaleSign } from '../../inspector/findStale.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import type { ClusterNode, LockNode } from './clusterModel.ts';
import type { SeenCycle } from './cycleAges.ts';

/** `possible`: sessions wait for each other, which their threads may end. `lasting`: for longer than the limit in the settings. */
export type DeadlockMark = 'possible' | 'lasting';

/** The marks of one contender, from the queues that are loaded: no request is sent for them. */
export interface ContenderMarks {
  /** Why it may be stale, the surest reason first. */
  stale: readonly StaleSign[];
  longHeld: boolean;
  deadlock?: DeadlockMark;
}

/** A mark as one claim. */
export type MarkName = 'deadlocked' | 'maybeDeadlocked' | 'stale' | 'looksStale' | 'maybeStale' | 'longHeld';

export const deadlockNames = { lasting: 'deadlocked', possible: 'maybeDeadlocked' } as const;
const staleNames = { certain: 'stale', likely: 'looksStale', possible: 'maybeStale' } as const;

/** What the marks of a contender claim, the most urgent first. */
export function markNames(marks: ContenderMarks | undefined): MarkName[] {
  if (marks === undefined) return [];
  const { deadlock, stale, longHeld } = marks;
  const [surest] = stale;
  return [
    ...(deadlock === undefined ? [] : [deadlockNames[deadlock]]),
    ...(surest === undefined ? [] : [staleNames[surest.confidence]]),
    ...(longHeld ? (['longHeld'] as const) : []),
  ];
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
  /** Contenders whose deadlock has lasted. */
  deadlocked: number;
  /** Contenders whose deadlock is only possible. */
  maybeDeadlocked: number;
  /** The cycles that this lock is part of, those that have lasted first. */
  cycles: readonly SeenCycle[];
}

/** The surest of a lock's deadlocks. */
export function deadlockOf({ deadlocked, maybeDeadlocked }: LockMarks): DeadlockMark | undefined {
  if (deadlocked > 0) return 'lasting';
  return maybeDeadlocked > 0 ? 'possible' : undefined;
}

/** The trouble that a row's colour stands for; its words say the same. */
export type MarkSeverity = 'stale' | 'deadlocked';

/** Of a lock, or of several. @returns `undefined` without trouble */
export function lockSeverity({ deadlocked, stale }: Pick<LockMarks, 'deadlocked' | 'stale'>): MarkSeverity | undefined {
  if (deadlocked > 0) return 'deadlocked';
  return stale > 0 ? 'stale' : undefined;
}

/** @returns `undefined` for a contender without trouble */
export function contenderSeverity(marks: ContenderMarks | undefined): MarkSeverity | undefined {
  if (marks?.deadlock === 'lasting') return 'deadlocked';
  const [surest] = marks?.stale ?? [];
  // What is only possible is no claim.
  return surest === undefined || surest.confidence === 'possible' ? undefined : 'stale';
}

export const noMarks: LockMarks = {
  of: () => undefined,
  stale: 0,
  maybeStale: 0,
  longHeld: 0,
  deadlocked: 0,
  maybeDeadlocked: 0,
  cycles: [],
};

export interface MarkSource {
  /** @param now epoch ms of this machine */
  of(lock: LockNode, now: number): LockMarks;
}

export interface CycleSource {
  /** How long a cycle that was found among the loaded locks has lasted; one that was never seen before begins now. */
  cycleOf(cluster: ClusterNode, edges: readonly WaitEdge[]): SeenCycle;
}

/** Marks nothing until the real source, which is loaded together with the inspector, is set. */
export class DeferredMarks implements MarkSource, CycleSource {
  private source: (MarkSource & CycleSource) | undefined;

  of(lock: LockNode, now: number): LockMarks {
    return this.source?.of(lock, now) ?? noMarks;
  }

  cycleOf(cluster: ClusterNode, edges: readonly WaitEdge[]): SeenCycle {
    return this.source?.cycleOf(cluster, edges) ?? { edges, key: '', ageMs: 0, isLasting: false };
  }

  /** Sets the source, once. */
  follow(source: MarkSource & CycleSource): void {
    this.source ??= source;
  }
}

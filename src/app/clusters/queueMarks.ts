import type { MonotonicClock } from '../../base/deadline.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { findDeadlocks, type Deadlock } from '../../inspector/findDeadlocks.ts';
import { isLongHeld, noSigns, staleSigns } from '../../inspector/findStale.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import { serverTime, type ClusterNode, type LockNode } from './clusterModel.ts';
import { isSure } from './recordedTime.ts';
import { CycleAges, type SeenCycle } from './cycleAges.ts';
import {
  noMarks,
  type ContenderMarks,
  type CycleSource,
  type DeadlockMark,
  type LockMarks,
  type MarkSource,
} from './marks.ts';

/** Above this many contenders deadlocks are searched by *Explain Deadlocks* only: drawing must stay fast. */
const maxContenders = 10_000;

/** From when on something is marked, ms. */
export interface MarkLimits {
  longHeldMs: number;
  deadlockMs: number;
}

/** The deadlocks of a cluster, and the queues that they were found in. */
interface Scan {
  queues: readonly LockQueue[];
  deadlocks: readonly Deadlock[];
}

/** The deadlocks as they stand now. */
interface Standing {
  cycles: readonly SeenCycle[];
  /** By the path of the contender. */
  marks: ReadonlyMap<string, DeadlockMark>;
  /** Equal for equal marks and cycles. */
  text: string;
}

/** Computes marks from the loaded queues. Those of a queue are kept until the queue or their `basis` changes. */
export class QueueMarks implements MarkSource, CycleSource {
  private readonly limits: () => MarkLimits;
  private readonly ages: CycleAges;
  private readonly judged = new WeakMap<LockQueue, { marks: LockMarks; basis: string }>();
  private readonly scans = new WeakMap<ClusterNode, Scan>();

  constructor(limits: () => MarkLimits, now: MonotonicClock) {
    this.limits = limits;
    this.ages = new CycleAges(() => limits().deadlockMs, now);
  }

  of(lock: LockNode, epochMs: number): LockMarks {
    const now = serverTime(lock, epochMs);
    const { queue, cluster, isBehind } = lock;
    if (queue === undefined || queue.contenders.length === 0 || isBehind === true) return noMarks;
    // Time goes on where nothing is known of the nodes: no age proves anything there.
    if (cluster.time !== undefined && !isSure(cluster.time.recording, cluster.time.moment)) return noMarks;
    const standing = this.standingOf(cluster);
    const { longHeldMs } = this.limits();
    // Marks by time are about hours: once a minute is enough.
    const basis = [Math.floor(now / 60_000), longHeldMs, standing.text].join('\n');
    const known = this.judged.get(queue);
    if (known?.basis === basis) return known.marks;
    const marks = judge(queue, standing, longHeldMs, now);
    this.judged.set(queue, { marks, basis });
    return marks;
  }

  cycleOf(cluster: ClusterNode, edges: readonly WaitEdge[]): SeenCycle {
    this.standingOf(cluster);
    return this.ages.ageOf(cluster, edges);
  }

  private standingOf(cluster: ClusterNode): Standing {
    const { deadlocks } = this.deadlocksOf(cluster);
    if (deadlocks.length === 0) return noDeadlocks;
    const cycles = this.ages.of(cluster).sort((one, other) => Number(other.isLasting) - Number(one.isLasting));
    const marks = new Map<string, DeadlockMark>();
    for (const { path } of deadlocks.flatMap(({ places }) => [...places])) marks.set(path, 'possible');
    for (const { waiter, blocker } of cycles.filter(({ isLasting }) => isLasting).flatMap(({ edges }) => edges)) {
      marks.set(waiter.path, 'lasting').set(blocker.path, 'lasting');
    }
    return { cycles, marks, text: cycles.map(({ key, isLasting }) => `${key}\n${String(isLasting)}`).join('\n') };
  }

  /** Over all locks of the cluster that are loaded. */
  private deadlocksOf(cluster: ClusterNode): Scan {
    const queues = loadedQueues(cluster);
    const known = this.scans.get(cluster);
    const isSame = known?.queues.length === queues.length && queues.every((queue, at) => queue === known.queues[at]);
    if (isSame) return known;
    const isSearched = queues.reduce((sum, { contenders }) => sum + contenders.length, 0) <= maxContenders;
    const deadlocks = isSearched && canHoldDeadlock(queues) ? findDeadlocks(queues).deadlocks : [];
    if (isSearched) this.ages.note(cluster, deadlocks);
    const scan = { queues, deadlocks };
    this.scans.set(cluster, scan);
    return scan;
  }
}

const noDeadlocks: Standing = { cycles: [], marks: new Map(), text: '' };

/** The queues of a cluster that are known; of a recording, those that are of its moment. */
export function loadedQueues(cluster: ClusterNode): LockQueue[] {
  return [...cluster.locks.values()].flatMap(({ queue, isBehind }) =>
    queue === undefined || isBehind === true ? [] : [queue],
  );
}

/** A deadlock needs two sessions that hold one lock and wait for another. */
function canHoldDeadlock(queues: readonly LockQueue[]): boolean {
  const held = heldBySession(queues);
  const blocked = new Set<bigint>();
  for (const queue of queues) {
    for (const { ownerSession, role } of queue.contenders) {
      if (role === 'waiter' && held.has(ownerSession) && held.get(ownerSession) !== queue) blocked.add(ownerSession);
    }
  }
  return blocked.size >= 2;
}

/** The lock that each session holds; `undefined`: several. */
function heldBySession(queues: readonly LockQueue[]): Map<bigint, LockQueue | undefined> {
  const held = new Map<bigint, LockQueue | undefined>();
  for (const queue of queues) {
    for (const { ownerSession, role } of queue.contenders) {
      if (role !== 'holder' || ownerSession === 0n) continue;
      const isOnlyOne = !held.has(ownerSession) || held.get(ownerSession) === queue;
      held.set(ownerSession, isOnlyOne ? queue : undefined);
    }
  }
  return held;
}

function judge(queue: LockQueue, { cycles, marks: deadlocks }: Standing, longHeldMs: number, now: number): LockMarks {
  const signsOf = staleSigns(queue, { queuesReadAt: now, now });
  const deadlockOf = ({ path }: Contender): DeadlockMark | undefined =>
    deadlocks.size === 0 ? undefined : deadlocks.get(path);
  const counts = { stale: 0, maybeStale: 0, longHeld: 0, deadlocked: 0, maybeDeadlocked: 0 };
  const areAllJudged = signsOf !== noSigns || deadlocks.size > 0;
  // A callback: a loop over 100,000 in a function that is called once runs in slow code, and leaves an object for each behind.
  queue.contenders.forEach(contender => {
    if (!areAllJudged && contender.role === 'waiter') return;
    const [surest] = signsOf(contender);
    if (surest !== undefined) counts[surest.confidence === 'possible' ? 'maybeStale' : 'stale']++;
    if (isLongHeld(contender, now, longHeldMs)) counts.longHeld++;
    const deadlock = deadlockOf(contender);
    if (deadlock !== undefined) counts[deadlock === 'lasting' ? 'deadlocked' : 'maybeDeadlocked']++;
  });
  const marksOf = (contender: Contender): ContenderMarks | undefined => {
    const deadlock = deadlockOf(contender);
    const marks = {
      stale: signsOf(contender),
      longHeld: isLongHeld(contender, now, longHeldMs),
      ...(deadlock === undefined ? {} : { deadlock }),
    };
    return marks.stale.length > 0 || marks.longHeld || deadlock !== undefined ? marks : undefined;
  };
  const isHere = ({ lock }: WaitEdge): boolean => lock.path === queue.path && lock.lockName === queue.lockName;
  return { of: marksOf, ...counts, cycles: cycles.filter(({ edges }) => edges.some(isHere)) };
}

import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { findDeadlocks } from '../../inspector/findDeadlocks.ts';
import { isLongHeld } from '../../inspector/findStale.ts';
import { staleSigns } from '../../inspector/staleSigns.ts';
import { waiterId } from '../../inspector/waitForGraph.ts';
import type { ClusterNode, LockNode } from './clusterModel.ts';
import { noMarks, type ContenderMarks, type LockMarks, type MarkSource } from './marks.ts';

/** Above this many contenders deadlocks are looked for only when the person asks: drawing must stay quick. */
const maxContenders = 10_000;

interface Drawn {
  marks: LockMarks;
  deadlocked: ReadonlySet<string>;
  longHeldMs: number;
  /** Of the monotonic part of time only the minute counts: `long-held` is about hours. */
  minute: number;
}

interface Scan {
  queues: readonly LockQueue[];
  ids: ReadonlySet<string>;
}

/** Finds what to mark in the tree. Pure over the queues; a queue that has not changed is not judged again. */
export class QueueMarks implements MarkSource {
  private readonly longHeldMs: () => number;
  private readonly drawn = new WeakMap<LockQueue, Drawn>();
  private readonly scans = new WeakMap<ClusterNode, Scan>();

  constructor(longHeldMs: () => number) {
    this.longHeldMs = longHeldMs;
  }

  of(lock: LockNode, now: number): LockMarks {
    const { queue, cluster } = lock;
    if (queue === undefined || queue.contenders.length === 0) return noMarks;
    const deadlocked = this.deadlockedOn(cluster);
    const longHeldMs = this.longHeldMs();
    const minute = Math.floor(now / 60_000);
    const known = this.drawn.get(queue);
    if (known?.deadlocked === deadlocked && known.longHeldMs === longHeldMs && known.minute === minute) {
      return known.marks;
    }
    const marks = judge(queue, deadlocked, longHeldMs, now);
    this.drawn.set(queue, { marks, deadlocked, longHeldMs, minute });
    return marks;
  }

  /** Sessions of the cluster that wait for each other for ever, over all locks that are loaded. */
  private deadlockedOn(cluster: ClusterNode): ReadonlySet<string> {
    const queues = loadedQueues(cluster);
    const known = this.scans.get(cluster);
    if (known !== undefined && isSame(known.queues, queues)) return known.ids;
    const ids = new Set(canBeSearched(queues) ? findDeadlocks(queues).deadlocks.flatMap(({ members }) => members) : []);
    // The same set for the same answer: locks need not be judged anew.
    const kept = known !== undefined && isSameSet(known.ids, ids) ? known.ids : ids;
    this.scans.set(cluster, { queues, ids: kept });
    return kept;
  }
}

/** The queues of a cluster that have been read. */
export function loadedQueues(cluster: ClusterNode): LockQueue[] {
  return [...cluster.locks.values()].flatMap(({ queue }) => (queue === undefined ? [] : [queue]));
}

/** A deadlock takes two sessions at least that wait in one place while they stand in another, of this lock or some other. */
function canBeSearched(queues: readonly LockQueue[]): boolean {
  if (queues.reduce((sum, { contenders }) => sum + contenders.length, 0) > maxContenders) return false;
  const places = new Map<bigint, Contender>();
  const several = new Map<bigint, boolean>();
  for (const { contenders } of queues) {
    for (const contender of contenders) {
      const { ownerSession, role } = contender;
      if (ownerSession === 0n) continue;
      const first = places.get(ownerSession);
      if (first === undefined) places.set(ownerSession, contender);
      else if (several.get(ownerSession) !== true) {
        several.set(ownerSession, first.role === 'waiter' || role === 'waiter');
      }
    }
  }
  let blocked = 0;
  for (const waits of several.values()) if (waits) blocked++;
  return blocked >= 2;
}

function isSame(left: readonly LockQueue[], right: readonly LockQueue[]): boolean {
  return left.length === right.length && left.every((queue, index) => queue === right[index]);
}

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every(id => right.has(id));
}

function judge(queue: LockQueue, deadlocked: ReadonlySet<string>, longHeldMs: number, now: number): LockMarks {
  const signsOf = staleSigns(queue, { queuesReadAt: now, now });
  const isDeadlocked = (contender: Contender): boolean => deadlocked.size > 0 && deadlocked.has(waiterId(contender));
  const counts = { stale: 0, maybeStale: 0, longHeld: 0, deadlocked: 0 };
  let doesWait = false;
  for (const contender of queue.contenders) {
    const [surest] = signsOf(contender);
    if (surest !== undefined) counts[surest.confidence === 'possible' ? 'maybeStale' : 'stale']++;
    if (isLongHeld(contender, now, longHeldMs)) counts.longHeld++;
    if (!isDeadlocked(contender)) continue;
    counts.deadlocked++;
    doesWait ||= contender.role === 'waiter';
  }
  const marksOf = (contender: Contender): ContenderMarks | undefined => {
    const marks = {
      stale: signsOf(contender),
      longHeld: isLongHeld(contender, now, longHeldMs),
      deadlocked: isDeadlocked(contender),
    };
    return marks.stale.length > 0 || marks.longHeld || marks.deadlocked ? marks : undefined;
  };
  // Sessions of a deadlock may hold other locks that nobody of them waits for: those are not part of it.
  return { of: marksOf, ...counts, deadlocked: doesWait ? counts.deadlocked : 0 };
}

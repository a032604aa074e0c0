import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { findDeadlocks } from '../../inspector/findDeadlocks.ts';
import { isLongHeld } from '../../inspector/findStale.ts';
import { staleSigns } from '../../inspector/staleSigns.ts';
import { waiterId } from '../../inspector/waitForGraph.ts';
import type { ClusterNode, LockNode } from './clusterModel.ts';
import { noMarks, type ContenderMarks, type LockMarks, type MarkSource } from './marks.ts';

/** Above this many contenders deadlocks are searched by *Explain Deadlocks* only: drawing must stay fast. */
const maxContenders = 10_000;

/** Marks of a queue, and the inputs that they were computed from. */
interface Judged {
  marks: LockMarks;
  deadlocked: ReadonlySet<string>;
  longHeldMs: number;
  /** Marks are about hours: they are computed again once a minute. */
  minute: number;
}

/** The deadlocked sessions of a cluster, and the queues that they were found in. */
interface Scan {
  queues: readonly LockQueue[];
  ids: ReadonlySet<string>;
}

/** Computes marks from the loaded queues. Those of a queue that has not changed are kept. */
export class QueueMarks implements MarkSource {
  private readonly longHeldMs: () => number;
  private readonly judged = new WeakMap<LockQueue, Judged>();
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
    const known = this.judged.get(queue);
    if (known?.deadlocked === deadlocked && known.longHeldMs === longHeldMs && known.minute === minute) {
      return known.marks;
    }
    const marks = judge(queue, deadlocked, longHeldMs, now);
    this.judged.set(queue, { marks, deadlocked, longHeldMs, minute });
    return marks;
  }

  /** The deadlocked waiters of a cluster, over all locks that are loaded. */
  private deadlockedOn(cluster: ClusterNode): ReadonlySet<string> {
    const queues = loadedQueues(cluster);
    const known = this.scans.get(cluster);
    if (known !== undefined && isSame(known.queues, queues)) return known.ids;
    const ids = new Set(
      canHoldDeadlock(queues) ? findDeadlocks(queues).deadlocks.flatMap(({ members }) => members) : [],
    );
    // An equal result keeps the same set, so that the marks of its locks stay valid.
    const kept = known !== undefined && isSameSet(known.ids, ids) ? known.ids : ids;
    this.scans.set(cluster, { queues, ids: kept });
    return kept;
  }
}

/** The queues of a cluster that have been read. */
export function loadedQueues(cluster: ClusterNode): LockQueue[] {
  return [...cluster.locks.values()].flatMap(({ queue }) => (queue === undefined ? [] : [queue]));
}

/** A deadlock needs two sessions that wait in one place while they have another place, in the same lock or another. */
function canHoldDeadlock(queues: readonly LockQueue[]): boolean {
  if (queues.reduce((sum, { contenders }) => sum + contenders.length, 0) > maxContenders) return false;
  const places = new Map<bigint, Contender>();
  const blocked = new Set<bigint>();
  for (const contender of queues.flatMap(({ contenders }) => contenders)) {
    const { ownerSession, role } = contender;
    if (ownerSession === 0n) continue;
    const first = places.get(ownerSession);
    if (first === undefined) places.set(ownerSession, contender);
    else if (first.role === 'waiter' || role === 'waiter') blocked.add(ownerSession);
  }
  return blocked.size >= 2;
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
  // A deadlocked session may hold other locks for which no member waits: those are not part of the deadlock.
  return { of: marksOf, ...counts, deadlocked: doesWait ? counts.deadlocked : 0 };
}

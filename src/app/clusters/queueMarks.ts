import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import { findDeadlocks } from '../../inspector/findDeadlocks.ts';
import { isLongHeld } from '../../inspector/findStale.ts';
import { staleSigns } from '../../inspector/findStale.ts';
import { waiterId } from '../../inspector/waitForGraph.ts';
import { serverTime, type ClusterNode, type LockNode } from './clusterModel.ts';
import { noMarks, type ContenderMarks, type LockMarks, type MarkSource } from './marks.ts';

/** Above this many contenders deadlocks are searched by *Explain Deadlocks* only: drawing must stay fast. */
const maxContenders = 10_000;

/** The deadlocked waiters of a cluster, and the queues that they were found in. `text` is equal for equal waiters. */
interface Scan {
  queues: readonly LockQueue[];
  ids: ReadonlySet<string>;
  text: string;
}

/** Computes marks from the loaded queues. Those of a queue are kept until the queue or their `basis` changes. */
export class QueueMarks implements MarkSource {
  private readonly longHeldMs: () => number;
  private readonly judged = new WeakMap<LockQueue, { marks: LockMarks; basis: string }>();
  private readonly scans = new WeakMap<ClusterNode, Scan>();

  constructor(longHeldMs: () => number) {
    this.longHeldMs = longHeldMs;
  }

  of(lock: LockNode, epochMs: number): LockMarks {
    const now = serverTime(lock, epochMs);
    const { queue, cluster } = lock;
    if (queue === undefined || queue.contenders.length === 0) return noMarks;
    const { ids, text } = this.deadlockedOn(cluster);
    const longHeldMs = this.longHeldMs();
    // Marks by time are about hours: once a minute is enough.
    const basis = [Math.floor(now / 60_000), longHeldMs, text].join('\n');
    const known = this.judged.get(queue);
    if (known?.basis === basis) return known.marks;
    const marks = judge(queue, ids, longHeldMs, now);
    this.judged.set(queue, { marks, basis });
    return marks;
  }

  /** Over all locks of the cluster that are loaded. */
  private deadlockedOn(cluster: ClusterNode): Scan {
    const queues = loadedQueues(cluster);
    const known = this.scans.get(cluster);
    const isSame = known?.queues.length === queues.length && queues.every((queue, at) => queue === known.queues[at]);
    if (isSame) return known;
    const ids = canHoldDeadlock(queues) ? findDeadlocks(queues).deadlocks.flatMap(({ members }) => members) : [];
    const scan = { queues, ids: new Set(ids), text: ids.sort().join('\n') };
    this.scans.set(cluster, scan);
    return scan;
  }
}

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

import type { LockQueue } from '../../locks/lockQueue.ts';
import { findDeadlocks } from '../../inspector/findDeadlocks.ts';
import { findLongHeld, findStale, type Confidence, type StaleReason } from '../../inspector/findStale.ts';
import { waiterId } from '../../inspector/waitForGraph.ts';
import type { ClusterNode, LockNode } from '../tree/nodes.ts';

/** What is wrong with one contender, as far as the queues on screen tell; nobody is asked for it. */
export interface ContenderMarks {
  /** Why it may be stale, the surest reason first. */
  stale: readonly { reason: StaleReason; confidence: Confidence }[];
  longHeld: boolean;
  deadlocked: boolean;
}

/** What is wrong in one lock. */
export interface LockMarks {
  byPath: ReadonlyMap<string, ContenderMarks>;
  /** Contenders that look stale, `possible` ones left out: normal programs look like those. */
  stale: number;
  /** Contenders of which only `possible` reasons are known. */
  maybeStale: number;
  longHeld: number;
  deadlocked: number;
}

export const noMarks: LockMarks = { byPath: new Map(), stale: 0, maybeStale: 0, longHeld: 0, deadlocked: 0 };

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
export class QueueMarks {
  private readonly longHeldMs: () => number;
  private readonly drawn = new WeakMap<LockQueue, Drawn>();
  private readonly scans = new WeakMap<ClusterNode, Scan>();

  constructor(longHeldMs: () => number) {
    this.longHeldMs = longHeldMs;
  }

  /** @param now epoch ms */
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
  const seen = new Map<bigint, { places: number; waits: boolean }>();
  for (const { ownerSession, role } of queues.flatMap(({ contenders }) => contenders)) {
    if (ownerSession === 0n) continue;
    const known = seen.get(ownerSession) ?? { places: 0, waits: false };
    known.places++;
    known.waits ||= role === 'waiter';
    seen.set(ownerSession, known);
  }
  return [...seen.values()].filter(({ places, waits }) => places > 1 && waits).length >= 2;
}

function isSame(left: readonly LockQueue[], right: readonly LockQueue[]): boolean {
  return left.length === right.length && left.every((queue, index) => queue === right[index]);
}

function isSameSet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every(id => right.has(id));
}

function judge(queue: LockQueue, deadlocked: ReadonlySet<string>, longHeldMs: number, now: number): LockMarks {
  const byPath = new Map<string, ContenderMarks>();
  const markOf = (path: string): ContenderMarks =>
    byPath.get(path) ?? { stale: [], longHeld: false, deadlocked: false };
  const findings = findStale([queue], { queuesReadAt: now, now });
  for (const { contender, reasons } of findings) {
    byPath.set(contender.path, { stale: reasons, longHeld: false, deadlocked: false });
  }
  const longHeld = findLongHeld([queue], now, longHeldMs);
  for (const { contender } of longHeld) byPath.set(contender.path, { ...markOf(contender.path), longHeld: true });
  const blocked =
    deadlocked.size === 0 ? [] : queue.contenders.filter(contender => deadlocked.has(waiterId(contender)));
  for (const { path } of blocked) byPath.set(path, { ...markOf(path), deadlocked: true });
  const sure = findings.filter(({ confidence }) => confidence !== 'possible').length;
  return {
    byPath,
    stale: sure,
    maybeStale: findings.length - sure,
    longHeld: longHeld.length,
    deadlocked: blocked.some(({ role }) => role === 'waiter') ? blocked.length : 0,
  };
}

import type { MonotonicClock } from '../../base/deadline.ts';
import { mayBeElection, type Deadlock } from '../../inspector/findDeadlocks.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import { lockKey, type ClusterNode, type LockNode } from './clusterModel.ts';
import type { RecordedTime } from './recordedTime.ts';

/** A cycle of waits, and for how long the same nodes have been seen to wait for each other. */
export interface SeenCycle {
  edges: readonly WaitEdge[];
  /** Equal for cycles over the same nodes. */
  key: string;
  /** Ms; what was not looked at does not count. */
  ageMs: number;
  /** As long as the limit or longer, and no lock on it may be an election. */
  isLasting: boolean;
}

interface KnownCycle {
  edges: readonly WaitEdge[];
  /** Monotonic ms. */
  since: number;
}

/**
 * How long each cycle of a cluster has lasted. A waiter keeps its node until it gets the lock, so a cycle whose nodes are seen at
 * two moments was there all the time between; one that ends and forms again has other nodes and is another cycle.
 */
export class CycleAges {
  private readonly limitMs: () => number;
  private readonly now: MonotonicClock;
  private readonly known = new WeakMap<ClusterNode, Map<string, KnownCycle>>();
  /** When a queue was known to be current last. */
  private readonly confirmed = new WeakMap<LockQueue, number>();

  /** @param limitMs from when on a cycle counts as lasting */
  constructor(limitMs: () => number, now: MonotonicClock) {
    this.limitMs = limitMs;
    this.now = now;
  }

  /** Takes the deadlocks that are there now: new cycles begin to age, those that ended are forgotten. */
  note(cluster: ClusterNode, deadlocks: readonly Deadlock[]): void {
    const places = new Set(deadlocks.flatMap(deadlock => [...deadlock.places]).map(nodeKey));
    const before = [...(this.known.get(cluster) ?? [])];
    const known = new Map(before.filter(([, { edges }]) => nodesOf(edges).every(node => places.has(node))));
    const since = this.now();
    for (const edges of deadlocks.flatMap(({ cycles }) => cycles)) {
      const key = keyOf(edges);
      // In a recording the same nodes may hold since another time at another moment.
      if (cluster.time !== undefined || !known.has(key)) known.set(key, { edges, since });
    }
    this.known.set(cluster, known);
  }

  /** The cycles of the last `note`. */
  of(cluster: ClusterNode): SeenCycle[] {
    return [...(this.known.get(cluster) ?? [])].map(([key, cycle]) => this.seen(key, cycle, cluster));
  }

  /** One cycle; one that is not known yet begins to age. */
  ageOf(cluster: ClusterNode, edges: readonly WaitEdge[]): SeenCycle {
    const known = this.known.get(cluster) ?? new Map<string, KnownCycle>();
    this.known.set(cluster, known);
    const key = keyOf(edges);
    const before = cluster.time === undefined ? known.get(key) : undefined;
    const cycle = before ?? { edges, since: this.now() };
    known.set(key, cycle);
    return this.seen(key, cycle, cluster);
  }

  private seen(key: string, { edges, since }: KnownCycle, cluster: ClusterNode): SeenCycle {
    const ageMs = Math.max(
      0,
      cluster.time === undefined ? this.seenMs(edges, since, cluster) : provenMs(edges, cluster.time),
    );
    return { edges, key, ageMs, isLasting: ageMs >= this.limitMs() && !mayBeElection(edges) };
  }

  /** For how long it was seen, ms. */
  private seenMs(edges: readonly WaitEdge[], since: number, cluster: ClusterNode): number {
    return Math.min(...edges.map(({ lock }) => this.confirmedAt(rowOf(cluster, lock)) ?? since)) - since;
  }

  /** Monotonic ms; `undefined`: it is not loaded. */
  private confirmedAt(lock: LockNode | undefined): number | undefined {
    if (lock?.queue === undefined) return undefined;
    const before = this.confirmed.get(lock.queue);
    if (before !== undefined && !lock.live) return before;
    const now = this.now();
    this.confirmed.set(lock.queue, now);
    return now;
  }
}

/** In a recording the times of the nodes prove it: all wait since the last of them came, or got what it holds. */
function provenMs(edges: readonly WaitEdge[], { moment }: RecordedTime): number {
  const begun = edges
    .flatMap(({ waiter, blocker }) => [waiter, blocker])
    .map(({ role, createdAt, heldSince }) => (role === 'waiter' ? createdAt : (heldSince?.latest ?? Infinity)));
  return moment.time - Math.max(...begun);
}

/** The row of a lock. A lock of several directories may have rows at other paths than its own. */
function rowOf({ locks }: ClusterNode, { path, lockName }: WaitEdge['lock']): LockNode | undefined {
  const shows = ({ queue }: LockNode): boolean => queue?.path === path && queue.lockName === lockName;
  const own = locks.get(lockKey(path, lockName));
  return own !== undefined && shows(own) ? own : [...locks.values()].find(shows);
}

function keyOf(edges: readonly WaitEdge[]): string {
  return nodesOf(edges).sort().join('\0');
}

function nodesOf(edges: readonly WaitEdge[]): string[] {
  return [...new Set(edges.flatMap(({ waiter, blocker }) => [nodeKey(waiter), nodeKey(blocker)]))];
}

/** Two nodes with one path differ by their czxid; a waiter that got the lock ended the cycle. */
function nodeKey({ path, czxid, role }: WaitEdge['waiter']): string {
  return `${path} ${String(czxid)} ${role}`;
}

import { stronglyConnected } from '../base/stronglyConnected.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import {
  acrossLocks,
  buildWaitForGraph,
  reduce,
  stuckWaits,
  withinLocksToo,
  type StuckWait,
  type Tie,
  type WaitEdge,
  type WaiterId,
  type WaitForGraph,
  type WaitPlace,
} from './waitForGraph.ts';

/** Sessions that wait for each other in a circle. It is a deadlock if each of them holds and waits with the same thread. */
export interface Deadlock {
  /** All sessions and nodes that are part of it. */
  members: WaiterId[];
  /** The locks on its cycles. */
  locks: { path: string; lockName?: string }[];
  /** For each place that waits in it the shortest through it, none twice; each edge says who waits where, and for whom. */
  cycles: WaitEdge[][];
  /** The contenders that wait in it or are waited for. */
  places: ReadonlySet<Contender>;
}

/** The deadlocks of a wait-for graph. */
export interface DeadlockReport {
  /** Circles over several locks, in which every session queued for the next lock after it had joined the one that it blocks. */
  deadlocks: Deadlock[];
  /**
   * Circles within one lock: holders of leases that all want another one, readers that want to write. Programs with several
   * threads look the same and go on.
   */
  possible: Deadlock[];
  /** Also blocked: they wait for members of a deadlock without being part of one. */
  waitingBehind: WaiterId[];
}

/** The stuck waits by their start. */
type Adjacency = ReadonlyMap<WaitPlace, readonly StuckWait[]>;

/** Beyond this number further members of one deadlock get no cycle of their own. */
const maxCycles = 100;

/**
 * Finds deadlocks over all locks given. Only what is given is seen: load every lock first.
 *
 * A wait for a mutex, or behind readers, ends when *all* blockers are gone; a wait for a semaphore when *enough* of them are. In
 * such graphs a cycle is necessary but not sufficient, so the graph is reduced first (Holt 1972; the P-out-of-Q model of Bracha
 * and Toueg, "Distributed deadlock detection", 1987): who waits nowhere will finish and release, which ends other waits, until
 * nothing changes. Waits that are left have no end. In the remaining graph the strongly connected components are the deadlocks
 * (where one blocker of several is enough: the knots); the other waits are behind them.
 *
 * Threads cannot be seen. A wait is taken to keep back what its session held already when it began to wait (`acrossLocks`): a
 * thread that waits takes no lock, so what came later belongs to another thread. The rest is an assumption, so even a circle
 * that lasts is no proof. A session that waits for itself is not reported (`findStale` does that). A wait with a time limit ends
 * by itself.
 */
export function findDeadlocks(queues: readonly LockQueue[]): DeadlockReport {
  const graph = buildWaitForGraph(queues);
  const { deadlocks, waitingBehind } = circles(graph, acrossLocks);
  const known = new Set(deadlocks.flatMap(({ places }) => [...places]));
  const isKnown = ({ places }: Deadlock): boolean => [...places].some(place => known.has(place));
  const possible = circles(graph, withinLocksToo).deadlocks.filter(deadlock => !isKnown(deadlock));
  return { deadlocks, possible, waitingBehind };
}

function circles(graph: WaitForGraph, isTied: Tie): Pick<DeadlockReport, 'deadlocks' | 'waitingBehind'> {
  const waits = stuckWaits(graph, reduce(graph, isTied), isTied);
  const adjacency = Map.groupBy(waits, ({ wait }) => wait);
  const next = (place: WaitPlace): WaitPlace[] => (adjacency.get(place) ?? []).map(step => step.next);
  const found = stronglyConnected(adjacency.keys(), next).map(knot => knot.sort(bySession));
  const deadlocks = found.map(knot => describe(knot, adjacency));
  const members = new Set(deadlocks.flatMap(deadlock => deadlock.members));
  const behind = [...leadingTo(found.flat(), waits)].map(({ id }) => id).filter(id => !members.has(id));
  return { deadlocks, waitingBehind: [...new Set(behind)] };
}

function bySession(one: WaitPlace, other: WaitPlace): number {
  return one.id === other.id ? Number(one.contender.czxid - other.contender.czxid) : one.id < other.id ? -1 : 1;
}

/** The waits from which others can be reached, those included. */
function leadingTo(ends: readonly WaitPlace[], waits: readonly StuckWait[]): Set<WaitPlace> {
  const before = Map.groupBy(waits, ({ next }) => next);
  const found = new Set(ends);
  // A set that grows while it is walked hands out what was added.
  for (const place of found) for (const { wait } of before.get(place) ?? []) found.add(wait);
  return found;
}

function describe(knot: readonly WaitPlace[], adjacency: Adjacency): Deadlock {
  const within = new Set(knot);
  const cycles = new Map<string, WaitEdge[]>();
  const covered = new Set<WaitPlace>();
  for (const place of knot) {
    if (covered.has(place) || cycles.size >= maxCycles) continue;
    const steps = shortestCycle(adjacency, place, within) ?? [];
    for (const { wait } of steps) covered.add(wait);
    const cycle = steps.map(({ edge }) => edge);
    const key = cycle.map(edge => `${edge.waiter.path}\n${edge.blocker.path}`).sort();
    cycles.set(key.join('\n'), cycle);
  }
  const locks = new Map<string, WaitEdge['lock']>();
  for (const { lock } of [...cycles.values()].flat()) locks.set(`${lock.path}\n${lock.lockName ?? ''}`, lock);
  const byPath = [...locks.keys()].sort().flatMap(key => locks.get(key) ?? []);
  const steps = knot.flatMap(place => adjacency.get(place)?.filter(({ next }) => within.has(next)) ?? []);
  return {
    members: [...new Set(knot.map(({ id }) => id))].sort(),
    locks: byPath,
    cycles: [...cycles.values()],
    places: new Set(steps.flatMap(({ edge }) => [edge.waiter, edge.blocker])),
  };
}

/** Curator's LeaderSelector has the names of a mutex, and its candidates block no thread: only a path can show it. */
const electionPath = /leader|elect|master/iu;

/** Whether a lock may be an election by its path or name: its candidates go on while they wait. */
export function isElectionPath({ path, lockName = '' }: WaitEdge['lock']): boolean {
  return electionPath.test(path) || electionPath.test(lockName);
}

/** Whether one of the locks on a cycle may be an election. */
export function mayBeElection(cycle: readonly WaitEdge[]): boolean {
  return cycle.some(({ lock }) => isElectionPath(lock));
}

/**
 * A shortest cycle through a wait, by breadth-first search.
 *
 * @param within waits that the cycle may touch
 * @returns its steps in order, starting at `start`; `undefined` if there is none
 */
function shortestCycle(graph: Adjacency, start: WaitPlace, within: ReadonlySet<WaitPlace>): StuckWait[] | undefined {
  const arrivedBy = new Map<WaitPlace, StuckWait>();
  const queue = [start];
  for (const place of queue) {
    for (const step of graph.get(place) ?? []) {
      if (!within.has(step.next) || arrivedBy.has(step.next)) continue;
      arrivedBy.set(step.next, step);
      if (step.next === start) return walkBack(arrivedBy, start);
      queue.push(step.next);
    }
  }
  return undefined;
}

function walkBack(arrivedBy: ReadonlyMap<WaitPlace, StuckWait>, start: WaitPlace): StuckWait[] {
  const cycle: StuckWait[] = [];
  let at = start;
  do {
    const step = arrivedBy.get(at);
    if (step === undefined) break;
    cycle.unshift(step);
    at = step.wait;
  } while (at !== start);
  return cycle;
}

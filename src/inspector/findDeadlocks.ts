import type { LockQueue } from '../locks/lockQueue.ts';
import {
  blockedEdges,
  buildWaitForGraph,
  endingWaits,
  type WaitEdge,
  type WaiterId,
  type WaitForGraph,
} from './waitForGraph.ts';

/** Sessions that wait for each other for ever, unless one of them gives up or dies. */
export interface Deadlock {
  /** All sessions and nodes that are part of it. */
  members: WaiterId[];
  /** The locks on its cycles. */
  locks: { path: string; lockName?: string }[];
  /** At least one for each member, the shortest through it, none twice; each edge says who waits where, and for whom. */
  cycles: WaitEdge[][];
}

/** The deadlocks of a wait-for graph. */
export interface DeadlockReport {
  deadlocks: Deadlock[];
  /** Also blocked for ever: they wait for members of a deadlock without being part of one. */
  waitingBehind: WaiterId[];
}

/** Edges by their start. */
type Adjacency = ReadonlyMap<WaiterId, readonly WaitEdge[]>;

/** Beyond this number further members of one deadlock get no cycle of their own. */
const maxCycles = 100;

/**
 * Finds deadlocks over all locks given. Only what is given is seen: load every lock first.
 *
 * A wait for a mutex, or behind readers, ends when *all* blockers are gone; a wait for a semaphore when *enough* of them are. In
 * such graphs a cycle is necessary but not sufficient, so the graph is reduced first (Holt 1972; the P-out-of-Q model of Bracha
 * and Toueg, "Distributed deadlock detection", 1987): a session without a wait will finish and release everything, which ends
 * other waits, until nothing changes. The sessions that are left are blocked for ever. In the remaining graph the strongly
 * connected components are the deadlocks (where one blocker of several is enough: the knots); the other sessions wait behind.
 *
 * Threads cannot be seen: a deadlock is one of programs, and each thread of a session waits for itself. A session is taken to
 * need everything that it waits for, except in a queue in which it has an earlier place: so neither a session that waits for
 * itself is reported (`findStale` does that) nor two sessions whose threads take turns in one queue. A wait with a time limit
 * ends by itself.
 */
export function findDeadlocks(queues: readonly LockQueue[]): DeadlockReport {
  const graph = buildWaitForGraph(queues);
  const { blocked, ended } = reduce(graph);
  const edges = graph.queues.flatMap((queue, at) =>
    blockedEdges(
      queue,
      id => blocked.has(id),
      place => ended[at]?.has(place) === true,
    ),
  );
  const adjacency = Map.groupBy(edges, ({ from }) => from);
  const deadlocks = knots(adjacency).map(members => describe(members.sort(), adjacency));
  const inDeadlock = new Set(deadlocks.flatMap(({ members }) => members));
  return { deadlocks, waitingBehind: [...blocked].filter(id => !inDeadlock.has(id)) };
}

/** Removes, round after round, all whose waits end. Each pass over a queue can free many waiters at once. */
function reduce(graph: WaitForGraph): { blocked: Set<WaiterId>; ended: Set<number>[] } {
  const left = new Map(graph.waits);
  const blocked = new Set([...left].filter(([, waits]) => waits > 0).map(([id]) => id));
  const ended = graph.queues.map(() => new Set<number>());
  for (let changed = true; changed;) {
    changed = false;
    for (const [index, queue] of graph.queues.entries()) {
      endingWaits(
        queue,
        id => !blocked.has(id),
        (id, at) => {
          if (ended[index]?.has(at) !== false) return;
          ended[index].add(at);
          changed = true;
          const waits = (left.get(id) ?? 0) - 1;
          left.set(id, waits);
          if (waits === 0) blocked.delete(id);
        },
      );
    }
  }
  return { blocked, ended };
}

function describe(members: readonly WaiterId[], adjacency: Adjacency): Deadlock {
  const within = new Set(members);
  const cycles = new Map<string, WaitEdge[]>();
  const covered = new Set<WaiterId>();
  for (const member of members) {
    if (covered.has(member) || cycles.size >= maxCycles) continue;
    const cycle = shortestCycle(adjacency, member, within) ?? [];
    for (const { from } of cycle) covered.add(from);
    const key = cycle.map(edge => `${edge.waiter.path}\n${edge.blocker.path}`).sort();
    cycles.set(key.join('\n'), cycle);
  }
  const locks = new Map<string, WaitEdge['lock']>();
  for (const { lock } of [...cycles.values()].flat()) locks.set(`${lock.path}\n${lock.lockName ?? ''}`, lock);
  const byPath = [...locks.keys()].sort().flatMap(key => locks.get(key) ?? []);
  return { members: [...members], locks: byPath, cycles: [...cycles.values()] };
}

interface Visit {
  id: WaiterId;
  index: number;
  low: number;
  next: number;
}

/**
 * Strongly connected components of two and more (Tarjan, "Depth-first search and linear graph algorithms", 1972), without
 * recursion: a queue of ten thousand waiters is a path of that length.
 */
function knots(graph: Adjacency): WaiterId[][] {
  const visits = new Map<WaiterId, Visit>();
  const stack: WaiterId[] = [];
  const onStack = new Set<WaiterId>();
  const found: WaiterId[][] = [];
  const enter = (id: WaiterId): Visit => {
    const visit = { id, index: visits.size, low: visits.size, next: 0 };
    visits.set(id, visit);
    stack.push(id);
    onStack.add(id);
    return visit;
  };
  const leave = (visit: Visit): void => {
    if (visit.low !== visit.index) return;
    const members = stack.splice(stack.lastIndexOf(visit.id));
    for (const member of members) onStack.delete(member);
    if (members.length > 1) found.push(members);
  };
  for (const start of graph.keys()) {
    if (visits.has(start)) continue;
    const path = [enter(start)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const edge = graph.get(visit.id)?.[visit.next++];
      if (edge === undefined) {
        path.pop();
        leave(visit);
        const above = path.at(-1);
        if (above !== undefined) above.low = Math.min(above.low, visit.low);
        continue;
      }
      const seen = visits.get(edge.to);
      if (seen === undefined) path.push(enter(edge.to));
      else if (onStack.has(edge.to)) visit.low = Math.min(visit.low, seen.index);
    }
  }
  return found;
}

/**
 * A shortest cycle through a node, by breadth-first search.
 *
 * @param within nodes that the cycle may touch
 * @returns its edges in order, starting at `start`; `undefined` if there is none
 */
function shortestCycle(graph: Adjacency, start: WaiterId, within: ReadonlySet<WaiterId>): WaitEdge[] | undefined {
  const arrivedBy = new Map<WaiterId, WaitEdge>();
  const queue = [start];
  for (const id of queue) {
    for (const edge of graph.get(id) ?? []) {
      if (!within.has(edge.to) || arrivedBy.has(edge.to)) continue;
      arrivedBy.set(edge.to, edge);
      if (edge.to === start) return walkBack(arrivedBy, start);
      queue.push(edge.to);
    }
  }
  return undefined;
}

function walkBack(arrivedBy: ReadonlyMap<WaiterId, WaitEdge>, start: WaiterId): WaitEdge[] {
  const cycle: WaitEdge[] = [];
  let at = start;
  do {
    const edge = arrivedBy.get(at);
    if (edge === undefined) break;
    cycle.unshift(edge);
    at = edge.from;
  } while (at !== start);
  return cycle;
}

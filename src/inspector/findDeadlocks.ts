import type { LockQueue } from '../locks/lockQueue.ts';
import { blockedEdges } from './blockedEdges.ts';
import { adjacencyOf, knots, shortestCycle, type Adjacency } from './cycles.ts';
import { buildWaitForGraph, endingWaits, type WaitEdge, type WaiterId, type WaitForGraph } from './waitForGraph.ts';

/** Sessions that wait for each other for ever, unless one of them gives up or dies. */
export interface Deadlock {
  /** Everybody who is part of it. */
  members: WaiterId[];
  /** The locks on its cycles. */
  locks: { path: string; lockName?: string }[];
  /** At least one for each member, the shortest through it, none twice; each edge says who waits where for whom. */
  cycles: WaitEdge[][];
}

/** What the wait-for graph tells. */
export interface DeadlockReport {
  deadlocks: Deadlock[];
  /** Blocked for ever as well, because they wait for a deadlock without being part of one. */
  waitingBehind: WaiterId[];
}

/** Beyond this number further members of one deadlock get no cycle of their own. */
const maxCycles = 100;

/**
 * Finds deadlocks over all locks given. Only what is given is seen: load every lock first.
 *
 * Waiting for a mutex or behind readers needs *all* blockers to go; for a semaphore *enough* of them. For such graphs a cycle is
 * necessary and not sufficient, so the graph is reduced first (Holt 1972; the P-out-of-Q model of Bracha and Toueg, "Distributed
 * deadlock detection", 1987): who waits for nobody will go on, finish and give everything back, which ends other waits, until
 * nothing changes. Whoever is left is blocked for ever. What is left of the graph has only edges among the blocked; its strongly
 * connected components are the deadlocks (in a graph where one blocker of several is enough: the knots), the rest waits behind.
 *
 * The truth is about programs, not sessions: of a session with several threads each waits for itself, which cannot be seen.
 * Sessions are taken to need everything that they wait for, but for what they wait for in a queue in which they stand already:
 * neither a session that waits for itself is reported (`findStale` does it) nor two whose threads take turns in one queue.
 * A wait with a time limit ends by itself.
 */
export function findDeadlocks(queues: readonly LockQueue[]): DeadlockReport {
  const graph = buildWaitForGraph(queues);
  const { blocked, ended } = reduce(graph);
  const edges = graph.queues.flatMap((queue, at) =>
    blockedEdges({ queue, isBlocked: id => blocked.has(id), ends: place => ended[at]?.has(place) === true }),
  );
  const adjacency = adjacencyOf(edges);
  const deadlocks = knots(adjacency).map(members => describe(members.sort(), adjacency));
  const inDeadlock = new Set(deadlocks.flatMap(({ members }) => members));
  return { deadlocks, waitingBehind: [...blocked].filter(id => !inDeadlock.has(id)) };
}

/** Takes out, round after round, everybody whose waits all end. Each pass over a queue frees whole rows of waiters at once. */
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

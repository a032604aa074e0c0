import type { WaitEdge, WaiterId } from './waitForGraph.ts';

/** Edges by the one who waits. */
export type Adjacency = ReadonlyMap<WaiterId, readonly WaitEdge[]>;

/** Groups edges by where they start. */
export function adjacencyOf(edges: readonly WaitEdge[]): Map<WaiterId, WaitEdge[]> {
  const from = new Map<WaiterId, WaitEdge[]>();
  for (const edge of edges) {
    const known = from.get(edge.from);
    if (known === undefined) from.set(edge.from, [edge]);
    else known.push(edge);
  }
  return from;
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
export function knots(graph: Adjacency): WaiterId[][] {
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
export function shortestCycle(
  graph: Adjacency,
  start: WaiterId,
  within: ReadonlySet<WaiterId>,
): WaitEdge[] | undefined {
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

interface Visit<T> {
  node: T;
  index: number;
  low: number;
  following: readonly T[];
  next: number;
}

/**
 * Strongly connected components of two and more nodes (Tarjan, "Depth-first search and linear graph algorithms", 1972), without
 * recursion: a queue of ten thousand waiters is a path of that length.
 *
 * @param starts nodes from which all others can be reached
 * @param following the nodes that the edges of a node lead to; asked once for each node
 */
export function stronglyConnected<T>(starts: Iterable<T>, following: (node: T) => readonly T[]): T[][] {
  const visits = new Map<T, Visit<T>>();
  const stack: T[] = [];
  const onStack = new Set<T>();
  const found: T[][] = [];
  const enter = (node: T): Visit<T> => {
    const visit = { node, index: visits.size, low: visits.size, following: following(node), next: 0 };
    visits.set(node, visit);
    stack.push(node);
    onStack.add(node);
    return visit;
  };
  const leave = (visit: Visit<T>): void => {
    if (visit.low !== visit.index) return;
    const members = stack.splice(stack.lastIndexOf(visit.node));
    for (const member of members) onStack.delete(member);
    if (members.length > 1) found.push(members);
  };
  for (const start of starts) {
    if (visits.has(start)) continue;
    const path = [enter(start)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const at = visit.next++;
      if (at >= visit.following.length) {
        path.pop();
        leave(visit);
        const above = path.at(-1);
        if (above !== undefined) above.low = Math.min(above.low, visit.low);
        continue;
      }
      const next = visit.following[at] as T;
      const seen = visits.get(next);
      if (seen === undefined) path.push(enter(next));
      else if (onStack.has(next)) visit.low = Math.min(visit.low, seen.index);
    }
  }
  return found;
}

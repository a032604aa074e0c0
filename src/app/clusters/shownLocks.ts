import type { ClusterNode, LockNode } from './clusterModel.ts';

export const locksPerPage = 100;
export const contendersPerPage = 200;

/** Whether the filter text occurs in the lock's path or name, in any case. */
export function matchesFilter(lock: LockNode, filter: string): boolean {
  if (filter === '') return true;
  const wanted = filter.toLowerCase();
  return lock.path.toLowerCase().includes(wanted) || (lock.lockName?.toLowerCase().includes(wanted) ?? false);
}

function byKey(left: LockNode, right: LockNode): number {
  if (left.key === right.key) return 0;
  return left.key < right.key ? -1 : 1;
}

/** The locks that pass the filter, by path. */
export function matchingLocks(cluster: ClusterNode, filter: string): LockNode[] {
  return [...cluster.locks.values()].filter(lock => matchesFilter(lock, filter)).sort(byKey);
}

/** The lock rows of the pages opened so far. */
export function shownLocks(cluster: ClusterNode, filter: string): LockNode[] {
  return matchingLocks(cluster, filter).slice(0, cluster.lockLimit);
}

export function waiterCount(lock: LockNode): number {
  return lock.queue?.contenders.filter(contender => contender.role === 'waiter').length ?? 0;
}

/** Those of the changed rows that must be told: they are on a page, and no changed parent brings them along. */
export function drawnRows(
  changes: ReadonlySet<ClusterNode | LockNode | undefined>,
  clusters: readonly ClusterNode[],
  filter: string,
): (ClusterNode | LockNode)[] {
  return clusters.flatMap((cluster): (ClusterNode | LockNode)[] => {
    if (changes.has(cluster)) return [cluster];
    return shownLocks(cluster, filter).filter(lock => changes.has(lock));
  });
}

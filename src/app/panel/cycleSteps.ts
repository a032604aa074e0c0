import { shownName } from '../../base/shownName.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { ClusterNode, LockNode } from '../clusters/clusterModel.ts';
import type { SeenCycle } from '../clusters/cycleAges.ts';

/** The edges of a cycle, from the one in this lock on. */
export function fromHere(edges: readonly WaitEdge[], queue: LockQueue): WaitEdge[] {
  const at = Math.max(
    0,
    edges.findIndex(edge => isIn(edge, queue)),
  );
  return [...edges.slice(at), ...edges.slice(0, at)];
}

/** Whether an edge is in this lock. */
export function isIn({ lock }: WaitEdge, { path, lockName }: Pick<LockQueue, 'path' | 'lockName'>): boolean {
  return lock.path === path && lock.lockName === lockName;
}

/** The lock of a step that the page shows; `undefined` if it is no longer part of a cycle. */
export function lockOfStep(
  cycles: readonly SeenCycle[],
  cluster: ClusterNode,
  { name, czxid }: { name: string; czxid: string },
): LockNode | undefined {
  const edge = cycles
    .flatMap(({ edges }) => edges)
    .find(({ blocker }) => String(blocker.czxid) === czxid && shownName(blocker.name) === name);
  return edge && [...cluster.locks.values()].find(lock => isIn(edge, lock.queue ?? { path: lock.path }));
}

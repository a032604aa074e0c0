import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ClusterRegistry } from '../clusters/clusterRegistry.ts';
import type { LockSessions } from './lockSessions.ts';
import type { TestLockRegistry } from './testLockRegistry.ts';

/** Ends test locks and lock sessions of clusters that were removed, moved to other servers, or were disconnected. */
export function followClusters(
  registry: Pick<ClusterRegistry, 'get' | 'onChange' | 'onNodeChange'>,
  sessions: Pick<LockSessions, 'outdated'>,
  testLocks: Pick<TestLockRegistry, 'onChange' | 'endCluster' | 'closeIdle'>,
): Disposable {
  /** The lock session of a disconnected cluster ends as soon as no test lock needs it. */
  const endUnneeded = (id: string): void => {
    if (registry.get(id)?.connection.state.kind === 'disconnected') void testLocks.closeIdle(id);
  };
  const owned = new DisposableStore();
  owned.add(
    registry.onChange(() => {
      for (const id of sessions.outdated) void testLocks.endCluster(id);
    }),
  );
  owned.add(
    registry.onNodeChange(node => {
      if (node.type === 'cluster') endUnneeded(node.id);
    }),
  );
  owned.add(testLocks.onChange(({ request }) => endUnneeded(request.cluster.id)));
  return owned;
}

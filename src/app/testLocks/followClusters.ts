import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ClusterRegistry } from '../clusters/clusterRegistry.ts';
import { connectionKey } from '../clusters/clusterSecurity.ts';
import type { LockSessions } from './lockSessions.ts';
import type { TestLockRegistry } from './testLockRegistry.ts';

/** Ends what belongs to clusters that were removed, now mean other servers, or were disconnected. */
export function followClusters(
  registry: Pick<ClusterRegistry, 'get' | 'onChange' | 'onNodeChange'>,
  sessions: Pick<LockSessions, 'clusterIds' | 'connectionKeyOf'>,
  testLocks: Pick<TestLockRegistry, 'onChange' | 'endCluster' | 'closeIdle'>,
): Disposable {
  /** Who disconnects a cluster expects no connection to stay, unless a test lock needs it; then as long as that lasts. */
  const closeIdle = (id: string): void => {
    if (registry.get(id)?.connection.state.kind === 'disconnected') void testLocks.closeIdle(id);
  };
  const owned = new DisposableStore();
  owned.add(
    registry.onChange(() => {
      for (const id of sessions.clusterIds) {
        const profile = registry.get(id)?.node.profile;
        if (profile === undefined || connectionKey(profile) !== sessions.connectionKeyOf(id))
          void testLocks.endCluster(id);
      }
    }),
  );
  owned.add(
    registry.onNodeChange(node => {
      if (node.type === 'cluster') closeIdle(node.id);
    }),
  );
  owned.add(testLocks.onChange(({ request }) => closeIdle(request.cluster.id)));
  return owned;
}

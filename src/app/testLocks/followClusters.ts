import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ClusterRegistry } from '../clusters/clusterRegistry.ts';
import type { LockSessions } from './lockSessions.ts';
import { needsSession, type TestLock } from './testLock.ts';
import type { TestLockRegistry } from './testLockRegistry.ts';

/**
 * Ends lock sessions of clusters that were removed, moved to other servers, or were disconnected. Test locks do not end by that: a
 * session stays until its last test lock is released. Where the list of clusters was changed without a question of this window, as
 * by hand, by an import or by another window, the person is asked whether they end now. The locks on a sandbox end with it.
 *
 * @param ask whether these test locks of one cluster end
 */
export function followClusters(
  registry: Pick<ClusterRegistry, 'get' | 'onChange' | 'onNodeChange'>,
  sessions: Pick<LockSessions, 'outdated'>,
  testLocks: Pick<TestLockRegistry, 'all' | 'onChange' | 'endCluster' | 'closeIdle'>,
  ask: (locks: readonly TestLock[]) => Promise<boolean>,
): Disposable {
  const asked = new Set<string>();
  const settle = async (id: string): Promise<void> => {
    const locks = testLocks.all.filter(lock => lock.request.cluster.id === id && needsSession(lock));
    if (locks.length === 0) return testLocks.endCluster(id);
    if (locks[0]?.request.cluster.profile.isSandbox === true) return;
    if (asked.has(id)) return;
    asked.add(id);
    const isEnd = await ask(locks);
    // The list may be as it was before by now.
    if (isEnd && sessions.outdated.includes(id)) await testLocks.endCluster(id);
  };
  const endUnneeded = (id: string): void => {
    const isUnneeded = registry.get(id)?.connection.state.kind === 'disconnected' || sessions.outdated.includes(id);
    if (isUnneeded) void testLocks.closeIdle(id);
  };
  const owned = new DisposableStore();
  owned.add(
    registry.onChange(() => {
      const { outdated } = sessions;
      for (const id of asked) if (!outdated.includes(id)) asked.delete(id);
      for (const id of outdated) void settle(id);
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

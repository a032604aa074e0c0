import { monotonicNow } from '../../base/deadline.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { NotConnectedError } from '../../zookeeper/errors.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import type { watchQueues } from '../../inspector/watchQueues.ts';
import type { acquireCommand } from './acquireCommand.ts';
import { registerAcquireCommands } from './acquireCommands.ts';
import { registerTestLockCommands, type TestLockCommandParts } from './testLockCommands.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { callLater } from '../../base/timer.ts';
import type { ClusterNode } from '../../app/clusters/clusterModel.ts';
import type { OwnLocks } from './diagnosisParts.ts';
import { followClusters } from '../../app/testLocks/followClusters.ts';
import { LockSessions } from '../../app/testLocks/lockSessions.ts';
import type { openLock } from '../../app/testLocks/openLock.ts';
import { mayHold, type TestLock } from '../../app/testLocks/testLock.ts';
import { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import { registerTestLocksStatusBar } from '../views/testLocksStatusBar.ts';
import { TestLocksView } from '../views/testLocksView.ts';
import { lossText } from '../words/lossText.ts';
import type { WatchQueue } from '../../app/testLocks/testLockAttempt.ts';

interface TestLocksParts extends Omit<TestLockCommandParts, 'testLocks' | 'testLocksView'> {
  logger: Logger;
  /** Opens a session with the log-in and TLS of the profile. */
  openSession(profile: ClusterProfile, signal: AbortSignal): Promise<ZooKeeperClient>;
  load: () => Promise<{
    acquireCommand: typeof acquireCommand;
    openLock: typeof openLock;
    watchQueues: typeof watchQueues;
  }>;
}

function createSessions(parts: TestLocksParts): LockSessions {
  return new LockSessions({
    open: (profile, signal) => parts.openSession(profile, signal),
    listed: id => parts.registry.get(id)?.node,
    schedule: callLater,
    now: monotonicNow,
    logger: parts.logger,
  });
}

function watchWith({ registry, load, logger }: TestLocksParts): (cluster: ClusterNode) => WatchQueue {
  return cluster => async (path, listener) => {
    const { watchQueues } = await load();
    const client = registry.get(cluster.id)?.connection.client;
    if (client === undefined) throw new NotConnectedError('watchQueues', path, 'there is no session');
    return watchQueues(client, path, listener, { logger });
  };
}

function tellLosses(reporter: ErrorReporter, locks: readonly TestLock[]): void {
  const clusters = new Set(locks.map(({ request }) => request.cluster));
  for (const cluster of clusters) reporter.warn(lossText(locks.filter(lock => lock.request.cluster === cluster)));
}

/**
 * The test locks of this window: their view, status bar entry and commands. Nothing is connected before the first lock is asked for.
 *
 * @returns `close` deletes own nodes and ends their sessions, within 5 s
 */
export function registerTestLocks(
  parts: TestLocksParts,
): Disposable & OwnLocks & { testLocks: TestLockRegistry; close(): Promise<void> } {
  const { reporter, logger } = parts;
  const sessions = createSessions(parts);
  const testLocks = new TestLockRegistry({
    sessions,
    openLock: async (client, request) => (await parts.load()).openLock(client, request),
    watch: watchWith(parts),
    onLost: locks => tellLosses(reporter, locks),
    now: monotonicNow,
    schedule: callLater,
    logger,
  });
  const owned = new DisposableStore();
  const testLocksView = owned.add(new TestLocksView(testLocks));
  owned.add(registerTestLocksStatusBar(testLocks));
  owned.add(followClusters(parts.registry, sessions, testLocks));
  const commandParts = { ...parts, testLocks, testLocksView };
  for (const command of [...registerAcquireCommands(commandParts), ...registerTestLockCommands(commandParts)]) {
    owned.add(command);
  }
  return {
    dispose: () => owned.dispose(),
    testLocks,
    close: () => testLocks.close(),
    clientOf: cluster => sessions.clientOf(cluster),
    releaserOf(clusterId, path) {
      const own = testLocks.all.find(({ request, state }) => {
        return request.cluster.id === clusterId && 'hold' in state && state.hold.paths.includes(path);
      });
      return own === undefined || !mayHold(own) ? undefined : () => testLocks.release(own);
    },
  };
}

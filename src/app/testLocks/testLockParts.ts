import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Lock } from '../../recipes/lock.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { ClusterNode } from '../clusters/clusterModel.ts';
import type { TestLock, TestLockRequest } from './testLock.ts';
import type { WatchQueue } from './waitWatch.ts';

/** What the registry of test locks works with; tests put their own in. */
export interface TestLockParts {
  clientOf(cluster: ClusterNode): Promise<ZooKeeperClient>;
  closeSession(clusterId: string): Promise<void>;
  closeAllSessions(): Promise<void>;
  openLock(client: ZooKeeperClient, request: TestLockRequest): Promise<Lock>;
  watch(cluster: ClusterNode): WatchQueue;
  /** Told once per lock. */
  onLost(locks: readonly TestLock[]): void;
  /** Monotonic ms. */
  now(): number;
  schedule(callback: () => void, ms: number): Disposable;
  logger: Logger;
}

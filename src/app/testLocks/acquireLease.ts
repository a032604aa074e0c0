import { DisposableStore } from '../../base/disposable.ts';
import { unlessAborted } from '../../base/unlessAborted.ts';
import { LockCancelled, NodeLeftBehind } from '../../recipes/errors.ts';
import type { Lease, Lock } from '../../recipes/lock.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { Standing, TestLockRequest } from './testLock.ts';
import { WaitWatch, type WatchQueue } from './waitWatch.ts';

export interface AttemptParts {
  /** Opens the session for own nodes; the attempt may be cancelled meanwhile. */
  client: Promise<ZooKeeperClient>;
  openLock(client: ZooKeeperClient, request: TestLockRequest): Promise<Lock>;
  watch: WatchQueue;
  signal: AbortSignal;
  onStanding(standing: Standing): void;
  /** The session lost its confirmed contact, or has it again. */
  onContact(confirmed: boolean): void;
}

/**
 * Carries out one request.
 *
 * @throws what connecting throws; what `Lock.acquire` throws. No own node stays behind then, unless it is a NodeLeftBehind
 */
export async function acquireLease(request: TestLockRequest, parts: AttemptParts): Promise<Lease> {
  const { signal } = parts;
  const owned = new DisposableStore();
  const waiting = owned.add(new WaitWatch(request.paths, parts.watch, standing => parts.onStanding(standing)));
  try {
    const client = await unlessAborted(parts.client, signal, () => new LockCancelled(request.paths[0] ?? ''));
    owned.add(client.onState(({ state }) => parts.onContact(state === 'connected')));
    const lock = await parts.openLock(client, request);
    const { timeoutMs } = request;
    const lease = await lock.acquire({ timeoutMs, signal, onWaiting: place => waiting.update(place) });
    if (!signal.aborted) return lease;
    const cancelled = new LockCancelled(lease.path);
    await lease.release().catch((cause: unknown) => {
      throw new NodeLeftBehind(cancelled, [{ path: lease.path, cause }]);
    });
    throw cancelled;
  } finally {
    owned.dispose();
  }
}

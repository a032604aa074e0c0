import { ReadOnlyCluster } from '../clusters/clusterErrors.ts';
import { mayHold, SelfBlocked, type TestLock, type TestLockRequest } from './testLock.ts';

/** Refuses a request that must not be sent. @throws ReadOnlyCluster, SelfBlocked */
export function checkRequest(request: TestLockRequest, locks: readonly TestLock[]): void {
  const { profile } = request.cluster;
  if (profile.readOnly === true) throw new ReadOnlyCluster(profile.name);
  const block = findSelfBlock(request, locks);
  if (block !== undefined) throw new SelfBlocked(block.path, block.lock);
}

/**
 * Finds a lock of this window that the request would wait for: a deadlock within this window until that lock is released.
 * Readers do not block readers; a semaphore blocks once the own leases fill it; locks with different names do not block.
 *
 * @returns the lock to release first, and the path that both need
 */
export function findSelfBlock(
  wanted: TestLockRequest,
  locks: readonly TestLock[],
): { lock: TestLock; path: string } | undefined {
  for (const path of wanted.paths) {
    const met = locks.filter(lock => mayHold(lock) && meets(wanted, lock.request, path));
    const [first] = met;
    if (first === undefined) continue;
    const free = wanted.recipe === 'semaphore' ? (wanted.maxLeases ?? 1) : 1;
    if (met.length >= free) return { lock: first, path };
  }
  return undefined;
}

function meets(wanted: TestLockRequest, held: TestLockRequest, path: string): boolean {
  if (wanted.cluster.id !== held.cluster.id || !held.paths.includes(path)) return false;
  if (wanted.lockName !== held.lockName) return false;
  if (wanted.recipe === 'read' && held.recipe === 'read') return false;
  // A semaphore's leases and a mutex at one path stand in different directories, or the recipe reports the conflict.
  return (wanted.recipe === 'semaphore') === (held.recipe === 'semaphore');
}

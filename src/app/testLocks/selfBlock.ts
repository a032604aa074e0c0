import { mayHold, type TestLock, type TestLockRequest } from './testLock.ts';

type Wanted = Pick<TestLockRequest, 'recipe' | 'paths' | 'lockName' | 'maxLeases'> & { cluster: { id: string } };

/**
 * Finds a lock of this window that the request would wait for: a deadlock with ourselves, as far as nobody releases it.
 * Readers do not block readers; a semaphore blocks once our own leases fill it; named locks of other names do not meet.
 *
 * @returns the lock to release first, and the path where the two meet
 */
export function findSelfBlock(
  wanted: Wanted,
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

function meets(wanted: Wanted, held: TestLockRequest, path: string): boolean {
  if (wanted.cluster.id !== held.cluster.id || !held.paths.includes(path)) return false;
  if (wanted.lockName !== held.lockName) return false;
  if (wanted.recipe === 'read' && held.recipe === 'read') return false;
  // A semaphore's leases and a mutex at one path stand in different directories, or contradict each other openly.
  return (wanted.recipe === 'semaphore') === (held.recipe === 'semaphore');
}

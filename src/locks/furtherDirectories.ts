import { unprotected } from './dialects/curator.ts';
import { isHexName } from './dialects/kazoo.ts';
import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import { readSequence } from './sequence.ts';

/** kazoo's semaphore keeps its queue beside the node of its leases. */
export const KAZOO_QUEUE_SUFFIX = '-__lock__';

/**
 * Says what else must be listed before a directory can be recognised: semaphores spread over two directories.
 * Curator's SemaphoreV2 has `P/locks` and `P/leases`, kazoo's has `P` and `P-__lock__`.
 *
 * @returns full paths, none twice; those that do not exist must be left out of `LockDirectory.further`
 */
export function furtherDirectories(path: string, childNames: readonly string[]): string[] {
  const further: string[] = [];
  // `locks` is a container: the server takes it away when nobody has waited for a while, whoever still holds a lease.
  if (childNames.includes('leases')) {
    further.push(childPath(path, 'locks'), childPath(path, 'leases'));
  }
  const twin = curatorTwin(path, childNames);
  if (twin !== undefined) further.push(twin);
  const kazooTwin = kazooTwinOf(path, childNames);
  if (kazooTwin !== undefined) further.push(kazooTwin);
  return further;
}

function curatorTwin(path: string, childNames: readonly string[]): string | undefined {
  const own = lastSegment(path);
  const twin = CURATOR_TWINS.get(own);
  if (twin === undefined || parentPath(path) === '/') return undefined;
  const marker = own === 'locks' ? 'lock-' : 'lease-';
  const fits = (name: string) => readSequence(name).some(reading => unprotected(reading.stem) === marker);
  return childNames.length === 0 || childNames.some(fits) ? childPath(parentPath(path), twin) : undefined;
}

const CURATOR_TWINS: ReadonlyMap<string, string> = new Map([
  ['locks', 'leases'],
  ['leases', 'locks'],
]);

function kazooTwinOf(path: string, childNames: readonly string[]): string | undefined {
  if (path === '/') return undefined;
  const leases = kazooLeaseDirectory(path);
  if (leases !== undefined) return leases;
  return childNames.length === 0 || childNames.some(isHexName) ? path + KAZOO_QUEUE_SUFFIX : undefined;
}

/** The directory of the leases that belong to a kazoo semaphore's queue; undefined when the path is no such queue. */
export function kazooLeaseDirectory(path: string): string | undefined {
  const leases = path.slice(0, -KAZOO_QUEUE_SUFFIX.length);
  return path.endsWith(KAZOO_QUEUE_SUFFIX) && leases !== '' && !leases.endsWith('/') ? leases : undefined;
}

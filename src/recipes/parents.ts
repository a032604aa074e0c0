import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';

/** How often an attempt creates a parent that somebody else deletes again and again (L6). */
export const mostParentRetries = 5;

/**
 * Creates `path` and what is missing above it, from the leaf upward, so that rights on existing ancestors do not matter
 * (faults.md, D25). Containers vanish again when the last contender is gone (3.5.1+; plain nodes before).
 *
 * @param data for the leaf
 */
export async function ensureParents(client: ZooKeeperClient, path: string, data?: Uint8Array): Promise<void> {
  if (path === '/') return;
  try {
    await client.create(path, data === undefined ? { mode: 'container' } : { mode: 'container', data });
  } catch (error) {
    if (isZooKeeperError(error, 'NODE_EXISTS')) return;
    const parent = path.slice(0, path.lastIndexOf('/'));
    // Directly below the root nothing can be missing but the chroot itself, which is not ours to create (D32).
    if (!isZooKeeperError(error, 'NO_NODE') || parent === '') throw error;
    await ensureParents(client, parent);
    await ensureParents(client, path, data);
  }
}

import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';

/** How often an attempt creates a parent that somebody else deletes again and again (L6). */
export const mostParentRetries = 5;

/** How a directory is made that is not there. */
export interface DirectoryPlan {
  /** For the directory itself, not for those above it. */
  data?: Uint8Array;
  /**
   * Containers, the default, vanish again when the last contender is gone (3.5.1+; plain nodes before). Some libraries look
   * for their directory only once and fail ever after when it vanishes: theirs must stay.
   */
  mode?: 'container' | 'persistent';
}

/**
 * Creates `path` and what is missing above it, from the leaf upward, so that rights on existing ancestors do not matter
 * (docs/faults.md, D25).
 */
export async function ensureParents(
  client: ZooKeeperClient,
  path: string,
  { data = new Uint8Array(0), mode = 'container' }: DirectoryPlan = {},
): Promise<void> {
  if (path === '/') return;
  try {
    await client.create(path, { mode, data });
  } catch (error) {
    if (isZooKeeperError(error, 'NODE_EXISTS')) return;
    const parent = path.slice(0, path.lastIndexOf('/'));
    // Directly below the root nothing can be missing but the chroot itself, which is not ours to create (D32).
    if (!isZooKeeperError(error, 'NO_NODE') || parent === '') throw error;
    await ensureParents(client, parent, { mode });
    await ensureParents(client, path, { data, mode });
  }
}

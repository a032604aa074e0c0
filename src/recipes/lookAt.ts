import { KAZOO_QUEUE_SUFFIX } from '../locks/furtherDirectories.ts';
import type { Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { refusePartOfSemaphore } from './partOfSemaphore.ts';

/** What is there before a lock is taken. */
export interface PathLook {
  /** Empty if there is no node. */
  names: readonly string[];
  /** `undefined` if there is no node. */
  stat: Stat | undefined;
  /** Only a kazoo semaphore keeps its queue beside the path instead of below it; the names there may tell nothing of it. */
  isKazooSemaphore: boolean;
}

/**
 * Looks at a path, in one round trip.
 *
 * @throws WrongDialect when it is a part of a semaphore; ZooKeeperError
 */
export async function lookAt(client: ZooKeeperClient, path: string): Promise<PathLook> {
  const [listing, queue] = await Promise.all([
    list(client, path),
    path === '/' ? undefined : client.exists(`${path}${KAZOO_QUEUE_SUFFIX}`),
  ]);
  refusePartOfSemaphore(path, listing.names);
  return { ...listing, isKazooSemaphore: queue !== undefined };
}

async function list(client: ZooKeeperClient, path: string): Promise<Pick<PathLook, 'names' | 'stat'>> {
  try {
    const { children, stat } = await client.getChildren(path);
    return { names: children, stat };
  } catch (error) {
    if (isZooKeeperError(error, 'NO_NODE')) return { names: [], stat: undefined };
    throw error;
  }
}

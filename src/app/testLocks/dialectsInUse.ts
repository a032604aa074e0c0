import { classifyNames } from '../../locks/classifyNames.ts';
import { singleNodeByPath } from '../../locks/dialects/singleNode.ts';
import type { DialectId } from '../../locks/lockQueue.ts';
import { lookAt } from '../../recipes/lookAt.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { LockNode } from '../clusters/clusterModel.ts';

/**
 * Whose names stand at a path now.
 *
 * @returns [] for an empty path or one that does not exist
 * @throws WrongDialect when it is a part of a semaphore; ZooKeeperError NO_AUTH; NotConnectedError or ReplyLostError
 */
export async function dialectsInUse(client: ZooKeeperClient, path: string): Promise<readonly DialectId[]> {
  const { names, stat, isKazooSemaphore } = await lookAt(client, path);
  if (isKazooSemaphore) return ['kazoo-semaphore'];
  if (stat === undefined) return [];
  // An ephemeral node is a lock itself, and can have no children.
  if (stat.ephemeralOwner !== 0n) return [singleNodeByPath(path)?.dialect ?? 'exclusive-node'];
  return names.length === 0 ? [] : classifyNames(path, names).map(({ dialect }) => dialect);
}

/**
 * The dialects of locks that are one node and free just now, as far as rows remember them. A queue below such a path would make
 * a persistent node there, and keep its owners from ever taking the lock again.
 */
export function freeSingleNodes(rows: Iterable<LockNode>, path: string): DialectId[] {
  return [...rows].flatMap(({ path: at, dialect }) => {
    const isSingle = dialect === 'exclusive-node' || dialect === singleNodeByPath(at)?.dialect;
    return at === path && isSingle ? [dialect] : [];
  });
}

import { classifyNames } from '../../locks/classifyNames.ts';
import { singleNodeByPath } from '../../locks/dialects/singleNode.ts';
import type { DialectId } from '../../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { isZooKeeperError } from '../../zookeeper/errors.ts';
import type { LockNode } from '../tree/nodes.ts';
import type { TestRecipe } from './testLock.ts';

/**
 * Whose names stand at a path now.
 *
 * @returns [] for an empty path or one that does not exist
 * @throws ZooKeeperError NO_AUTH; NotConnectedError or ReplyLostError
 */
export async function dialectsInUse(
  client: ZooKeeperClient,
  path: string,
  recipe: TestRecipe,
): Promise<readonly DialectId[]> {
  // Only a kazoo semaphore keeps its queue beside the path instead of below it.
  if (recipe === 'semaphore' && (await client.exists(`${path}-__lock__`)) !== undefined) return ['kazoo'];
  try {
    const { children, stat } = await client.getChildren(path);
    // An ephemeral node is a lock itself, and can have no children.
    if (stat.ephemeralOwner !== 0n) return [singleNodeByPath(path)?.dialect ?? 'exclusive-node'];
    return children.length === 0 ? [] : classifyNames(path, children).map(({ dialect }) => dialect);
  } catch (error) {
    if (isZooKeeperError(error, 'NO_NODE')) return [];
    throw error;
  }
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

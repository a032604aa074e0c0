import { classifyNames } from '../../locks/classifyNames.ts';
import type { DialectId } from '../../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { isZooKeeperError } from '../../zookeeper/errors.ts';
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
    const { children } = await client.getChildren(path);
    return children.length === 0 ? [] : classifyNames(path, children).map(({ dialect }) => dialect);
  } catch (error) {
    if (isZooKeeperError(error, 'NO_NODE')) return [];
    throw error;
  }
}

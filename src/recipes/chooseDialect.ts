import { classifyNames } from '../locks/classifyNames.ts';
import { contenderNaming, type QueueRecipe } from '../locks/contenderNames.ts';
import type { DialectId } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { WrongDialect } from './errors.ts';

/**
 * The dialect already in use at a path; Curator's if there is none. That is what makes a test lock contend with the real
 * services.
 *
 * @throws WrongDialect when what is there cannot be taken with this recipe
 */
export function chooseDialect(
  client: ZooKeeperClient,
  path: string,
  recipe: QueueRecipe,
  limits: AttemptLimits,
): Promise<DialectId> {
  return limits.untilAnswered(client, () => look(client, path, recipe));
}

async function look(client: ZooKeeperClient, path: string, recipe: QueueRecipe): Promise<DialectId> {
  const [names, siblingQueue] = await Promise.all([
    childNames(client, path),
    // Only a kazoo semaphore keeps its queue beside the path instead of below it.
    recipe === 'semaphore' && path !== '/' ? client.exists(`${path}-__lock__`) : undefined,
  ]);
  if (siblingQueue !== undefined) return 'kazoo';
  const found = classifyNames(path, names).map(({ dialect }) => dialect);
  const [first] = found;
  if (first === undefined) return 'curator';
  const usable = found.find(dialect => contenderNaming(dialect, recipe) !== undefined);
  if (usable === undefined) {
    throw new WrongDialect(path, { kind: 'in-use', dialect: first, recipe });
  }
  return usable;
}

async function childNames(client: ZooKeeperClient, path: string): Promise<string[]> {
  try {
    return (await client.getChildren(path)).children;
  } catch (error) {
    if (isZooKeeperError(error, 'NO_NODE')) return [];
    throw error;
  }
}

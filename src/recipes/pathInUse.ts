import { classifyNames } from '../locks/classifyNames.ts';
import { canJoin, type QueueRecipe } from '../locks/contenderNames.ts';
import type { DialectId } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { WrongDialect } from './errors.ts';
import { joinFault } from './joinFault.ts';
import { lookAt } from './lookAt.ts';

/**
 * The dialect already in use at a path; Curator's if there is none. That is what makes a test lock contend with the real
 * services.
 *
 * @throws WrongDialect when what is there cannot be taken with this recipe
 */
export async function chooseDialect(
  client: ZooKeeperClient,
  path: string,
  recipe: QueueRecipe,
  limits: AttemptLimits,
): Promise<DialectId> {
  const { names, isKazooSemaphore } = await limits.untilAnswered(client, () => lookAt(client, path));
  const found: DialectId[] = isKazooSemaphore
    ? ['kazoo-semaphore']
    : classifyNames(path, names).map(({ dialect }) => dialect);
  const fault = joinFault(path, found, recipe);
  if (fault !== undefined) throw new WrongDialect(path, fault);
  return found.find(dialect => canJoin(dialect, recipe)) ?? 'curator';
}

import type { QueueRecipe } from '../locks/dialect.ts';
import { canJoin, isSemaphore } from '../locks/libraries/registry.ts';
import type { DialectId } from '../locks/lockQueue.ts';
import {
  dialectsInUse,
  queuesBeside,
  recogniseNames,
  semaphoreAround,
  type PathFacts,
} from '../locks/recognition/recognise.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { type DialectFault, WrongDialect } from './errors.ts';
import { unlessAnswered } from '../zookeeper/errors.ts';

/**
 * The dialect already in use at a path, so that a test lock contends with the real services; Curator's if there is none.
 *
 * @throws WrongDialect when this recipe cannot join what is there; LockTimeout, LockCancelled, SessionLost, ZooKeeperError
 */
export async function chooseDialect(
  client: ZooKeeperClient,
  path: string,
  recipe: QueueRecipe,
  limits: AttemptLimits,
): Promise<DialectId> {
  const facts = await limits.untilAnswered(client, () => lookAt(client, path));
  const inUse = dialectsInUse(path, facts);
  // The name of an empty path may be that of a lock of one node, which is free now.
  const isEmpty = inUse.length === 0 && facts.names.length === 0;
  const found = isEmpty ? recogniseNames(path, []).map(({ dialect }) => dialect) : inUse;
  const fault = joinFault(path, found, recipe);
  if (fault !== undefined) throw new WrongDialect(path, fault);
  return found.find(dialect => canJoin(dialect, recipe)) ?? 'curator';
}

/**
 * Why a recipe cannot join the locks at a path; `undefined` if it can.
 *
 * @param found their dialects, [] if there are none
 */
export function joinFault(path: string, found: readonly DialectId[], recipe: QueueRecipe): DialectFault | undefined {
  const [dialect] = found;
  if (dialect === undefined || found.some(one => canJoin(one, recipe))) return undefined;
  return isSemaphore(dialect) ? { kind: 'semaphore', dialect, semaphore: path } : { kind: 'in-use', dialect, recipe };
}

/**
 * Reads a path, in one round trip.
 *
 * @throws WrongDialect when it is a part of a semaphore; ZooKeeperError
 */
export async function lookAt(client: ZooKeeperClient, path: string): Promise<PathFacts> {
  const [listing, ...queues] = await Promise.all([
    unlessAnswered(client.getChildren(path), 'NO_NODE'),
    ...queuesBeside(path).map(queue => client.exists(queue)),
  ]);
  const names = listing?.children ?? [];
  refusePartOfSemaphore(path, names);
  return { names, ownerSession: listing?.stat.ephemeralOwner, hasQueueBeside: queues.some(stat => stat !== undefined) };
}

/**
 * Refuses the directories of a semaphore: it counts or queues their children, and another lock there would take its places.
 *
 * @param names the children, if they are known: they show a directory of leases; the path alone shows a queue
 * @throws WrongDialect when the path is a part of a semaphore
 */
export function refusePartOfSemaphore(path: string, names: readonly string[] = []): void {
  const semaphore = semaphoreAround(path, names);
  if (semaphore === undefined) return;
  throw new WrongDialect(path, { kind: 'semaphore', dialect: semaphore.dialect, semaphore: semaphore.path });
}

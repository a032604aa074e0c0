import { classifyNames } from '../locks/classifyNames.ts';
import { canJoin, isSemaphore, type QueueRecipe } from '../locks/contenderNames.ts';
import type { DialectId } from '../locks/lockQueue.ts';
import type { Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { type DialectFault, WrongDialect } from './errors.ts';
import { KAZOO_QUEUE_SUFFIX, kazooLeaseDirectory } from '../locks/furtherDirectories.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { lastSegment, parentPath } from '../base/paths.ts';

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
  const { names, isKazooSemaphore } = await limits.untilAnswered(client, () => lookAt(client, path));
  const found: DialectId[] = isKazooSemaphore
    ? ['kazoo-semaphore']
    : classifyNames(path, names).map(({ dialect }) => dialect);
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

/** What is at a path before a lock is taken there. */
export interface PathLook {
  /** Empty if there is no node. */
  names: readonly string[];
  /** `undefined` if there is no node. */
  stat: Stat | undefined;
  /** Whether the queue of a kazoo semaphore stands beside the path; the children of the path need not show it. */
  isKazooSemaphore: boolean;
}

/**
 * Reads a path, in one round trip.
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

/**
 * Refuses the directories of a semaphore: it counts or queues their children, and another lock there would take its places.
 *
 * @param names the children, if they are known: they show Curator's leases; the path alone shows kazoo's queue
 * @throws WrongDialect when the path is a part of a semaphore
 */
export function refusePartOfSemaphore(path: string, names: readonly string[] = []): void {
  const leases = kazooLeaseDirectory(path);
  if (leases !== undefined) {
    throw new WrongDialect(path, { kind: 'semaphore', dialect: 'kazoo-semaphore', semaphore: leases });
  }
  if (lastSegment(path) === 'leases' && hasLeases(path, names)) {
    throw new WrongDialect(path, { kind: 'semaphore', dialect: 'curator-semaphore', semaphore: parentPath(path) });
  }
}

function hasLeases(path: string, names: readonly string[]): boolean {
  return classifyNames(path, names).some(
    ({ dialect, contenders }) => dialect === 'curator-semaphore' && contenders > 0,
  );
}

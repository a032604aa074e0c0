import { classifyNames } from '../../locks/classifyNames.ts';
import { canJoin, writableDialects, writtenDialect, type QueueRecipe } from '../../locks/contenderNames.ts';
import { singleNodeByPath } from '../../locks/dialects/singleNode.ts';
import type { DialectId } from '../../locks/lockQueue.ts';
import { lookAt } from '../../recipes/pathInUse.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { LockNode } from '../clusters/clusterModel.ts';
import type { TestRecipe } from './testLock.ts';

/** A dialect to choose. `withHostName`: the host's name stands in front of the letter. */
export interface OfferedDialect {
  dialect: DialectId;
  withHostName: boolean;
  inUse: boolean;
}

/** The recipe whose names are written; an exclusive lock is one node and has none. */
export function queueRecipeOf(recipe: TestRecipe): QueueRecipe | undefined {
  if (recipe === 'exclusive') return undefined;
  return recipe === 'several' ? 'mutex' : recipe;
}

/**
 * The dialects that can write a recipe: those in use at the path first, then in the order of the registry of dialects.
 *
 * @param inUse the dialects of the nodes at the path now
 */
export function offeredDialects(recipe: QueueRecipe, inUse: readonly DialectId[]): OfferedDialect[] {
  const used = new Set(inUse.filter(dialect => canJoin(dialect, recipe)).map(writtenDialect));
  const offered = writableDialects(recipe).flatMap((dialect): OfferedDialect[] => {
    const plain = { dialect, withHostName: false, inUse: used.has(dialect) };
    return dialect === 'rw-letters' ? [plain, { ...plain, withHostName: true }] : [plain];
  });
  return [...offered.filter(one => one.inUse), ...offered.filter(one => !one.inUse)];
}

/**
 * The dialects of the names at a path now.
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
 * The dialects of locks at `path` that are one node and free now, from the rows. A queue below such a path would create a
 * persistent node there, so that its owners could never acquire the lock again.
 */
export function freeSingleNodes(rows: Iterable<LockNode>, path: string): DialectId[] {
  return [...rows].flatMap(({ path: at, dialect }) => {
    const isSingle = dialect === 'exclusive-node' || dialect === singleNodeByPath(at)?.dialect;
    return at === path && isSingle ? [dialect] : [];
  });
}

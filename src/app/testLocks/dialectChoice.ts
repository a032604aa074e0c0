import type { QueueRecipe } from '../../locks/dialect.ts';
import { canJoin, writableDialects, writtenDialect } from '../../locks/libraries/registry.ts';
import { isSingleNode } from '../../locks/libraries/singleNode.ts';
import type { DialectId } from '../../locks/lockQueue.ts';
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
 * The dialects of locks at `path` that are one node and free now, from the rows. A queue below such a path would create a
 * persistent node there, so that its owners could never acquire the lock again.
 */
export function freeSingleNodes(rows: Iterable<LockNode>, path: string): DialectId[] {
  return [...rows].filter(row => row.path === path && isSingleNode(row)).map(({ dialect }) => dialect);
}

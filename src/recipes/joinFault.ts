import { canJoin, isSemaphore, type QueueRecipe } from '../locks/contenderNames.ts';
import type { DialectId } from '../locks/lockQueue.ts';
import type { DialectFault } from './errors.ts';

/**
 * Why a recipe cannot be taken beside what stands at a path; `undefined` if it can.
 *
 * @param found [] if nothing does
 */
export function joinFault(path: string, found: readonly DialectId[], recipe: QueueRecipe): DialectFault | undefined {
  const [dialect] = found;
  if (dialect === undefined || found.some(one => canJoin(one, recipe))) return undefined;
  return isSemaphore(dialect) ? { kind: 'semaphore', dialect, semaphore: path } : { kind: 'in-use', dialect, recipe };
}

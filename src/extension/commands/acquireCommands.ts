import type { Disposable } from '../../base/disposable.ts';
import { commandIds, type CommandId } from '../platform/contributions.ts';
import type { TestRecipe } from '../../app/testLocks/testLock.ts';
import type { acquireCommand } from './acquireCommand.ts';
import type { TestLockCommandParts } from './testLockCommands.ts';

const commandOf: Record<TestRecipe, CommandId> = {
  exclusive: commandIds.acquireExclusive,
  read: commandIds.acquireRead,
  write: commandIds.acquireWrite,
  mutex: commandIds.acquireMutex,
  semaphore: commandIds.acquireSemaphore,
  several: commandIds.acquireSeveral,
};

/** One command for each recipe. Their dialogs are loaded when one is called. */
export function registerAcquireCommands(
  parts: TestLockCommandParts & { load: () => Promise<{ acquireCommand: typeof acquireCommand }> },
): Disposable[] {
  return Object.entries(commandOf).map(([recipe, id]) =>
    parts.register(id, async argument => {
      const { acquireCommand } = await parts.load();
      await acquireCommand(parts, recipe as TestRecipe, argument);
    }),
  );
}

import type { LockQueue } from './lockQueue.ts';

/** Whether nobody is seen to hold while a node may not be read, which may well be the holder. */
export function isHolderUnknown({ contenders, hazards }: LockQueue): boolean {
  return hazards.some(({ kind }) => kind === 'unreadable') && contenders.every(({ role }) => role === 'waiter');
}

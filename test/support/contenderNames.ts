import type { LockQueue } from '../../src/locks/lockQueue.ts';

function digits(sequence: number): string {
  return String(sequence).padStart(10, '0');
}

function id(number: number): string {
  return number.toString(16).padStart(32, '0');
}

/** A name as Curator's InterProcessMutex gives it. */
export function curatorMutex(sequence: number): string {
  return `_c_01234567-89ab-cdef-0123-456789abcdef-lock-${digits(sequence)}`;
}

/** A name as kazoo's Lock gives it. */
export function kazooLock(owner: number, sequence: number): string {
  return `${id(owner)}__lock__${digits(sequence)}`;
}

/** A name as kazoo's Semaphore gives a lease. */
export function lease(owner: number): string {
  return id(owner);
}

/** Names of the holders of a queue, in grant order. */
export function holders(queue: LockQueue | undefined): string[] {
  return names(queue, 'holder');
}

/** Names of the waiters of a queue, in grant order. */
export function waiters(queue: LockQueue | undefined): string[] {
  return names(queue, 'waiter');
}

function names(queue: LockQueue | undefined, role: 'holder' | 'waiter'): string[] {
  return queue?.contenders.filter(contender => contender.role === role).map(contender => contender.name) ?? [];
}

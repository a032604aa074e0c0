import { randomUUID } from 'node:crypto';
import { DisposableSlot } from '../../base/disposable.ts';
import type { Lease } from '../../recipes/lock.ts';
import type { TestLock, TestLockRequest } from './testLock.ts';

/** A row, and what the registry does about it. */
export interface TestLockEntry {
  readonly lock: TestLock;
  readonly abort: AbortController;
  readonly timer: DisposableSlot;
  readonly leaseListener: DisposableSlot;
  outcome: Promise<void>;
  lease: Lease | undefined;
}

export function newEntry(request: TestLockRequest): TestLockEntry {
  return {
    lock: { type: 'testLock', id: randomUUID(), request, state: { kind: 'connecting' } },
    abort: new AbortController(),
    timer: new DisposableSlot(),
    leaseListener: new DisposableSlot(),
    outcome: Promise.resolve(),
    lease: undefined,
  };
}

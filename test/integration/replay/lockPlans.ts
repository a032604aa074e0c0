import { curator, kazoo } from '../truth/programs.ts';
import type { LockPlan } from './play.ts';

/** The locks of real clients whose holds are compared with what their transaction log says. */
export const lockPlans: readonly LockPlan[] = [
  { kind: 'curator-mutex', parts: curator('mutex'), canCancel: true },
  { kind: 'kazoo-lock', parts: kazoo('lock'), canCancel: true },
  { kind: 'curator-rw', parts: curator('read', 'write', 'read'), canCancel: true },
  { kind: 'kazoo-rw', parts: kazoo('read', 'write', 'read'), canCancel: true, keepsWritersOut: true },
  { kind: 'curator-semaphore', parts: curator('semaphore'), canCancel: true, maxLeases: 2, hasLeases: true },
  { kind: 'kazoo-semaphore', parts: kazoo('semaphore'), canCancel: false, maxLeases: 2, hasLeases: true },
  { kind: 'latch', parts: curator('latch'), canCancel: true, isDeafAfterWrite: true },
];

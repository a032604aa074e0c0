import type { LeaseState } from '../../src/recipes/lock.ts';

/** What a lease said at one moment. */
export interface LeaseLook {
  /** Before the lease was asked; ms of the machine's clock, which all programs share. */
  at: number;
  state: LeaseState;
  isAborted: boolean;
}

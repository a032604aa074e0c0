import type { Disposable } from '../../base/disposable.ts';

/** The time as recording uses it; tests have their own. Functions without `this`. */
export interface RecorderClocks {
  /** Calls back once after `ms`; the result cancels it. */
  readonly schedule: (callback: () => void, ms: number) => Disposable;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Epoch ms of this machine's clock, which may be set at any time. */
  readonly wallNow: () => number;
}

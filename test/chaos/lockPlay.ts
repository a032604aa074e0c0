import type { LockSpec } from '../../src/recipes/createLock.ts';

/** What a worker is asked to do: to acquire and release, again and again, while the network fails. */
export interface LockPlay {
  connectString: string;
  lockPath: string;
  /** One of them is chosen for each attempt. */
  specs: LockSpec[];
  /** How many attempts it makes at once, all in one session. */
  hands: number;
  seed: number;
  /** No attempt is begun after that long, ms. */
  durationMs: number;
  sessionTimeoutMs: number;
}

/** A time during which a lease said that it was held. */
export interface HeldInterval {
  recipe: LockSpec['recipe'];
  /** ms of the machine's monotonic clock, which all programs share. */
  from: number;
  /** The last look that said `held`. */
  until: number;
}

/** How the attempts of one worker ended. */
export interface LockCounts {
  acquired: number;
  timedOut: number;
  cancelled: number;
  sessionsLost: number;
}

/** What a worker answers. */
export interface LockPlayed {
  held: HeldInterval[];
  counts: LockCounts;
  /** Outcomes that no fault of the network explains. */
  failures: string[];
}

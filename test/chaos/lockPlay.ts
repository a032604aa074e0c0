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
  /** After the command `cling` leases are held for that long, ms: a fault is to meet a holder, and to outlast its session. */
  longHoldMs?: number;
  /** Of the register that each holder counts up under its fencing token; see `fencedRegister.ts`. */
  registerPort?: number;
}

/** A time during which a lease said that it was held. */
export interface HeldInterval {
  recipe: LockSpec['recipe'];
  /** ms of the machine's monotonic clock, which all programs share. */
  from: number;
  /** The last look that said `held`. */
  until: number;
  /** Own node. */
  path: string;
  /** czxid of the own node as the client read it. */
  token?: string;
  /** Whether the register took what was written under the token; `undefined` where nothing was written. */
  accepted?: boolean;
  /** The lease said `held` after the register had refused its token. */
  heldAfterRefusal?: boolean;
  /** Only other libraries: when the client first reported that it had lost its connection, while it held. */
  suspendedAt?: number;
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
  /** Ids of all its sessions, decimal. */
  sessions: string[];
  /** Outcomes that no fault of the network explains; of other libraries all that they threw. */
  failures: string[];
}

import type { Contender } from '../locks/lockQueue.ts';

/** A place in the order of all changes. */
export interface Moment {
  /** Of the transaction after which it is; 0n where only the time is known, as in what a window saw live. */
  zxid: bigint;
  /** Epoch ms of the server's clock. Clocks of leaders differ: a later transaction may carry an earlier time. */
  time: number;
}

/**
 * Why a contender left its queue, or stopped to hold.
 *
 * `released`: its own session deleted the node. `session closed`, `session expired`: its session ended, by its client or by the server;
 * `session ended`: one of the two, not known which.
 * `deleted by another session`: as it says, or by the server, for a container or TTL node. `overtaken`: its node is still there, and
 * another contender holds by the rule of the library. `unknown`: the end was not seen.
 */
export const endCauses = [
  'released',
  'session closed',
  'session expired',
  'session ended',
  'deleted by another session',
  'overtaken',
  'unknown',
] as const;
export type EndCause = (typeof endCauses)[number];

/** One contender of one lock, as far as it is kept after it is gone. Names and identifiers are foreign text. */
interface Place {
  /** Of the lock: `LockQueue.path`. */
  path: string;
  lockName?: string;
  /** Of the contender's node, within the lock's path: `Contender.name`. */
  name: string;
  kind: Contender['kind'];
  identifier: string;
  /** 0n: not ephemeral. */
  ownerSession: bigint;
  czxid: bigint;
  /** When its node was created. */
  queued: Moment;
}

/** A contender that held a lock, or holds it. */
export interface Hold extends Place {
  from: Moment;
  /** It held already when reading or watching began, so `from` is only the first look. */
  isFromBefore?: true;
  /** Absent: it still holds at the last moment that is known. */
  to?: Moment;
  /** Present with `to`. */
  ended?: EndCause;
  /** It ended in a time of which nothing is known: `to` is the last moment before that. */
  isEndUnseen?: true;
  /** The session that deleted the node, where that is another one; 0n: the server. */
  endedBy?: bigint;
}

/** A contender that waits, or that left without having held. */
export interface Wait extends Place {
  /** It waited already when reading or watching began. */
  isFromBefore?: true;
  /** It held before and waits again since then; absent: it waits since `queued`. */
  from?: Moment;
  /** Absent: it still waits at the last moment that is known. */
  to?: Moment;
  /** Present with `to`. */
  ended?: EndCause;
  /** As of a hold. */
  isEndUnseen?: true;
  endedBy?: bigint;
}

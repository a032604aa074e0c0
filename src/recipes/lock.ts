import type { SessionCause } from '../zookeeper/sessionCause.ts';
import type { NodeLeft } from './errors.ts';

export interface AcquireOptions {
  /** How long to wait, ms. 0: try once. Left out: no limit. */
  timeoutMs?: number;
  /** Ends this attempt only; the lock object stays usable. */
  signal?: AbortSignal;
  /** Called when the attempt has queued up, and after each reading of the queue. */
  onWaiting?: (place: Place) => void;
  /**
   * Called when `acquire` has thrown already, without knowing of the node, and the server refuses then to delete it: the clean-up
   * went on in the background during an outage.
   */
  onNodeLeft?: (left: NodeLeft) => void;
}

/** Where an attempt stands. */
export interface Place {
  /** Own node; `undefined` while none could be created (an exclusive node that another client has). */
  path: string | undefined;
  /** How many contenders that could block it were ahead at the last reading. */
  ahead: number;
  /** Full path of the node that it waits for; `undefined` if it watches several, or a directory. */
  waitsFor: string | undefined;
}

/**
 * `held`: our node was at the head of the queue when it was last read, and the session is confirmed. `uncertain`: the session
 * has no confirmed contact, another client may have the lock already. `lost`: session over or node deleted; final.
 */
export type LeaseState = 'held' | 'uncertain' | 'lost' | 'released';

/**
 * Why a lease is uncertain or lost, as a closed list that an interface can translate.
 *
 * `session`: as its session; without `cause` all that is known is that it is over. `node-deleted`, `node-replaced`: by another
 * client. `unread`: the server answered the reading of the own node with an error.
 */
export type LeaseCause =
  | { kind: 'session'; cause: SessionCause | undefined }
  | { kind: 'node-deleted' | 'node-replaced' }
  | { kind: 'unread'; error: unknown };

/** A lock that was acquired. It stops no client that does not take the lock itself: see `fencingToken`. */
export interface Lease {
  readonly state: LeaseState;
  /** Why it is lost or uncertain; `undefined` while it is held, and where only the clock makes it uncertain. */
  readonly stateCause: LeaseCause | undefined;
  /** Own node; for several locks at once the first one's. */
  readonly path: string;
  /** Paths of all own nodes of this lease. */
  readonly paths: readonly string[];
  /** czxid of the own node: rises with every grant, so a store can refuse a holder that is late (Kleppmann 2016). */
  readonly fencingToken: bigint;
  /** Aborts once the lease is lost. */
  readonly signal: AbortSignal;
  /** Calls back after each change of `state`, and when more is known of why it is uncertain. */
  onState(listener: (state: LeaseState) => void): { dispose(): void };
  /**
   * Releases the lock: deletes the own node until that is confirmed, the node is gone, or the session ends. Another call is
   * harmless, and tries again what the server has refused. A reentrant lock is free after the last of its leases.
   *
   * @throws ZooKeeperError when the server refuses for good, for example NO_AUTH
   * @throws MultiReleaseError from a multi-lock some of whose locks could not be released
   */
  release(): Promise<void>;
}

/** A lock that one program can acquire again and again. */
export interface Lock {
  readonly path: string;
  /**
   * @throws LockTimeout, LockCancelled, SessionLost, RemovedFromQueue, WrongDialect, QueueCorrupted, ZooKeeperError.
   *   No own node stays behind then: it is deleted before, or, during an outage or while the server refuses everything, as
   *   soon as possible. NodeLeftBehind if the server refuses for good to delete it: it stays until the session ends.
   */
  acquire(options?: AcquireOptions): Promise<Lease>;
}

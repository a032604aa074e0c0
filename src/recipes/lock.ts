import { type SessionCause, sessionReason } from '../zookeeper/sessionCause.ts';

export interface AcquireOptions {
  /** How long to wait, ms. 0: try once. Left out: no limit. */
  timeoutMs?: number;
  /** Ends this attempt only; the lock object stays usable. */
  signal?: AbortSignal;
  /** Called when the attempt has queued up, and after every look at the queue. */
  onWaiting?: (place: Place) => void;
}

/** Where an attempt stands. */
export interface Place {
  /** Own node; `undefined` while none could be created (an exclusive node that somebody else has). */
  path: string | undefined;
  /** How many contenders were in front at the last look that could block it. */
  ahead: number;
  /** Full path of the node that it waits for; `undefined` if it watches several, or a directory. */
  waitsFor: string | undefined;
}

/**
 * `held`: our node was at the head of the queue when last looked, and the session is confirmed. `uncertain`: the session has
 * no confirmed contact, somebody else may have the lock already. `lost`: session over or node deleted; final.
 */
export type LeaseState = 'held' | 'uncertain' | 'lost' | 'released';

/** A lock that was acquired. It does not stop anybody who does not ask for the lock: see `fencingToken`. */
export interface Lease {
  readonly state: LeaseState;
  /** Why it is lost or uncertain, in plain English; empty otherwise. */
  readonly stateReason: string;
  /** The same as a closed list; `undefined` while it is held, and where only the clock says that it is uncertain. */
  readonly stateCause: LeaseCause | undefined;
  /** Own node; for several locks at once the first one's. */
  readonly path: string;
  /** Paths of all own nodes of this lease. */
  readonly paths: readonly string[];
  /** czxid of the own node: rises with every grant, so a store can refuse a holder that is late (Kleppmann 2016). */
  readonly fencingToken: bigint;
  /** Aborts once the lease is lost. */
  readonly signal: AbortSignal;
  /** Told after each change of `state`. */
  onState(listener: (state: LeaseState) => void): { dispose(): void };
  /**
   * Gives the lock back: deletes the own node until that is confirmed, the node is gone, or the session ends. Calling it
   * again is harmless, and tries again what the server has refused. A reentrant lock goes free with the last of its leases.
   *
   * @throws ZooKeeperError when the server refuses for good, for example NO_AUTH
   * @throws MultiReleaseError from a multi-lock some of whose locks could not be released
   */
  release(): Promise<void>;
}

/** A lock that can be acquired, again and again, by one program. */
export interface Lock {
  readonly path: string;
  /**
   * @throws LockTimeout, LockCancelled, SessionLost, RemovedFromQueue, WrongDialect, QueueCorrupted, ZooKeeperError.
   *   No own node stays behind then: it is deleted before, or, during an outage or while the server refuses everything, as
   *   soon as possible. NodeLeftBehind if the server refuses for good to delete it: it stays until the session ends.
   */
  acquire(options?: AcquireOptions): Promise<Lease>;
}

/**
 * Why a lease is uncertain or lost, as a closed list that an interface can translate.
 *
 * `session`: as its session; without `cause` all that is known is that it is over. `node-deleted`, `node-replaced`: by somebody
 * else. `unread`: the server answered the re-reading of the own node with an error.
 */
export type LeaseCause =
  | { kind: 'session'; cause: SessionCause | undefined }
  | { kind: 'node-deleted' | 'node-replaced' }
  | { kind: 'unread'; error: unknown };

/** A cause as one plain sentence of English without its full stop. */
export function leaseReason(cause: LeaseCause): string {
  switch (cause.kind) {
    case 'session':
      return cause.cause === undefined ? 'the session is over' : sessionReason(cause.cause);
    case 'node-deleted':
      return 'its node was deleted by somebody else';
    case 'node-replaced':
      return 'its node was replaced by somebody else';
    case 'unread':
      return String(cause.error);
  }
}

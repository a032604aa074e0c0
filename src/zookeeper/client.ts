import type { Disposable } from '../base/disposable.ts';
import type { ReplyTooLargeError, ZooKeeperError } from './errors.ts';
import type { SessionCause } from './sessionCause.ts';
import type { Acl, CreateMode, Identity, Stat } from './wire/records.ts';

export type { Acl, CreateMode, Identity, Stat };

/** `uncertain`: no confirmed contact, the session may still live. `lost`: expired, as a server reported or by the clock; final. `closed`: by us; final. */
export type SessionState = 'connected' | 'uncertain' | 'lost' | 'closed';

export interface SessionStateChange {
  state: SessionState;
  /** Why, in one plain sentence of English; says which server. */
  reason: string;
  /** The same as a closed list; absent for `connected`. */
  cause?: SessionCause;
  /** Epoch ms of the last confirmed contact with a server. */
  lastContactAt: number;
}

export interface CreateOptions {
  data?: Uint8Array;
  mode?: CreateMode;
  acl?: readonly Acl[];
}

/** Fires once: `changed` for any change of what was read, `lost` when the session ended before that. */
export interface WatchEvent {
  type: 'created' | 'deleted' | 'dataChanged' | 'childrenChanged' | 'lost';
  path: string;
}

export interface ReadOptions {
  /** Sets a one-shot watch with the read (atomic with it). A failed read sets none, but `exists` of a missing node does. */
  watch?: (event: WatchEvent) => void;
  /** Forgets the watch; the server does so when it fires, or with the last tree watch on the path. */
  signal?: AbortSignal;
}

/** An event of a tree watch. `reread`: events may have been missed, read everything again (reconnects, one-shot fallback). */
export interface TreeEvent {
  type: 'created' | 'deleted' | 'dataChanged' | 'reread';
  /** The node that changed; for `reread` the watched path. */
  path: string;
  /** Of the transaction that changed it; absent for servers before 3.9 (ZOOKEEPER-4655) and where it is not known. */
  zxid?: bigint;
}

export interface TreeWatchOptions {
  /**
   * While more than 60 events a second come, they may be read together, up to 100 ms later, those of the session's other watches too: being
   * woken up for each costs most of what a watch costs. Answers come at once all the same. Default false.
   */
  mayLag?: boolean;
}

/** A tree watch that was set. */
export interface TreeWatch extends Disposable {
  /** The server is older than 3.6: one-shot watches stand in, which miss changes below the children. */
  isOneShot?: true;
}

export type ReadRequest = { op: 'getData'; path: string } | { op: 'getChildren'; path: string };

/** A node of a bulk read. Data and stat may be read from the reply each time: keep what is needed, not the result. */
export interface NodeResult {
  readonly op: 'getData';
  readonly path: string;
  readonly data: Uint8Array;
  readonly stat: Stat;
  /** The first `limit` bytes of the data, one character for each: no view is made of them, as `data` makes one. */
  latin1?(limit: number): string;
}

export type ReadResult =
  | NodeResult
  | { op: 'getChildren'; path: string; children: string[] }
  | { op: 'error'; path: string; error: ZooKeeperError | ReplyTooLargeError };

export interface ReadManyOptions {
  signal?: AbortSignal;
  /**
   * Receives each result as soon as it is there, with the index of its request, in any order. The promise then resolves to no
   * results: for readings so long that they should not be in memory twice.
   */
  onResult?: (result: ReadResult, at: number) => void;
}

/**
 * A session with an ensemble. Paths are absolute and relative to the chroot of the connect string.
 *
 * Every method rejects with a `ZooKeeperError` (the server's answer), `NotConnectedError` (nothing was sent), or, for
 * writes whose reply was lost, `OutcomeUnknownError`; reads whose reply was lost end with `ReplyLostError`, and an answer
 * that no ZooKeeper would send with `MalformedReplyError`. No promise stays pending past its deadline.
 */
export interface ZooKeeperClient {
  /** Of the current session; constant, since a lost session is not replaced. */
  readonly sessionId: bigint;
  /** Negotiated with the server, ms. */
  readonly sessionTimeoutMs: number;
  readonly state: SessionState;
  /** Epoch ms of the last confirmed contact. */
  readonly lastContactAt: number;
  /** `host:port` that answers now, if any. */
  readonly server: string | undefined;
  onState(listener: (change: SessionStateChange) => void): Disposable;
  /**
   * Asks for the stronger proof of contact that a lock needs, until the result is disposed. `state` is `connected` otherwise while
   * *a* leader confirms the session (one `sync` every third of the timeout), also one that has lost its quorum and does not know it
   * yet. From now on a quorum has to: the `sync` is replaced by a transaction that changes nothing. It costs one write of about
   * 100 bytes in the transaction log of every server, three in each timeout, however many callers ask for it.
   */
  confirmByQuorum(): Disposable;

  create(path: string, options?: CreateOptions): Promise<{ path: string; stat: Stat }>;
  /** @returns `undefined` if there is no such node */
  exists(path: string, options?: ReadOptions): Promise<Stat | undefined>;
  getData(path: string, options?: ReadOptions): Promise<{ data: Uint8Array; stat: Stat }>;
  getChildren(path: string, options?: ReadOptions): Promise<{ children: string[]; stat: Stat }>;
  /** @param version the version read before; -1 is refused */
  setData(path: string, data: Uint8Array, version: number): Promise<Stat>;
  /** @param version the version read before; -1 is refused */
  remove(path: string, version: number): Promise<void>;
  getAcl(path: string): Promise<{ acl: Acl[]; stat: Stat }>;
  /** @returns `undefined` if the server is older than 3.7 and has no such request */
  whoAmI(): Promise<Identity[] | undefined>;
  /** Waits until the connected server has caught up with the leader (op 9). */
  sync(path: string): Promise<void>;
  /**
   * Reads many nodes with few requests: multiRead on 3.6+, pipelined single reads before that. Results are in the order
   * of the requests; a node that cannot be read is an `error` entry, not a failure of the whole. Batches adapt so that a
   * reply stays near 1 MB.
   */
  readMany(reads: readonly ReadRequest[], options?: ReadManyOptions): Promise<ReadResult[]>;
  /**
   * Reports what changes at and below `path`: one persistent recursive watch on 3.6+ (`created`, `deleted`,
   * `dataChanged` with the node's path), re-armed one-shot watches on `path` and its children list before that (`reread`;
   * no event when only the data of a child changed). After every reconnect it reports `reread`, before the state becomes
   * `connected`.
   */
  watchTree(path: string, listener: (event: TreeEvent) => void, options?: TreeWatchOptions): Promise<TreeWatch>;
  /** Ends the session; resolves when the server confirmed it or after 3 s. Never rejects. */
  close(): Promise<void>;
}

/**
 * What this extension offers to other extensions: `activate` returns a `ZooKeeperLocksApi`. This file imports nothing, so that
 * it can be copied as it is; `docs/api.md` has an example.
 *
 * All texts but ids are foreign: node names, paths and identifiers come from ZooKeeper as they are. Never put them into HTML,
 * Markdown or a notification unescaped. Numbers that may have 64 bits are texts, `0x…`: objects can go through JSON, and
 * `BigInt(text)` compares them. All objects are frozen snapshots.
 */
export interface ZooKeeperLocksApi {
  /** Rises when something that was there changes its meaning; what is added does not raise it. */
  readonly version: 1;

  /** The clusters of the view, in its order: the saved ones, and the sandbox while it runs. No addresses and no log-ins. */
  clusters(): readonly ApiCluster[];

  /**
   * Reads who holds and who waits at a path, as the view would show it. Connects nothing: the person does.
   *
   * @param clusterId of a cluster that is connected
   * @param path absolute; a directory may hold several locks, or none
   * @throws ApiError `UNKNOWN_CLUSTER`, `UNTRUSTED`, `NOT_CONNECTED`, `BAD_REQUEST`, `NO_AUTH`, `SESSION_LOST`, `CANCELLED`, `FAILED`
   */
  readQueues(clusterId: string, path: string, options?: { signal?: AbortSignal }): Promise<readonly ApiQueue[]>;

  /**
   * Takes a test lock as the person would: it joins the real queue, is shown under Test Locks, where the person can release
   * it, and is released by itself after `autoReleaseMs`. The person is asked once whether the extension may do this, and each
   * time on a production cluster.
   *
   * @throws ApiError with any code but `FAILED` for an expected end; no own node stays behind then, except with `NODE_LEFT`
   */
  acquireTestLock(request: ApiLockRequest): Promise<ApiTestLock>;
}

export interface ApiCluster {
  /** Opaque; stable as long as the cluster is saved and means the same servers, or the sandbox runs. */
  readonly id: string;
  /** Chosen by the person. */
  readonly name: string;
  readonly environment: 'development' | 'staging' | 'production';
  /** A server in the memory of this window, for trying things out: a lock there keeps no other window or machine away. */
  readonly isSandbox: boolean;
  /** No test locks can be taken there. */
  readonly readOnly: boolean;
  /** Whether there is a session that had contact when last looked. */
  readonly connected: boolean;
}

export interface ApiQueue {
  readonly path: string;
  /** Distinguishes several locks in one directory. */
  readonly lockName?: string;
  /** Whose naming scheme: `curator`, `kazoo`, ...; more may come. */
  readonly dialect: string;
  /** Of a semaphore whose tree stores it. */
  readonly maxLeases?: number;
  /** In grant order. */
  readonly contenders: readonly ApiContender[];
  /** Names of children that are no contenders. */
  readonly strangers: readonly string[];
  /** Why the picture may not be what the contenders believe. */
  readonly hazards: readonly { readonly kind: string; readonly names: readonly string[] }[];
}

export interface ApiContender {
  readonly name: string;
  readonly path: string;
  readonly kind: 'exclusive' | 'read' | 'write' | 'lease' | 'candidate';
  /** `holder` means: at the head of the queue when it was read. */
  readonly role: 'holder' | 'waiter';
  /** Name of the node whose end it waits for. */
  readonly waitsFor?: string;
  /** A waiter that may hold all the same: names do not show it. */
  readonly mayHold?: true;
  readonly sequence?: number;
  /** `0x…`; `0x0`: no session keeps the node alive. */
  readonly ownerSession: string;
  /** `0x…` */
  readonly czxid: string;
  /** When it queued, epoch ms of the server's clock. When a holder got its turn is `heldSince`. */
  readonly createdAt: number;
  /**
   * Of holders: between which moments its turn came, epoch ms of the server's clock. Equal ones are the moment itself; without
   * `latest` it may have come right before the queue was read.
   */
  readonly heldSince?: { readonly earliest: number; readonly latest?: number };
  /** Who, as the node says; may be empty. */
  readonly identifier: string;
  /** More than who, as the node says: the query that Hive locks for. */
  readonly details?: string;
  /** Epoch ms of the holder's clock: the node says that its lease ends then, and stays. After that the lock may be free. */
  readonly leaseEndsAt?: number;
  /** The node may not be read: owner, czxid and time of creation are 0 and mean nothing. */
  readonly isUnread?: true;
}

export interface ApiLockRequest {
  /** Own id, `publisher.name`: shown to the person and in the queue. */
  readonly extensionId: string;
  readonly clusterId: string;
  /** Absolute. */
  readonly path: string;
  /** Names are written in the dialect in use at the path, Curator's where nothing is. */
  readonly recipe: 'mutex' | 'exclusive' | 'read' | 'write' | 'semaphore';
  /** Of a semaphore; 1 to 999999, default 1. */
  readonly maxLeases?: number;
  /** Stands in the queue in front of the extension's id; at most 100 characters. */
  readonly identifier?: string;
  /** How long to wait, ms; 0: try once. Default 60000, at most a day. */
  readonly timeoutMs?: number;
  /** When the lock is released by itself, ms; 1000 to 3600000, default as the person has set. */
  readonly autoReleaseMs?: number;
  /** Ends the wait; a lock that is held is not released by it. */
  readonly signal?: AbortSignal;
}

export interface ApiTestLock {
  /** Own nodes. */
  readonly paths: readonly string[];
  /** `0x…`: czxid of the own node, which rises with every grant. */
  readonly fencingToken: string;
  readonly autoReleaseMs: number;
  /**
   * Checked at every read. `uncertain`: no confirmed contact, another client may have the lock. `lost` and `released` are
   * final; `released` also by the person or by time.
   */
  readonly state: 'held' | 'uncertain' | 'lost' | 'released';
  /** Aborts once the lock is lost or released. */
  readonly signal: AbortSignal;
  /** Gives the lock back; harmless when it is not held any more. @throws ApiError `FAILED` when an own node stays behind */
  release(): Promise<void>;
}

/**
 * What every rejection is: an `Error` with a `code`, which stays the same in all versions. The message may be shown: it is in VS
 * Code's display language, and foreign text in it is made safe. For `BAD_REQUEST`, a fault of the calling program, it is English.
 */
export interface ApiError extends Error {
  readonly code: ApiErrorCode;
}

export type ApiErrorCode =
  /** A field of the request cannot be used. */
  | 'BAD_REQUEST'
  | 'UNKNOWN_CLUSTER'
  /** The person has not connected the cluster, or it has no contact. */
  | 'NOT_CONNECTED'
  /** The workspace is not trusted. */
  | 'UNTRUSTED'
  /** No extension of this id is installed, or the person does not allow it. */
  | 'NOT_ALLOWED'
  /** The extension has too many test locks. */
  | 'TOO_MANY'
  | 'READ_ONLY'
  /** This window holds the lock already. */
  | 'SELF_BLOCKED'
  /** The lock was not free in time. */
  | 'TIMEOUT'
  /** By `signal`, by the person in the view or in the question about a production cluster; or the cluster was changed meanwhile. */
  | 'CANCELLED'
  | 'SESSION_LOST'
  /** The waiting node was deleted. */
  | 'REMOVED'
  /** Locks of another kind are in use at the path. */
  | 'WRONG_DIALECT'
  /** The server does not permit it. */
  | 'NO_AUTH'
  /** The lock was not acquired, and its node still stands in the queue: the server refuses to delete it. It goes with the session. */
  | 'NODE_LEFT'
  | 'FAILED';

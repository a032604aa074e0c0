import type { AclEntry } from './acl.ts';

/**
 * What a transaction does. The same for a server that has just made it and for a transaction log that is read.
 *
 * @typeParam Data what stands for the data of nodes
 */
export type Change<Data = Uint8Array> =
  | {
      type: 'create';
      path: string;
      data: Data | undefined;
      acl: readonly AclEntry[];
      /** See `ownerKind` of znode.ts. */
      owner: bigint;
      /** `childrenCreated` of the parent afterwards; -1 in logs of old servers: one more than before. */
      parentChildrenCreated: number;
    }
  | { type: 'delete'; path: string }
  | { type: 'setData'; path: string; data: Data | undefined; version: number }
  | { type: 'setAcl'; path: string; acl: readonly AclEntry[]; version: number }
  | { type: 'check'; path: string; version: number }
  | { type: 'createSession'; timeoutMs: number }
  /** `paths`: the nodes that go with the session; absent in logs before 3.6, where the tree knows them. */
  | { type: 'closeSession'; paths?: readonly string[] }
  | { type: 'multi'; parts: readonly Change<Data>[] }
  /** A request that was refused: it takes a zxid and changes nothing. */
  | { type: 'error'; code: number };

/** A change with its place in the order of all changes (TxnHeader in zookeeper.jute). */
export interface Transaction<Data = Uint8Array> {
  sessionId: bigint;
  /** Number of the request within its session; 0 for what the server does by itself. */
  cxid: number;
  zxid: bigint;
  /** Epoch ms of the server's clock. */
  time: number;
  change: Change<Data>;
}

import type { KnownChild } from './dialects/dialect.ts';

/** A child of a lock directory as read from the server. `name` and `data` are foreign. */
export interface ChildNode {
  name: string;
  path: string;
  data: Uint8Array;
  czxid: bigint;
  /** Epoch ms of the server's clock. */
  createdAt: number;
  /** 0n: not ephemeral. */
  ephemeralOwner: bigint;
  version: number;
  numChildren: number;
  /** Only its stat may be read. */
  isDataDenied?: boolean;
  /** Filled in by `knownChild` when it is first asked for. */
  known?: KnownChild | undefined;
}

/** Everything that is needed to say what queues a path holds; reading it is the inspector's business. */
export interface LockDirectory {
  path: string;
  /** The directory node itself; `name` is its last path segment. */
  self: ChildNode;
  children: readonly ChildNode[];
  /** Further directories that some layouts need (`furtherDirectories`), by full path. */
  further: ReadonlyMap<string, readonly ChildNode[]>;
}

import { childPath } from '../base/paths.ts';

/** A child of a lock directory as read from the server. `name` and `data` are foreign. */
export interface ChildNode {
  name: string;
  path: string;
  data: Uint8Array;
  /** The data as `plainTextIn` reads them, where that is known. */
  readonly plainText?: string | undefined;
  czxid: bigint;
  /** Epoch ms of the server's clock. */
  createdAt: number;
  /** When its data were written last, epoch ms of the server's clock; absent where that is not known. */
  modifiedAt?: number;
  /** 0n: not ephemeral. */
  ephemeralOwner: bigint;
  version: number;
  numChildren: number;
  /** Only its stat may be read. */
  isDataDenied?: boolean;
  /** Not even its stat may be read: all but name and path is empty. */
  isUnread?: true;
  /** What `memberOf` found out about this object; kept with it, since a queue has up to 100,000. */
  member?: { readonly node: ChildNode } | undefined;
}

/** The input of recognition, as read by the inspector. */
export interface LockDirectory {
  path: string;
  /** The directory node itself; `name` is its last path segment. */
  self: ChildNode;
  children: readonly ChildNode[];
  /** Further directories that some layouts need (`furtherDirectories`), by full path. */
  further: ReadonlyMap<string, readonly ChildNode[]>;
  /**
   * The transaction in which a child last came or went (pzxid), by full path of the directory, read with its list or after it. Absent
   * where that is not known, or no longer.
   */
  lastChanges?: ReadonlyMap<string, bigint>;
}

/** Stands for a node of which only the name is known. */
export function nodeOfName(directory: string, name: string): ChildNode {
  return {
    name,
    path: childPath(directory, name),
    data: noData,
    czxid: 0n,
    createdAt: 0,
    ephemeralOwner: 0n,
    version: 0,
    numChildren: 0,
  };
}

const noData = new Uint8Array(0);

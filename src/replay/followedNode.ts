import type { Znode } from '../dataTree/znode.ts';
import { ownerKind } from '../dataTree/znode.ts';
import type { ChildNode } from '../locks/lockDirectory.ts';
import type { Member } from '../locks/dialect.ts';
import { keptBytes, type StoredData } from './storedData.ts';

/** The facts of a node that decide about locks. Data that are not in memory count as none. */
export interface ReadableNode extends Pick<Znode, 'czxid' | 'ctime' | 'mzxid' | 'mtime' | 'owner' | 'version'> {
  readonly data: StoredData | undefined;
  /** It may not be read: only its path is known. */
  readonly isUnread?: true;
}

/** What the follower reads: the state after the last transaction. */
export interface ReadableTree {
  get(path: string): ReadableNode | undefined;
  /** Names of the children; none of a node that is not there. */
  childrenOf(path: string): Iterable<string>;
}

/** Who changes something, and in which transaction. */
export interface Author {
  zxid: bigint;
  /** `undefined`: not known. */
  sessionId: bigint | undefined;
}

/** As much as the inspector keeps of long data. */
const keptDataBytes = 64 * 1024;
const noData = new Uint8Array(0);

/** A node as recognition wants it, one object as long as the node is unchanged: what was found out about it stays with it. */
export class FollowedNode implements ChildNode {
  readonly name: string;
  readonly path: string;
  readonly data: Uint8Array;
  readonly czxid: bigint;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly mzxid: bigint;
  readonly ephemeralOwner: bigint;
  readonly version: number;
  readonly numChildren = 0;
  /** Which session created it; `undefined`: not known. */
  readonly createdBy: bigint | undefined;
  /** Which sessions wrote its data last, and before that. */
  readonly writtenBy: bigint | undefined;
  readonly writtenBefore: bigint | undefined;
  readonly isUnread?: true;
  member: Member | undefined;

  /** @param former the same node before it was changed, if that is known */
  constructor(name: string, path: string, node: ReadableNode, author: Author | undefined, former?: FollowedNode) {
    this.name = name;
    this.path = path;
    this.data = dataOf(node);
    this.czxid = node.czxid;
    this.createdAt = node.ctime;
    this.modifiedAt = node.mtime;
    this.mzxid = node.mzxid;
    this.ephemeralOwner = ownerKind(node.owner) === 'session' ? node.owner : 0n;
    this.version = node.version;
    this.createdBy = node.czxid === author?.zxid ? author.sessionId : former?.createdBy;
    this.writtenBy = node.mzxid === author?.zxid ? author.sessionId : former?.writtenBy;
    this.writtenBefore = former?.writtenBy;
    this.member = undefined;
    if (node.isUnread === true) this.isUnread = true;
  }

  /** Whether it is the same node with the same data. */
  isAs({ czxid, mzxid, version, isUnread }: ReadableNode): boolean {
    return this.czxid === czxid && this.mzxid === mzxid && this.version === version && this.isUnread === isUnread;
  }
}

function dataOf({ data }: ReadableNode): Uint8Array {
  return keptBytes(data)?.subarray(0, keptDataBytes) ?? noData;
}

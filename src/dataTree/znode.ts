import type { Stat } from '../zookeeper/wire/records.ts';
import type { AclEntry } from './acl.ts';

/** Owner of a container (EphemeralType.java): the smallest 64-bit number. */
export const containerOwner = -(2n ** 63n);

/** High byte of the owner of a TTL node; its low five bytes are the TTL in ms. */
const ttlMark = 0xffn << 56n;

/** Largest TTL, ms: some 34 years. */
export const largestTtl = (1n << 40n) - 1n;

/** @returns the owner of a node with this TTL (ms, 1 to `largestTtl`) */
export function ttlOwner(ttlMs: bigint): bigint {
  return BigInt.asIntN(64, ttlMark | ttlMs);
}

/**
 * What the owner of a node says of it: no owner, a session, a container, or a TTL. The server knows TTLs from session ids by the high
 * byte, which is the number of the server for sessions; 255 is not allowed there.
 */
export function ownerKind(owner: bigint): 'none' | 'session' | 'container' | 'ttl' {
  if (owner === 0n) return 'none';
  if (owner === containerOwner) return 'container';
  return owner < 0n && owner >= -(1n << 56n) ? 'ttl' : 'session';
}

/** The TTL of a node whose owner is of the kind `ttl`, ms. */
export function ttlOf(owner: bigint): number {
  return Number(owner & largestTtl);
}

/** What the tree has to know of the data of its nodes: how long they are, bytes. */
export interface Sized {
  readonly length: number;
}

/**
 * One node of the tree with the facts that the server keeps of it (StatPersisted in zookeeper.jute).
 *
 * @typeParam Data what stands for the node's data: bytes, or where they are
 */
export class Znode<Data extends Sized = Uint8Array> {
  /** `undefined` is null, which clients see apart from empty. */
  data: Data | undefined;
  acl: readonly AclEntry[];
  readonly czxid: bigint;
  readonly ctime: number;
  /** Session id, container, TTL, or 0n: see `ownerKind`. */
  readonly owner: bigint;
  mzxid: bigint;
  pzxid: bigint;
  mtime: number;
  version = 0;
  aversion = 0;
  /** How many children were ever created here, as a 32-bit number: the next sequence number. */
  childrenCreated = 0;
  childCount = 0;
  /** For the store, which may note here that it has seen the node. */
  mark = 0;
  private names: Set<string> | undefined;

  /** @param time epoch ms */
  constructor(data: Data | undefined, acl: readonly AclEntry[], owner: bigint, zxid: bigint, time: number) {
    this.data = data;
    this.acl = acl;
    this.owner = owner;
    this.czxid = zxid;
    this.mzxid = zxid;
    this.pzxid = zxid;
    this.ctime = time;
    this.mtime = time;
  }

  /** Names of the children, where the store keeps them with the node (`MapNodes`); the order means nothing. */
  get children(): Iterable<string> {
    return this.names ?? [];
  }

  addChild(name: string): void {
    this.names ??= new Set();
    this.names.add(name);
    this.childCount = this.names.size;
  }

  removeChild(name: string): void {
    if (this.names?.delete(name) !== true) return;
    this.childCount = this.names.size;
    // An empty set would stay with every former lock directory.
    if (this.childCount === 0) this.names = undefined;
  }

  /** Takes over what may change of a node, but for its children. */
  assign(other: Znode<Data>): void {
    this.data = other.data;
    this.acl = other.acl;
    this.mzxid = other.mzxid;
    this.pzxid = other.pzxid;
    this.mtime = other.mtime;
    this.version = other.version;
    this.aversion = other.aversion;
    this.childrenCreated = other.childrenCreated;
  }

  /** As replies show it: `cversion` counts creates and deletes of children, and only sessions are owners (DataNode.copyStat). */
  stat(): Stat {
    const { childCount } = this;
    return {
      czxid: this.czxid,
      mzxid: this.mzxid,
      ctime: this.ctime,
      mtime: this.mtime,
      version: this.version,
      cversion: (this.childrenCreated * 2 - childCount) | 0,
      aversion: this.aversion,
      ephemeralOwner: ownerKind(this.owner) === 'session' ? this.owner : 0n,
      dataLength: this.data?.length ?? 0,
      numChildren: childCount,
      pzxid: this.pzxid,
    };
  }
}

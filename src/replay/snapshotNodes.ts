import { monotonicNow } from '../base/deadline.ts';
import { openAcl, type AclEntry } from '../dataTree/acl.ts';
import { isRooted } from '../dataTree/znodePath.ts';
import { JuteReader } from '../zookeeper/wire/jute.ts';
import { FileDamage } from './fileProblem.ts';
import { copiedBytes, inlineLimit, ownedInlineLimit, type StoredData } from './storedData.ts';

/** A node of a snapshot (DataNode.java, StatPersisted in zookeeper.jute). Times are epoch ms of the server's clock. */
export interface SnapshotNode {
  data: StoredData | undefined;
  acl: readonly AclEntry[];
  czxid: bigint;
  mzxid: bigint;
  ctime: number;
  mtime: number;
  version: number;
  /** How many children were ever created: `Znode.childrenCreated`, not what clients see. */
  cversion: number;
  aversion: number;
  /** See `ownerKind` of znode.ts. */
  owner: bigint;
  pzxid: bigint;
}

/** Gets what a snapshot has, in its order: sessions, then nodes, each behind its parent. */
export interface SnapshotSink {
  session(id: bigint, timeoutMs: number): void;
  /** @param path `/` for the root, which is the first one */
  node(path: string, node: SnapshotNode): void;
}

/** Behind the data of a node: long acl, then StatPersisted. */
const statBytes = 68;
/** The list that has no entry in the table (ReferenceCountedACLCache.java). */
const openAclNumber = -1n;
/** Of a path or of data, bytes; servers refuse requests of more than 1 MB unless configured otherwise (`jute.maxbuffer`). */
const largestPart = 67_108_864;
/** Of work without a pause. */
const turnMs = 4;
/** So many nodes are read between two looks at the clock. */
const nodesPerLook = 128;

/** Why reading stops: so many bytes are wanted at its position, the turn is over, the nodes have ended, or there is damage. */
type Stop = number | 'turn is over' | 'end' | FileDamage;

/** Reads the nodes of a snapshot (DataTree.serializeNode): a path and a node each, and the path `/` behind the last one. */
export class NodeReader {
  private readonly file: string;
  private readonly acls: ReadonlyMap<bigint, readonly AclEntry[]>;
  private readonly sink: SnapshotSink;
  private bytes: Buffer = Buffer.alloc(0);
  private offset = 0;
  /** Behind the last node that was read, in the bytes of the last `read`. */
  position = 0;
  /** Nodes that were read. */
  count = 0;
  /** The largest zxid of them. */
  lastZxid = 0n;

  /**
   * @param file path of the snapshot: where long data are read when they are asked for
   * @param acls the lists that nodes have, by their numbers
   */
  constructor(file: string, acls: ReadonlyMap<bigint, readonly AclEntry[]>, sink: SnapshotSink) {
    this.file = file;
    this.acls = acls;
    this.sink = sink;
  }

  /**
   * Reads the nodes that are there, for a few ms.
   *
   * @param offset of the first byte in what is unpacked
   */
  read(bytes: Buffer, offset: number): Stop {
    this.bytes = bytes;
    this.offset = offset;
    this.position = 0;
    const reader = new JuteReader(bytes);
    const until = monotonicNow() + turnMs;
    for (let read = 1; ; read++) {
      const length = this.nodeLength();
      if (typeof length !== 'number') return length;
      const end = this.position + length;
      if (end > bytes.length) return length;
      reader.moveTo(this.position, end);
      const path = reader.string();
      if (!this.isPath(path)) return new FileDamage('bad record');
      this.node(path, reader);
      this.position = end;
      if (read % nodesPerLook === 0 && monotonicNow() >= until) return 'turn is over';
    }
  }

  /** How many bytes the next node takes, or as many as are needed to know that. */
  private nodeLength(): number | 'end' | FileDamage {
    const { bytes, position } = this;
    const left = bytes.length - position;
    if (left < 5) return 5;
    const pathLength = bytes.readInt32BE(position);
    if (pathLength < 0 || pathLength > largestPart) return new FileDamage('bad length');
    if (pathLength === 1) return this.endMark();
    if (left < 8 + pathLength) return 8 + pathLength;
    const dataLength = bytes.readInt32BE(position + 4 + pathLength);
    if (dataLength < -1 || dataLength > largestPart) return new FileDamage('bad length');
    return 8 + pathLength + Math.max(0, dataLength) + statBytes;
  }

  private endMark(): 'end' | FileDamage {
    if (this.bytes[this.position + 4] !== slash) return new FileDamage('bad record');
    this.position += 5;
    return 'end';
  }

  /** The first one is the root, with an empty path. */
  private isPath(path: string): boolean {
    return this.count === 0 ? path === '' : isRooted(path);
  }

  private node(path: string, reader: JuteReader): void {
    const length = reader.int();
    const at = reader.position;
    if (length !== -1) reader.skip(length);
    const acl = this.acl(reader.long());
    const [czxid, mzxid] = [reader.long(), reader.long()];
    const [ctime, mtime] = [reader.time(), reader.time()];
    const [version, cversion, aversion] = [reader.int(), reader.int(), reader.int()];
    const [owner, pzxid] = [reader.long(), reader.long()];
    const data = this.data(at, length, owner === 0n ? inlineLimit : ownedInlineLimit);
    this.count++;
    for (const zxid of [czxid, mzxid, pzxid]) if (zxid > this.lastZxid) this.lastZxid = zxid;
    const node = { data, acl, czxid, mzxid, ctime, mtime, version, cversion, aversion, owner, pzxid };
    this.sink.node(path === '' ? '/' : path, node);
  }

  /** The lists were written before the nodes: one that is younger is not there, and nothing is known of it. */
  private acl(number: bigint): readonly AclEntry[] {
    return number === openAclNumber ? openAcl : (this.acls.get(number) ?? []);
  }

  /** @param length of the data that stand at `at`; -1 is null */
  private data(at: number, length: number, limit: number): StoredData | undefined {
    if (length === -1) return undefined;
    if (length <= limit) return copiedBytes(this.bytes, at, length);
    return { file: this.file, offset: this.offset + at, length };
  }
}

const slash = 47;

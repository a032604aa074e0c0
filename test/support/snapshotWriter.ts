import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { childPath } from '../../src/base/paths.ts';
import { openAcl, type AclEntry } from '../../src/dataTree/acl.ts';
import type { Znode } from '../../src/dataTree/znode.ts';
import { adler32 } from '../../src/replay/adler32.ts';
import type { SnapshotNode } from '../../src/replay/snapshotNodes.ts';
import type { Compression } from '../../src/replay/unpacked.ts';
import { JuteWriter } from '../../src/zookeeper/wire/jute.ts';
import { writeAclBits } from '../../src/zookeeper/wire/records.ts';

/** What stands behind the nodes: `digest` from 3.6 on, `zxid` too from 3.9 on. */
export type Trailer = 'digest' | 'zxid';

/** What a snapshot has. */
export interface SnapshotContent {
  /** Servers write -1, and 0 in logs. */
  dbId?: bigint;
  /** Time-outs (ms) by id. */
  sessions?: ReadonlyMap<bigint, number>;
  /** By path, each behind its parent; the root and ZooKeeper's own are added where they are missing. */
  nodes?: Iterable<readonly [path: string, node: Partial<SnapshotNode>]>;
  trailers?: readonly Trailer[];
  /** In the trailers. */
  zxid?: bigint;
}

/** The bytes of a snapshot, as a server writes it (FileSnap.java). */
export function snapshotBytes(content: SnapshotContent): Buffer {
  const { dbId, sessions, nodes, trailers, zxid } = { ...emptySnapshot, ...content };
  const writer = new SealedWriter();
  const byPath = new Map<string, Partial<SnapshotNode>>(ownNodes.map(path => [path, {}]));
  for (const [path, node] of nodes) byPath.set(path, node);
  writer.jute.int(0x5a4b534e).int(2).long(dbId);
  writer.jute.int(sessions.size);
  for (const [id, timeoutMs] of sessions) writer.jute.long(id).int(timeoutMs);
  const lists = aclLists(byPath.values());
  writer.jute.int(lists.size);
  for (const [acl, number] of lists) writeAclBits(writer.jute.long(number), acl);
  for (const [path, node] of byPath) {
    writeNode(writer.jute.string(path === '/' ? '' : path), { ...emptyNode, ...node }, lists);
  }
  writer.jute.string('/');
  writer.seal();
  for (const trailer of trailers) {
    writer.jute.long(zxid);
    if (trailer === 'digest') writer.jute.int(2).long(0x1234_5678_9abcn);
    writer.seal();
  }
  return writer.bytes();
}

const emptySnapshot = { dbId: -1n, sessions: new Map<bigint, number>(), nodes: [], trailers: [], zxid: 0n };

const emptyNode: SnapshotNode = {
  data: new Uint8Array(0),
  acl: openAcl,
  czxid: 0n,
  mzxid: 0n,
  ctime: 0,
  mtime: 0,
  version: 0,
  cversion: 0,
  aversion: 0,
  owner: 0n,
  pzxid: 0n,
};

/** Writes `snapshot.<zxid>`. @returns its path */
export async function saveSnapshot(
  folder: string,
  zxid: bigint,
  content: SnapshotContent,
  compression: Compression = 'none',
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `snapshot.${zxid.toString(16)}${compression === 'none' ? '' : `.${compression}`}`);
  await writeFile(path, packed(snapshotBytes({ zxid, ...content }), compression));
  return path;
}

/** Packs bytes as servers do. */
export function packed(bytes: Buffer, compression: Compression): Buffer {
  if (compression === 'none') return bytes;
  return compression === 'gz' ? gzipSync(bytes) : packSnappy(bytes);
}

/** The nodes of a tree, for `SnapshotContent.nodes`. */
export function* nodesOf(
  tree: { get(path: string): Znode | undefined },
  path = '/',
): Generator<[string, SnapshotNode]> {
  const node = tree.get(path);
  if (node === undefined) return;
  const { data, acl, czxid, mzxid, ctime, mtime, version, aversion, owner, pzxid } = node;
  const cversion = node.childrenCreated;
  yield [path, { data, acl, czxid, mzxid, ctime, mtime, version, cversion, aversion, owner, pzxid }];
  for (const name of node.children) yield* nodesOf(tree, childPath(path, name));
}

const ownNodes = ['/', '/zookeeper', '/zookeeper/quota', '/zookeeper/config'];

/** Numbers of the lists that are not open to everyone. */
function aclLists(nodes: Iterable<Partial<SnapshotNode>>): Map<readonly AclEntry[], bigint> {
  const lists = new Map<readonly AclEntry[], bigint>();
  for (const { acl = openAcl } of nodes) {
    if (acl !== openAcl && !lists.has(acl)) lists.set(acl, BigInt(lists.size + 1));
  }
  return lists;
}

function writeNode(writer: JuteWriter, node: SnapshotNode, lists: ReadonlyMap<readonly AclEntry[], bigint>): void {
  const { data } = node;
  if (data !== undefined && !(data instanceof Uint8Array)) throw new TypeError('Data of a written snapshot are bytes.');
  writer.optionalBytes(data).long(lists.get(node.acl) ?? -1n);
  writer.long(node.czxid).long(node.mzxid).time(node.ctime).time(node.mtime);
  writer.int(node.version).int(node.cversion).int(node.aversion).long(node.owner).long(node.pzxid);
}

/** Puts the checksum of all that was written behind it (SnapStream.sealStream). */
class SealedWriter {
  jute = new JuteWriter(65_536);
  private readonly parts: Buffer[] = [];
  private checksum = 1;

  seal(): void {
    this.take();
    this.jute.long(BigInt(this.checksum)).string('/');
  }

  bytes(): Buffer {
    this.take();
    return Buffer.concat(this.parts);
  }

  private take(): void {
    const part = this.jute.toFrame().subarray(4);
    this.checksum = adler32(new DataView(part.buffer, part.byteOffset, part.length), 0, part.length, this.checksum);
    this.parts.push(part);
    this.jute = new JuteWriter(65_536);
  }
}

const snappyBlock = 32_768;

/** As SnappyOutputStream of xerial/snappy-java, but nothing gets smaller: blocks are one literal each. */
function packSnappy(bytes: Buffer): Buffer {
  const parts = [Buffer.from('\x82SNAPPY\0\0\0\0\x01\0\0\0\x01', 'latin1')];
  for (let at = 0; at < bytes.length; at += snappyBlock) {
    const literal = bytes.subarray(at, at + snappyBlock);
    const block = Buffer.concat([varint(literal.length), Buffer.from([61 << 2, 0, 0]), literal]);
    block.writeUInt16LE(literal.length - 1, block.length - literal.length - 2);
    const length = Buffer.alloc(4);
    length.writeInt32BE(block.length);
    parts.push(length, block);
  }
  return Buffer.concat(parts);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}

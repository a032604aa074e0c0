import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AclEntry } from '../dataTree/acl.ts';
import { JuteReader, MalformedReplyError } from '../zookeeper/wire/jute.ts';
import { AclReader } from './aclReader.ts';
import { adler32 } from './adler32.ts';
import { ByteQueue } from './byteQueue.ts';
import { FileDamage, fileProblem } from './fileProblem.ts';
import type { Problem } from './recording.ts';
import { NodeReader, type SnapshotSink } from './snapshotNodes.ts';
import { compressionOf, unpacked } from './unpacked.ts';

/** What a snapshot is, as far as it could be read. */
export interface SnapshotResult {
  dbId: bigint;
  /** The largest zxid of all nodes and, from 3.6 on, of what stands behind them: no node is newer. */
  lastZxid: bigint;
  nodes: number;
  /** Why it ends early, or is not to be trusted (`wrong checksum`). */
  problem?: Problem;
}

/** "ZKSN" (FileSnap.java). */
const magic = 0x5a4b534e;
const knownVersion = 2;
/** int magic, int version, long dbId. */
const headerBytes = 16;
/** long id, int timeout. */
const sessionBytes = 12;
/** Of one list, bytes. */
const largestAcl = 1_048_576;
/** long checksum, string "/". */
const sealBytes = 13;
/** ZxidDigest (DataTree.java): long zxid, int version, long digest. */
const digestBytes = 20;
/** long lastProcessedZxid. */
const lastZxidBytes = 8;

/**
 * Reads a snapshot (FileSnap.java), plain or packed as the name of its file says, in turns of a few ms; the file is never in memory as
 * a whole. Nodes come as they are read: that a byte was changed shows only at the end, as `wrong checksum`.
 *
 * @param options.acls makes equal ACL lists one, of several files too
 * @throws the reason of the signal; what `sink` throws
 */
export async function readSnapshot(
  path: string,
  sink: SnapshotSink,
  { signal, acls = new AclReader() }: { signal?: AbortSignal; acls?: AclReader } = {},
): Promise<SnapshotResult> {
  const reading = new SnapshotReading(path, sink, acls, signal);
  const { result } = reading;
  try {
    await reading.read();
  } catch (error) {
    if (signal?.aborted === true) throw error;
    result.problem = { file: basename(path), offset: reading.offset, what: fileProblem(error) };
  } finally {
    await reading.close();
  }
  return result;
}

/** A snapshot that is being read. Its methods throw FileDamage for what is none. */
class SnapshotReading {
  readonly result: SnapshotResult = { dbId: 0n, lastZxid: 0n, nodes: 0 };
  private readonly path: string;
  private readonly sink: SnapshotSink;
  private readonly signal: AbortSignal | undefined;
  private readonly source: AsyncGenerator<Buffer>;
  private readonly queue: ByteQueue;
  private readonly aclReader: AclReader;
  private readonly acls = new Map<bigint, readonly AclEntry[]>();
  /** Of all that was passed. */
  private checksum = 1;

  constructor(path: string, sink: SnapshotSink, acls: AclReader, signal: AbortSignal | undefined) {
    this.path = path;
    this.aclReader = acls;
    this.sink = sink;
    this.signal = signal;
    this.source = unpacked(path, compressionOf(path));
    this.queue = new ByteQueue(this.source);
  }

  /** Of what is read next, in what is unpacked. */
  get offset(): number {
    return this.queue.offset;
  }

  async close(): Promise<void> {
    await this.source.return(undefined);
  }

  async read(): Promise<void> {
    await this.header();
    await this.sessions();
    await this.aclLists();
    const nodes = new NodeReader(this.path, this.acls, this.sink);
    try {
      while (await this.nodes(nodes));
    } finally {
      this.result.nodes = nodes.count;
      this.sawZxid(nodes.lastZxid);
    }
    await this.trailers();
  }

  private async needs(bytes: number): Promise<void> {
    this.signal?.throwIfAborted();
    if (!(await this.queue.has(bytes))) throw new FileDamage('truncated snapshot');
  }

  /** What was read counts for the checksum. */
  private pass(bytes: number): DataView {
    const { buffer, byteOffset, byteLength } = this.queue.take(bytes);
    const view = new DataView(buffer, byteOffset, byteLength);
    this.checksum = adler32(view, 0, byteLength, this.checksum);
    return view;
  }

  private async take(bytes: number): Promise<DataView> {
    await this.needs(bytes);
    return this.pass(bytes);
  }

  private async header(): Promise<void> {
    const hasMagic = await this.queue.has(4);
    const { bytes } = this.queue;
    if (bytes.length === 0) throw new FileDamage('empty file');
    if (!hasMagic || bytes.readInt32BE() !== magic) throw new FileDamage('not a snapshot');
    await this.needs(headerBytes);
    if (this.queue.bytes.readInt32BE(4) !== knownVersion) throw new FileDamage('unknown version');
    this.result.dbId = this.pass(headerBytes).getBigInt64(8);
  }

  private async sessions(): Promise<void> {
    for (let left = await this.count(); left > 0;) {
      await this.needs(sessionBytes);
      const there = Math.min(left, Math.floor(this.queue.bytes.length / sessionBytes));
      const view = this.pass(there * sessionBytes);
      for (let at = 0; at < view.byteLength; at += sessionBytes) {
        this.sink.session(view.getBigInt64(at), view.getInt32(at + 8));
      }
      left -= there;
    }
  }

  private async count(): Promise<number> {
    const count = (await this.take(4)).getInt32(0);
    if (count < 0) throw new FileDamage('bad length');
    return count;
  }

  /** The lists that nodes have (ReferenceCountedACLCache.java): a number and a list each. */
  private async aclLists(): Promise<void> {
    for (let left = await this.count(); left > 0;) {
      const bytes = this.aclList();
      if (bytes !== undefined) {
        this.pass(bytes);
        left--;
      } else if (this.queue.bytes.length > largestAcl) throw new FileDamage('bad record');
      else await this.needs(this.queue.bytes.length + 1);
    }
  }

  /** @returns how many bytes it takes; `undefined` when there are not enough of them yet */
  private aclList(): number | undefined {
    const reader = new JuteReader(this.queue.bytes);
    try {
      this.acls.set(reader.long(), this.aclReader.read(reader));
      return reader.position;
    } catch (error) {
      if (error instanceof MalformedReplyError) return undefined;
      throw error;
    }
  }

  /** Reads the nodes that are there, for a few ms. @returns whether there may be more */
  private async nodes(nodes: NodeReader): Promise<boolean> {
    const stop = nodes.read(this.queue.bytes, this.offset);
    this.pass(nodes.position);
    if (stop === 'end') return false;
    if (stop === 'turn is over') await setImmediate();
    else if (typeof stop === 'number') await this.needs(stop);
    else throw stop;
    this.signal?.throwIfAborted();
    return true;
  }

  /** Each trailer ends with a seal; those that later releases may add are not looked at. */
  private async trailers(): Promise<void> {
    await this.seal();
    if (await this.queue.has(digestBytes + sealBytes)) {
      this.sawZxid((await this.take(digestBytes)).getBigInt64(0));
      await this.seal();
    }
    if (await this.queue.has(1)) {
      this.sawZxid((await this.take(lastZxidBytes)).getBigInt64(0));
      await this.seal();
    }
  }

  private async seal(): Promise<void> {
    await this.needs(sealBytes);
    const { checksum } = this;
    const isRight = this.queue.bytes.readBigInt64BE() === BigInt(checksum);
    if (!isRight) throw new FileDamage('wrong checksum');
    this.pass(sealBytes);
  }

  private sawZxid(zxid: bigint): void {
    if (zxid > this.result.lastZxid) this.result.lastZxid = zxid;
  }
}

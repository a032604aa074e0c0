import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPath } from '../../src/base/paths.ts';
import { openAcl, type AclEntry } from '../../src/dataTree/acl.ts';
import { adler32 } from '../../src/replay/adler32.ts';
import { JuteWriter } from '../../src/zookeeper/wire/jute.ts';
import { writeAclBits } from '../../src/zookeeper/wire/records.ts';

/** Types of records (ZooDefs.OpCode). */
export const RecordType = {
  error: -1,
  createSession: -10,
  closeSession: -11,
  create: 1,
  delete: 2,
  setData: 5,
  setAcl: 7,
  check: 13,
  multi: 14,
  create2: 15,
  reconfig: 16,
  createContainer: 19,
  deleteContainer: 20,
  createTtl: 21,
} as const;

/** Which node a `create` makes. */
export interface NewNode {
  data?: Uint8Array | string | undefined;
  acl?: readonly AclEntry[];
  ephemeral?: boolean;
  container?: boolean;
  ttlMs?: number;
  /** Ten digits are added to the path, as the server does. */
  sequential?: boolean;
}

/** A part of a multi. */
export interface Part {
  type: number;
  write: (writer: JuteWriter) => void;
}

/** What a log is like. */
export interface LogWriterOptions {
  /** Of the first record. Default: 1n */
  zxid?: bigint;
  /** Of the first record, epoch ms; each further record is 1 ms later. */
  time?: number;
  dbId?: bigint;
  /** As 3.6 and later write them: with a digest behind each record and paths in `closeSession`. Default: true */
  isModern?: boolean;
  /** Zeros at the end of a file, bytes. Default: 4096 */
  padding?: number;
}

/**
 * Writes transaction logs as a server does. All methods that add a record return its zxid; `zxid` and `time` of the next one may be set
 * before. What the server keeps of nodes is kept as far as records need it: counts of children, and the nodes of sessions.
 */
export class LogWriter {
  /** Of the next record. */
  zxid: bigint;
  /** Of the next record, epoch ms. */
  time: number;
  /** How much later the record after it is, ms. */
  step = 1;
  private readonly dbId: bigint;
  private readonly isModern: boolean;
  private readonly padding: number;
  private chunks: Buffer[] = [];
  private first: bigint | undefined;
  private readonly cxids = new Map<bigint, number>();
  private readonly created = new Map<string, number>();
  private readonly ephemerals = new Map<bigint, Set<string>>();
  private nextSession = 0x1000_0000_0000_0001n;

  constructor(options: LogWriterOptions = {}) {
    this.zxid = options.zxid ?? 1n;
    this.time = options.time ?? 1_700_000_000_000;
    this.dbId = options.dbId ?? 0n;
    this.isModern = options.isModern ?? true;
    this.padding = options.padding ?? 4_096;
  }

  /** Opens a session. @returns its id */
  createSession(timeoutMs = 30_000, id = this.nextSession++): bigint {
    this.cxids.set(id, 0);
    this.record(id, 0, RecordType.createSession, writer => writer.int(timeoutMs));
    return id;
  }

  /** Ends a session, by its client or (`expired`) by the server; its ephemeral nodes go. */
  closeSession(session: bigint, how: 'closed' | 'expired' = 'closed'): bigint {
    const paths = [...(this.ephemerals.get(session) ?? [])];
    this.ephemerals.delete(session);
    const cxid = how === 'closed' ? this.nextCxid(session) : 0;
    return this.record(session, cxid, RecordType.closeSession, writer => {
      if (this.isModern) writer.strings(paths);
    });
  }

  /** Creates a node. @returns its path, which has a sequence number if that is asked for */
  create(session: bigint, asked: string, node: NewNode = {}): string {
    const { path, part } = this.createPart(session, asked, node);
    this.add(session, part);
    return path;
  }

  /** Deletes a node. @param session who does it; 0n: the server, for a container or TTL node */
  delete(session: bigint, path: string): bigint {
    return this.add(session, this.deletePart(session, path));
  }

  /** @param version of the data afterwards */
  setData(session: bigint, path: string, data: Uint8Array | string | undefined, version: number): bigint {
    return this.add(session, this.setDataPart(path, data, version));
  }

  setAcl(session: bigint, path: string, acl: readonly AclEntry[], version: number): bigint {
    return this.add(session, {
      type: RecordType.setAcl,
      write: writer => {
        writeAclBits(writer.string(path), acl);
        writer.int(version);
      },
    });
  }

  /** A request that was refused. */
  error(session: bigint, code: number): bigint {
    return this.add(session, this.errorPart(code));
  }

  /** All parts, or with an error part none, happen. */
  multi(session: bigint, parts: readonly Part[]): bigint {
    return this.add(session, {
      type: RecordType.multi,
      write: writer => {
        writer.int(parts.length);
        for (const part of parts) {
          const nested = new JuteWriter();
          part.write(nested);
          writer.int(part.type).bytes(nested.toFrame().subarray(4));
        }
      },
    });
  }

  createPart(session: bigint, asked: string, node: NewNode = {}): { path: string; part: Part } {
    const parent = parentPath(asked);
    const count = this.created.get(parent) ?? 0;
    this.created.set(parent, count + 1);
    const path = node.sequential === true ? asked + String(count).padStart(10, '0') : asked;
    if (node.ephemeral === true) this.addEphemeral(session, path);
    const data = bytesOf(node.data ?? '');
    const acl = node.acl ?? openAcl;
    const type = typeOf(node);
    const write = (writer: JuteWriter): void => {
      writeAclBits(writer.string(path).bytes(data), acl);
      if (type === RecordType.create) writer.bool(node.ephemeral === true);
      writer.int(count + 1);
      if (node.ttlMs !== undefined) writer.long(BigInt(node.ttlMs));
    };
    return { path, part: { type, write } };
  }

  deletePart(session: bigint, path: string): Part {
    for (const paths of this.ephemerals.values()) paths.delete(path);
    const type = session === 0n ? RecordType.deleteContainer : RecordType.delete;
    return { type, write: writer => writer.string(path) };
  }

  setDataPart(path: string, data: Uint8Array | string | undefined, version: number): Part {
    const bytes = data === undefined ? undefined : bytesOf(data);
    return { type: RecordType.setData, write: writer => writer.string(path).optionalBytes(bytes).int(version) };
  }

  checkPart(path: string, version: number): Part {
    return { type: RecordType.check, write: writer => writer.string(path).int(version) };
  }

  errorPart(code: number): Part {
    return { type: RecordType.error, write: writer => writer.int(code) };
  }

  /** Adds a request of a session. */
  add(session: bigint, { type, write }: Part): bigint {
    return this.record(session, session === 0n ? 0 : this.nextCxid(session), type, write);
  }

  /** Adds any record, valid or not. */
  record(session: bigint, cxid: number, type: number, write: (writer: JuteWriter) => void): bigint {
    const { zxid } = this;
    const writer = new JuteWriter(192);
    writer.long(session).int(cxid).long(zxid).time(this.time).int(type);
    write(writer);
    if (this.isModern) writer.int(2).long(zxid * 0x9e37_79b9n);
    this.first ??= zxid;
    this.chunks.push(recordOf(writer.toFrame()));
    this.zxid += 1n;
    this.time += this.step;
    return zxid;
  }

  /** @returns the file with the records since the last `bytes` or `save`; the next record begins another file */
  bytes(): Buffer {
    return Buffer.concat(this.takeChunks());
  }

  /** Writes `log.<first zxid>`; the next record begins another file. @returns its path */
  async save(folder: string): Promise<string> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `log.${(this.first ?? this.zxid).toString(16)}`);
    const chunks = this.takeChunks();
    const file = await open(path, 'w');
    try {
      for (let at = 0; at < chunks.length; at += 4_096) {
        await file.write(Buffer.concat(chunks.slice(at, at + 4_096)));
      }
    } finally {
      await file.close();
    }
    return path;
  }

  private takeChunks(): Buffer[] {
    const header = Buffer.from('ZKLG\0\0\0\x02\0\0\0\0\0\0\0\0', 'latin1');
    header.writeBigInt64BE(this.dbId, 8);
    const chunks = [header, ...this.chunks, Buffer.alloc(this.padding)];
    this.chunks = [];
    this.first = undefined;
    return chunks;
  }

  private nextCxid(session: bigint): number {
    const cxid = (this.cxids.get(session) ?? 0) + 1;
    this.cxids.set(session, cxid);
    return cxid;
  }

  private addEphemeral(session: bigint, path: string): void {
    const paths = this.ephemerals.get(session);
    if (paths === undefined) this.ephemerals.set(session, new Set([path]));
    else paths.add(path);
  }
}

/** A record as it stands in a log. @param frame its length and its bytes */
export function recordOf(frame: Buffer): Buffer {
  const record = Buffer.allocUnsafe(frame.length + 9);
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  record.writeInt32BE(0, 0);
  record.writeUInt32BE(adler32(view, 4), 4);
  frame.copy(record, 8);
  record[frame.length + 8] = 0x42;
  return record;
}

function typeOf({ container, ttlMs }: NewNode): number {
  if (container === true) return RecordType.createContainer;
  return ttlMs === undefined ? RecordType.create : RecordType.createTtl;
}

function bytesOf(data: Uint8Array | string): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data) : data;
}

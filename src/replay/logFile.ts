import { basename } from 'node:path';
import { open, type FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { monotonicNow } from '../base/deadline.ts';
import type { Transaction } from '../dataTree/transaction.ts';
import { MalformedReplyError } from '../zookeeper/wire/jute.ts';
import type { AclReader } from './aclReader.ts';
import { adler32 } from './adler32.ts';
import { fileProblem } from './fileProblem.ts';
import { LogRecordReader } from './logRecord.ts';
import { findRecord, headBytes, terminator } from './recordHead.ts';
import type { Problem, ProblemKind } from './recording.ts';
import type { StoredData } from './storedData.ts';

/** One transaction with its place. */
export interface LogRecord {
  /** Of its checksum: bytes from the start of the file. */
  offset: number;
  transaction: Transaction<StoredData>;
}

/** Some records that follow each other. */
export interface LogBatch {
  /** Their zxids only grow. */
  records: LogRecord[];
  /** Offset behind the last record: where reading may go on later. */
  next: number;
  /** What ends the file before its end; comes with `isEnd`. */
  problem?: Problem;
  /** There is nothing behind it now. */
  isEnd: boolean;
}

/** "ZKLG" (FileTxnLog.java). */
const magic = 0x5a4b4c47;
const knownVersion = 2;
/** int magic, int version, long dbId. */
const headerBytes = 16;
/** So much is read at once: its records take some 3 ms. */
const chunkBytes = 262_144;
/** Servers refuse requests of more than 1 MB unless configured otherwise (`jute.maxbuffer`). */
const largestRecord = 67_108_864;
/** Behind what looks like the end of the records, so many bytes are searched: those of a large record and of the next one. */
const searchedBytes = 1_310_720;
/** Of work without a pause; who gets the records needs the rest of a turn. */
const turnMs = 4;
/** So many records are read between two looks at the clock. */
const recordsPerLook = 128;

/** Why reading stops: more bytes are wanted, the turn is over, or the file ends. */
type Stop = { kind: 'wants'; bytes: number } | { kind: 'turn is over' } | { kind: 'end'; what?: ProblemKind };

const turnIsOver: Stop = { kind: 'turn is over' };
const cleanEnd: Stop = { kind: 'end' };

function wants(bytes: number): Stop {
  return { kind: 'wants', bytes };
}

function endBy(what: ProblemKind): Stop {
  return { kind: 'end', what };
}

/**
 * Reads the records of a transaction log in order (FileTxnLog.java), in turns of a few ms; the file is never in memory as a whole, and may be
 * one that a server writes. What stands before damage is returned; a record that a crash left unfinished is a `torn tail`: no record
 * stands behind it. A record that stands there twice in a row counts once.
 *
 * @param options.acls makes equal ACL lists one, of several files too
 * @param options.from offset of a record, as `LogBatch.next` or `LogRecord.offset`; default: the first one
 * @throws the reason of the signal
 */
export async function* readLog(
  path: string,
  { from, signal, acls }: { from?: number; signal?: AbortSignal; acls?: AclReader } = {},
): AsyncGenerator<LogBatch> {
  const file = basename(path);
  const reading = new LogReading(path, { ...(from !== undefined && { from }), ...(acls && { acls }) });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { records, stop } = await reading.next();
      const next = reading.offset;
      if (stop.kind !== 'end') {
        if (records.length > 0) yield { records, next, isEnd: false };
      } else {
        yield { records, next, isEnd: true, ...(stop.what && { problem: { file, offset: next, what: stop.what } }) };
        return;
      }
    }
  } finally {
    await reading.close();
  }
}

/** Reads what stands before the records. @returns what is wrong where that is no header of a log that is known */
export async function readLogHeader(path: string): Promise<{ version: number; dbId: bigint } | ProblemKind> {
  // Following a folder asks for the headers of all logs once a second.
  const reading = new LogReading(path, { room: headerBytes });
  try {
    return await reading.header();
  } catch (error) {
    return fileProblem(error);
  } finally {
    await reading.close();
  }
}

/** A log that is being read: the bytes at hand, and where they stand in the file. */
class LogReading {
  private readonly path: string;
  private readonly reader: LogRecordReader;
  private handle: FileHandle | undefined;
  private buffer: Buffer;
  private view: DataView;
  /** Of the first byte in the buffer. */
  private base: number;
  /** Index of the next record in the buffer. */
  private at = 0;
  /** Index behind the last byte that was read. */
  private filled = 0;
  private hasHeader: boolean;
  /** The file has not as many bytes as were wanted. */
  private isCut = false;
  private lookedAgainAt = -1;
  private lastZxid: bigint | undefined;
  private lastChecksum = 0;

  /** @param room bytes that are read at once at first */
  constructor(path: string, { from, acls, room = chunkBytes }: { from?: number; acls?: AclReader; room?: number }) {
    this.path = path;
    this.buffer = Buffer.allocUnsafeSlow(room);
    this.view = viewOf(this.buffer);
    this.reader = new LogRecordReader(path, acls);
    this.base = from ?? 0;
    this.hasHeader = from !== undefined;
  }

  /** Of the next record in the file. */
  get offset(): number {
    return this.base + this.at;
  }

  async close(): Promise<void> {
    await this.handle?.close();
    this.handle = undefined;
  }

  /** Reads the records of one turn. What cannot be read ends the file. */
  async next(): Promise<{ records: LogRecord[]; stop: Stop }> {
    try {
      if (!this.hasHeader) {
        const header = await this.header();
        if (typeof header === 'string') return { records: [], stop: endBy(header) };
        this.at = headerBytes;
        this.hasHeader = true;
      }
      const records: LogRecord[] = [];
      const stop = this.turn(records);
      if (stop.kind === 'turn is over') await setImmediate();
      if (stop.kind === 'wants') this.isCut = !(await this.fill(stop.bytes));
      return { records, stop: stop.kind === 'end' && stop.what !== undefined && this.looksAgain() ? turnIsOver : stop };
    } catch (error) {
      return { records: [], stop: endBy(fileProblem(error)) };
    }
  }

  /** A server may have written the rest meanwhile. @returns whether what looks damaged is read from the file once more */
  private looksAgain(): boolean {
    const { offset } = this;
    if (this.lookedAgainAt === offset) return false;
    this.lookedAgainAt = offset;
    this.base = offset;
    this.at = 0;
    this.filled = 0;
    this.isCut = false;
    return true;
  }

  /** @throws what the file system throws */
  async header(): Promise<{ version: number; dbId: bigint } | ProblemKind> {
    if (!(await this.fill(headerBytes))) return this.filled === 0 ? 'empty file' : 'not a transaction log';
    if (this.view.getInt32(0) !== magic) return 'not a transaction log';
    const version = this.view.getInt32(4);
    return version === knownVersion ? { version, dbId: this.view.getBigInt64(8) } : 'unknown version';
  }

  /** Reads until so many bytes are there from the next record on. @returns whether the file has them */
  private async fill(wanted: number): Promise<boolean> {
    this.handle ??= await open(this.path, 'r');
    this.buffer.copyWithin(0, this.at, this.filled);
    this.base += this.at;
    this.filled -= this.at;
    this.at = 0;
    if (wanted > this.buffer.length) {
      // A length is foreign: no memory before the file is known to have that much.
      const { size } = await this.handle.stat();
      if (size - this.base < wanted) {
        await this.fill(Math.min(size - this.base, searchedBytes));
        return false;
      }
      this.grow(wanted + chunkBytes);
    }
    while (this.filled < wanted) {
      const most = Math.max(wanted - this.filled, Math.min(chunkBytes, this.buffer.length - this.filled));
      const { bytesRead } = await this.handle.read(this.buffer, this.filled, most, this.base + this.filled);
      if (bytesRead === 0) return false;
      this.filled += bytesRead;
    }
    return true;
  }

  private grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(bytes);
    this.buffer.copy(larger, 0, 0, this.filled);
    this.buffer = larger;
    this.view = viewOf(larger);
  }

  /** Adds the records that are there, for a few ms. */
  private turn(records: LogRecord[]): Stop {
    const until = monotonicNow() + turnMs;
    for (let count = 1; ; count++) {
      const stop = this.record(records);
      if (stop !== undefined) return stop;
      if (count % recordsPerLook === 0 && monotonicNow() >= until) return turnIsOver;
    }
  }

  /** Adds one record. @returns why there is none */
  private record(records: LogRecord[]): Stop | undefined {
    const { at, view, filled } = this;
    if (filled - at < headBytes) return this.isCut ? this.rest() : wants(headBytes);
    const length = view.getInt32(at + 8);
    if (length <= 0 || length > largestRecord) return this.noRecord(length);
    const start = at + headBytes;
    const end = start + length;
    if (end >= filled) return this.isCut ? this.seemingEnd(start, 'torn tail') : wants(end + 1 - at);
    const checksum = adler32(view, start, end);
    const isIntact = view.getUint32(at + 4) === checksum && view.getInt32(at) === 0;
    if (!isIntact || this.buffer[end] !== terminator) return this.damage(end, isIntact);
    return this.parse(records, start, end, checksum);
  }

  private noRecord(length: number): Stop {
    if (length !== 0) return endBy('bad length');
    const isEmpty = this.view.getBigInt64(this.at) === 0n;
    return this.seemingEnd(this.at + headBytes, isEmpty ? undefined : 'torn tail');
  }

  /**
   * The records seem to end here. They do unless an intact one follows.
   *
   * @param from index where that may begin
   * @param end what the end is; `undefined`: a clean one
   * @param damage what it is otherwise
   */
  private seemingEnd(from: number, end: 'torn tail' | undefined, damage: ProblemKind = 'bad length'): Stop {
    const { at, filled } = this;
    if (filled - at < searchedBytes && !this.isCut) return wants(searchedBytes);
    if (findRecord(this.buffer, from, Math.min(filled, at + searchedBytes)) >= 0) return endBy(damage);
    return end === undefined ? cleanEnd : endBy(end);
  }

  private parse(records: LogRecord[], start: number, end: number, checksum: number): Stop | undefined {
    let transaction;
    try {
      transaction = this.reader.read(this.buffer, start, end, this.base + start);
    } catch (error) {
      if (error instanceof MalformedReplyError) return endBy('bad record');
      throw error;
    }
    const { zxid } = transaction;
    const isNew = this.lastZxid === undefined || zxid > this.lastZxid;
    // A server that goes on after a crash may write once more what it has written.
    if (!isNew && (zxid !== this.lastZxid || checksum !== this.lastChecksum)) return endBy('zxid goes back');
    if (isNew) records.push({ offset: this.offset, transaction });
    this.lastZxid = zxid;
    this.lastChecksum = checksum;
    this.at = end + 1;
    return undefined;
  }

  /** The file ends here, with less than the head of a record. */
  private rest(): Stop {
    return this.isZero(this.at, this.filled) ? cleanEnd : endBy('torn tail');
  }

  /** What was not written is zero, as is what follows. @param end index behind the record */
  private damage(end: number, isIntact: boolean): Stop {
    const behind = end + 1 + headBytes;
    if (behind > this.filled && !this.isCut) return wants(behind - this.at);
    const what = isIntact ? 'bad record' : 'wrong checksum';
    if (!this.isZero(end, Math.min(behind, this.filled))) return endBy(what);
    // With a wrong length it is what seems to be within the record that follows it.
    return this.seemingEnd(isIntact ? end : this.at + headBytes, 'torn tail', what);
  }

  private isZero(from: number, to: number): boolean {
    return this.buffer.subarray(from, to).every(byte => byte === 0);
  }
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
}

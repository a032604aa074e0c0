import { FactError } from '../../base/factError.ts';

/** A reply does not hold what its kind promises; the connection cannot be trusted any more. */
export class MalformedReplyError extends FactError {
  constructor(what: string) {
    super('MalformedReplyError', what);
  }
}

/** A long that is a time, epoch ms. @param at where it begins, bytes */
export function timeAt(view: DataView, at: number): number {
  return view.getInt32(at) * 0x1_0000_0000 + view.getUint32(at + 4);
}

/**
 * Reads jute primitives from one frame. Every length is checked before it is used.
 *
 * All methods that read throw `MalformedReplyError` when the frame is too short or a length makes no sense.
 */
export class JuteReader {
  readonly buffer: Buffer;
  /** Of all of `buffer`. Makes one bigint of eight bytes, where a Buffer makes five. */
  readonly view: DataView;
  private offset: number;
  private end: number;

  constructor(buffer: Buffer, offset = 0) {
    this.buffer = buffer;
    this.view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
    this.offset = offset;
    this.end = buffer.length;
  }

  /** Reads another part of the buffer from now on: one reader for all records of a file. Both must be within the buffer. */
  moveTo(offset: number, end: number): void {
    this.offset = offset;
    this.end = end;
  }

  private take(bytes: number): number {
    const at = this.offset;
    if (bytes < 0 || at + bytes > this.end) {
      throw new MalformedReplyError(`${bytes} bytes wanted at ${at} of ${this.end}`);
    }
    this.offset = at + bytes;
    return at;
  }

  get isAtEnd(): boolean {
    return this.offset === this.end;
  }

  /** Where the next value begins, in bytes from the start of the buffer. */
  get position(): number {
    return this.offset;
  }

  /** Passes over bytes that are not wanted. */
  skip(bytes: number): void {
    this.take(bytes);
  }

  /** Whether a null comes next, in place of bytes, a string or a list. */
  get isAtNull(): boolean {
    return this.offset + 4 <= this.buffer.length && this.view.getInt32(this.offset) === -1;
  }

  int(): number {
    return this.view.getInt32(this.take(4));
  }

  long(): bigint {
    return this.view.getBigInt64(this.take(8));
  }

  /** A long that is a time, epoch ms: fits a number until the year 285428. */
  time(): number {
    return timeAt(this.view, this.take(8));
  }

  bool(): boolean {
    return this.buffer[this.take(1)] !== 0;
  }

  /** @returns a view into the frame, no copy; null becomes empty */
  bytes(): Uint8Array {
    const length = this.int();
    const at = this.take(length === -1 ? 0 : length);
    return this.buffer.subarray(at, this.offset);
  }

  /** As `bytes`; null stays `undefined`. */
  optionalBytes(): Uint8Array | undefined {
    const length = this.int();
    if (length === -1) return undefined;
    const at = this.take(length);
    return this.buffer.subarray(at, this.offset);
  }

  string(): string {
    const length = this.int();
    const at = this.take(length === -1 ? 0 : length);
    return this.buffer.toString('utf8', at, this.offset);
  }

  /**
   * Reads how many entries a list has; null becomes 0. Checked before anything is allocated for them.
   *
   * @param entryBytes what an entry takes at least
   */
  count(entryBytes: number): number {
    const count = this.int();
    if (count > (this.end - this.offset) / entryBytes) {
      throw new MalformedReplyError(`a list of ${count} entries`);
    }
    return Math.max(0, count);
  }

  strings(): string[] {
    const count = this.count(4);
    // Of its final length at once: a list that grows leaves twice its memory behind.
    const values = new Array<string>(count);
    for (let index = 0; index < count; index++) values[index] = this.string();
    return values;
  }
}

/** What the length of a frame takes. */
const lengthBytes = 4;

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
}

/** Writes jute primitives (zookeeper.jute: big endian; -1 as length means null) into one growing buffer. */
export class JuteWriter {
  private buffer: Buffer;
  /** Writes a bigint in one piece, where a Buffer writes eight bytes. */
  private view: DataView;
  private readonly limit: number;
  /** The length of the frame stands before what is written. */
  private offset = lengthBytes;

  /** @param limit bytes; what would be larger throws MalformedReplyError */
  constructor(initialBytes = 128, limit = Infinity) {
    this.buffer = Buffer.allocUnsafe(lengthBytes + initialBytes);
    this.view = viewOf(this.buffer);
    this.limit = lengthBytes + limit;
  }

  private reserve(bytes: number): void {
    const needed = this.offset + bytes;
    if (needed <= this.buffer.length) return;
    if (needed > this.limit) throw new MalformedReplyError(`a frame of more than ${this.limit - lengthBytes} bytes`);
    const larger = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.offset);
    this.buffer = larger;
    this.view = viewOf(larger);
  }

  int(value: number): this {
    this.reserve(4);
    this.view.setInt32(this.offset, value);
    this.offset += 4;
    return this;
  }

  long(value: bigint): this {
    this.reserve(8);
    this.view.setBigInt64(this.offset, value);
    this.offset += 8;
    return this;
  }

  /** A long that is a time, epoch ms. */
  time(value: number): this {
    this.reserve(8);
    this.view.setInt32(this.offset, Math.floor(value / 0x1_0000_0000));
    this.view.setUint32(this.offset + 4, value >>> 0);
    this.offset += 8;
    return this;
  }

  bool(value: boolean): this {
    this.reserve(1);
    this.view.setUint8(this.offset++, value ? 1 : 0);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.int(value.length);
    this.reserve(value.length);
    this.buffer.set(value, this.offset);
    this.offset += value.length;
    return this;
  }

  /** As `bytes`; `undefined` is null. */
  optionalBytes(value: Uint8Array | undefined): this {
    return value === undefined ? this.int(-1) : this.bytes(value);
  }

  string(value: string): this {
    // Three bytes for a UTF-16 unit at most: written at once, and the length when it is known.
    this.reserve(4 + 3 * value.length);
    const bytes = this.buffer.write(value, this.offset + 4);
    this.view.setInt32(this.offset, bytes);
    this.offset += 4 + bytes;
    return this;
  }

  strings(values: readonly string[]): this {
    this.int(values.length);
    for (const value of values) this.string(value);
    return this;
  }

  /** @returns what was written, preceded by its length: a whole frame, no copy. Nothing may be written after it */
  toFrame(): Buffer {
    this.view.setInt32(0, this.offset - lengthBytes);
    return this.buffer.subarray(0, this.offset);
  }
}

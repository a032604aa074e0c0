/** Writes jute primitives (zookeeper.jute: big endian; -1 as length means null) into one growing buffer. */
export class JuteWriter {
  private buffer: Buffer;
  private offset = 0;

  constructor(initialBytes = 128) {
    this.buffer = Buffer.allocUnsafe(initialBytes);
  }

  private reserve(bytes: number): void {
    const needed = this.offset + bytes;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.offset);
    this.buffer = larger;
  }

  int(value: number): this {
    this.reserve(4);
    this.offset = this.buffer.writeInt32BE(value, this.offset);
    return this;
  }

  long(value: bigint): this {
    this.reserve(8);
    this.offset = this.buffer.writeBigInt64BE(value, this.offset);
    return this;
  }

  bool(value: boolean): this {
    this.reserve(1);
    this.offset = this.buffer.writeUInt8(value ? 1 : 0, this.offset);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.int(value.length);
    this.reserve(value.length);
    this.buffer.set(value, this.offset);
    this.offset += value.length;
    return this;
  }

  string(value: string): this {
    // Three bytes for a UTF-16 unit at most: written at once, and the length when it is known.
    this.reserve(4 + 3 * value.length);
    const bytes = this.buffer.write(value, this.offset + 4);
    this.buffer.writeInt32BE(bytes, this.offset);
    this.offset += 4 + bytes;
    return this;
  }

  strings(values: readonly string[]): this {
    this.int(values.length);
    for (const value of values) this.string(value);
    return this;
  }

  /** @returns what was written, preceded by its length: a whole frame */
  toFrame(): Buffer {
    const frame = Buffer.allocUnsafe(this.offset + 4);
    frame.writeInt32BE(this.offset, 0);
    this.buffer.copy(frame, 4, 0, this.offset);
    return frame;
  }
}

/** A block holds not more for each of its bytes: the densest element is a copy of 64 bytes, which takes 3. */
const densest = 22;

/**
 * Unpacks one block of Snappy (google/snappy, format_description.txt).
 *
 * @throws RangeError for what is no block
 */
export function unpackSnappy(block: Uint8Array): Buffer {
  const unpacking = new Unpacking(block);
  while (!unpacking.isAtEnd) unpacking.element();
  return unpacking.finished();
}

/** A block that is being unpacked. Every place is checked: blocks are foreign. */
class Unpacking {
  private readonly block: Uint8Array;
  private readonly unpacked: Buffer;
  private at = 0;
  private filled = 0;

  constructor(block: Uint8Array) {
    this.block = block;
    const length = this.varint();
    if (length > block.length * densest) throw new RangeError(`${length} bytes in a block of ${block.length}`);
    this.unpacked = Buffer.allocUnsafeSlow(length);
  }

  get isAtEnd(): boolean {
    return this.at === this.block.length;
  }

  finished(): Buffer {
    if (this.filled < this.unpacked.length)
      throw new RangeError(`${this.unpacked.length - this.filled} bytes are missing`);
    return this.unpacked;
  }

  /** Reads one element: the low two bits of its first byte are its kind. */
  element(): void {
    const tag = this.number(1);
    const high = tag >>> 2;
    const kind = tag & 3;
    if (kind === 0) this.literal(high < 60 ? high + 1 : this.number(high - 59) + 1);
    else if (kind === 1) this.copy((high & 7) + 4, ((tag >>> 5) << 8) + this.number(1));
    else this.copy(high + 1, this.number(kind === 2 ? 2 : 4));
  }

  private literal(length: number): void {
    const end = this.at + length;
    if (end > this.block.length) throw new RangeError(`a literal of ${length} bytes at ${this.at}`);
    this.reserve(length);
    this.unpacked.set(this.block.subarray(this.at, end), this.filled);
    this.at = end;
    this.filled += length;
  }

  private copy(length: number, distance: number): void {
    if (distance === 0 || distance > this.filled) throw new RangeError(`a copy from ${distance} bytes before`);
    this.reserve(length);
    const { unpacked, filled } = this;
    if (distance >= length) unpacked.copyWithin(filled, filled - distance, filled - distance + length);
    // What is copied may begin with what the copy itself adds.
    else for (let to = filled; to < filled + length; to++) unpacked[to] = unpacked[to - distance] ?? 0;
    this.filled += length;
  }

  private reserve(length: number): void {
    if (this.filled + length > this.unpacked.length) throw new RangeError('more bytes than the block says');
  }

  /** Little endian. */
  private number(bytes: number): number {
    let value = 0;
    for (let place = 0; place < bytes; place++) value += this.byte() * 0x100 ** place;
    return value;
  }

  /** Seven bits in a byte, the low ones first; the eighth says that more follow. */
  private varint(): number {
    let value = 0;
    for (let place = 0; place < 5; place++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 0x80 ** place;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a length of more than five bytes');
  }

  private byte(): number {
    const byte = this.block[this.at++];
    if (byte === undefined) throw new RangeError('the block ends early');
    return byte;
  }
}

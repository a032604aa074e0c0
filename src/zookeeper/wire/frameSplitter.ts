import { MalformedReplyError } from './jute.ts';

export interface Frame {
  /** Without the length. For an oversize frame only its first bytes (`headerBytes`); the rest was thrown away. */
  body: Buffer;
  /** Set when the frame was larger than the limit: its length in bytes. */
  oversize?: number;
}

/** What an oversize frame keeps: the reply header (xid 4, zxid 8, error 4). */
export const headerBytes = 16;

/** Above this a length is no reply of a ZooKeeper at all: "HTTP", "SSH-" and TLS alerts read as 350 MB and more. */
const absurdLength = 0x1400_0000;

/** Pieces of one frame that are kept apart. */
const mostChunks = 4_096;

/**
 * Cuts the byte stream of one connection into frames, iteratively and without copying a byte twice
 * (docs/faults.md: D7 stale bytes, D10/D22 lengths, D23 quadratic copying). One per connection.
 */
export class FrameSplitter {
  private readonly limit: number;
  private chunks: Buffer[] = [];
  private buffered = 0;
  /** Length of the frame that is being collected, or -1 while it is unknown. */
  private wanted = -1;
  /** Bytes of an oversize frame that are still to be thrown away. */
  private toSkip = 0;

  /** @param limit largest frame that is kept whole, bytes */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether a frame has begun and is not complete. */
  get isMidFrame(): boolean {
    return this.buffered > 0 || this.wanted !== -1 || this.toSkip > 0;
  }

  /**
   * @returns the frames that `chunk` completes, in order
   * @throws MalformedReplyError for a length that no ZooKeeper server would send
   */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    let rest = this.skip(chunk);
    if (rest.length > 0) {
      this.chunks.push(rest);
      this.buffered += rest.length;
      // A frame that comes byte by byte would take hundreds of times its size.
      if (this.chunks.length > mostChunks) this.chunks = [Buffer.concat(this.chunks)];
    }
    for (let frame = this.next(); frame !== undefined; frame = this.next()) {
      frames.push(frame);
      if (this.toSkip > 0 && this.buffered > 0) {
        rest = this.skip(this.take(this.buffered));
        if (rest.length > 0) {
          this.chunks = [rest];
          this.buffered = rest.length;
        }
      }
    }
    return frames;
  }

  private skip(chunk: Buffer): Buffer {
    const skipped = Math.min(this.toSkip, chunk.length);
    this.toSkip -= skipped;
    return skipped === 0 ? chunk : chunk.subarray(skipped);
  }

  private next(): Frame | undefined {
    if (this.wanted === -1) {
      if (this.buffered < 4) return undefined;
      this.wanted = this.take(4).readInt32BE(0);
      if (this.wanted <= 0 || this.wanted > absurdLength) {
        throw new MalformedReplyError(`a frame of ${this.wanted} bytes`);
      }
    }
    const length = this.wanted;
    const oversize = length > this.limit;
    const kept = oversize ? headerBytes : length;
    if (this.buffered < kept) return undefined;
    this.wanted = -1;
    if (!oversize) return { body: this.take(kept) };
    this.toSkip = length - kept;
    return { body: this.take(kept), oversize: length };
  }

  private take(bytes: number): Buffer {
    this.buffered -= bytes;
    const first = this.chunks[0];
    if (first !== undefined && first.length > bytes) {
      this.chunks[0] = first.subarray(bytes);
      return first.subarray(0, bytes);
    }
    if (first?.length === bytes) {
      this.chunks.shift();
      return first;
    }
    return this.gather(bytes);
  }

  /** Puts together what lies in several chunks. What comes behind it stays where it is: in bulk reads that is more than is copied. */
  private gather(bytes: number): Buffer {
    const whole = Buffer.allocUnsafe(bytes);
    let filled = 0;
    this.chunks = this.chunks.flatMap(chunk => {
      const used = chunk.copy(whole, filled);
      filled += used;
      return used === chunk.length ? [] : [chunk.subarray(used)];
    });
    return whole;
  }
}

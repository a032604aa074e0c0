/** Longer than any real frame: what claims more is not length-prefixed (a banner, a four-letter word). */
const longest = 64 * 1024 * 1024;

/** Cuts a byte stream into length-prefixed frames. Bytes that are no such stream pass as they come. */
export class FrameSplitter {
  private rest = Buffer.alloc(0);
  private framed = true;

  /** @returns the parts that are complete now, each with its length prefix; `raw` where there are no frames */
  push(chunk: Buffer): { bytes: Buffer; raw: boolean }[] {
    if (!this.framed) return [{ bytes: chunk, raw: true }];
    this.rest = Buffer.concat([this.rest, chunk]);
    const parts: { bytes: Buffer; raw: boolean }[] = [];
    while (this.rest.length >= 4) {
      const length = this.rest.readInt32BE(0);
      if (length < 0 || length > longest) {
        this.framed = false;
        parts.push({ bytes: this.rest, raw: true });
        this.rest = Buffer.alloc(0);
        break;
      }
      if (this.rest.length < 4 + length) break;
      parts.push({ bytes: this.rest.subarray(0, 4 + length), raw: false });
      this.rest = this.rest.subarray(4 + length);
    }
    return parts;
  }
}

/** Puts the length before a payload. */
export function toFrame(payload: Uint8Array): Buffer {
  const frame = Buffer.alloc(4 + payload.length);
  frame.writeInt32BE(payload.length, 0);
  frame.set(payload, 4);
  return frame;
}

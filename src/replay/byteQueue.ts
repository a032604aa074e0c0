/** Bytes that come in pieces and are read in order; what was read makes room for what comes. */
export class ByteQueue {
  private readonly source: AsyncIterator<Buffer>;
  private room = Buffer.allocUnsafeSlow(65_536);
  private start = 0;
  private end = 0;
  private base = 0;

  /** @param source is not ended by the queue */
  constructor(source: AsyncIterator<Buffer>) {
    this.source = source;
  }

  /** What is there and was not read. A view: it stays as it is until more bytes come. */
  get bytes(): Buffer {
    return this.room.subarray(this.start, this.end);
  }

  /** Of the next byte, from the start of all. */
  get offset(): number {
    return this.base + this.start;
  }

  /** Waits until so many bytes are there. @returns whether there are so many before the end */
  async has(wanted: number): Promise<boolean> {
    while (this.end - this.start < wanted) {
      const step = await this.source.next();
      if (step.done === true) return false;
      this.append(step.value);
    }
    return true;
  }

  /** Takes bytes that are there. @returns a view: it stays as it is until more bytes come */
  take(count: number): Buffer {
    const from = this.start;
    this.start += count;
    return this.room.subarray(from, this.start);
  }

  private append(chunk: Buffer): void {
    const { start } = this;
    if (this.end + chunk.length > this.room.length) {
      const left = this.end - start;
      const needed = left + chunk.length;
      const room = needed > this.room.length ? Buffer.allocUnsafeSlow(needed * 2) : this.room;
      this.room.copy(room, 0, start, this.end);
      this.room = room;
      this.base += start;
      this.start = 0;
      this.end = left;
    }
    chunk.copy(this.room, this.end);
    this.end += chunk.length;
  }
}

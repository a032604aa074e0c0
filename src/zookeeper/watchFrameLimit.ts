/** Frames that register watches stay below this, bytes (D9; ZOOKEEPER-706 uses the same limit). */
const firstLimit = 128 * 1024;
/** Room for a long path; a server that does not take this much can hardly be used. */
const lowestLimit = 4 * 1024;

/**
 * How large the frames may be that register a session's watches again. A server whose `jute.maxbuffer` is smaller closes the
 * connection without an answer, so frames are halved until one connection has answered them all.
 */
export class WatchFrameLimit {
  private limit = firstLimit;
  /** Sizes of the frames without an answer on this connection, in the order in which they were sent. */
  private unanswered: number[] = [];

  /** For the next frames, bytes. */
  get bytes(): number {
    return this.limit;
  }

  sent(frames: readonly Uint8Array[]): void {
    this.unanswered.push(...frames.map(frame => frame.length));
  }

  /** The server answered the oldest frame. */
  answered(): void {
    this.unanswered.shift();
  }

  /**
   * The connection is over.
   *
   * @param byServer whether the server closed it
   * @returns the size of the largest frame that it did not answer, if smaller frames are worth a try
   */
  ended(byServer: boolean): number | undefined {
    const largest = Math.max(0, ...this.unanswered);
    this.unanswered = [];
    if (!byServer || largest <= lowestLimit) return undefined;
    this.limit = Math.max(lowestLimit, Math.floor(Math.min(this.limit, largest) / 2));
    return largest;
  }
}

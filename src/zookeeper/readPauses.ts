import type { Duplex } from 'node:stream';
import type { MonotonicClock } from '../base/deadline.ts';
import { TokenBucket } from '../base/tokenBucket.ts';

/** More frames a second, for longer than such a burst takes, come fast. */
const framesPerSecond = 100;
const burst = 200;
/** So much later may something be read, ms. */
const pauseMs = 50;

/**
 * Leaves in the socket what comes fast, to read it together: each time that the program is woken up for a frame costs more than what is then
 * read. Only for a connection of which no answer is awaited.
 */
export class ReadPauses {
  private readonly socket: Pick<Duplex, 'pause' | 'resume'>;
  private readonly bucket: TokenBucket;
  private timer: NodeJS.Timeout | undefined;

  constructor(socket: Pick<Duplex, 'pause' | 'resume'>, clock: MonotonicClock) {
    this.socket = socket;
    this.bucket = new TokenBucket(framesPerSecond, burst, clock);
  }

  /** So many frames came. They count while an answer is awaited, too: where there are many answers, most events come with one. */
  noteFrames(count: number, isAwaiting: boolean): void {
    // However many came, two seconds without them end it.
    this.bucket.take(Math.min(count, this.bucket.left + burst));
    if (isAwaiting || this.timer !== undefined || this.bucket.left >= 0) return;
    this.socket.pause();
    this.timer = setTimeout(() => this.end(), pauseMs);
  }

  /** Reads on. */
  end(): void {
    if (this.timer === undefined) return;
    this.dispose();
    this.socket.resume();
  }

  /** The connection is over. */
  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

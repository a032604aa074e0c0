import type { Duplex } from 'node:stream';
import type { MonotonicClock } from '../base/deadline.ts';
import { RateMeter } from '../base/rateMeter.ts';

/** More frames a second, for longer than such a burst takes, come fast: 60 events, with an answer for each. */
const framesPerSecond = 120;
const burst = 600;
/** So much later may something be read, ms. */
const pauseMs = 100;

/**
 * Leaves in the socket what comes fast, to read it together: each time that the program is woken up for a frame costs more than what is then
 * read. Only for a connection of which no answer is awaited.
 */
export class ReadPauses {
  private readonly socket: Pick<Duplex, 'pause' | 'resume'>;
  private readonly frames: RateMeter;
  private timer: NodeJS.Timeout | undefined;

  constructor(socket: Pick<Duplex, 'pause' | 'resume'>, clock: MonotonicClock) {
    this.socket = socket;
    this.frames = new RateMeter(framesPerSecond, burst, clock);
  }

  /** So many frames came. They count while an answer is awaited, too: where there are many answers, most events come with one. */
  noteFrames(count: number, isAwaiting: boolean): void {
    this.frames.note(count);
    if (isAwaiting || this.timer !== undefined || !this.frames.isFast) return;
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

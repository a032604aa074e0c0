import type { Moment } from '../history/hold.ts';
import type { Instant } from './recording.ts';

/** Moments in a row whose zxids count up by one: what an epoch has between two gaps, in parts that are gone through quickly. */
interface Run {
  /** Of its first moment. */
  zxid: bigint;
  time: number;
  /** Smallest time of the run. */
  earliest: number;
  count: number;
  /** Where its times begin in `bytes`. */
  start: number;
}

const longestRun = 1_024;
/** A larger difference of times, ms, is no exact number when it is doubled. */
const largestStep = 2 ** 50;

/**
 * Which transactions there are, and when: zxid and time of each. A time takes one or two bytes, as the difference to the one before
 * (zigzag, then 7 bits in each byte, lowest first); a zxid takes none, since it is the next one.
 */
export class MomentIndex {
  private readonly runs: Run[] = [];
  private bytes = new Uint8Array(4_096);
  private used = 0;
  private total = 0;
  private lastZxid = 0n;
  private lastTime = 0;
  /** The zxid behind it. */
  private next = 0n;
  /** The run that was looked at last, and its times: looks mostly follow each other in the order of the moments. */
  private seenRun: Run | undefined;
  private seenTimes: readonly number[] = [];

  /** How many moments there are. */
  get count(): number {
    return this.total;
  }

  get first(): Moment | undefined {
    const [run] = this.runs;
    return run && { zxid: run.zxid, time: run.time };
  }

  get last(): Moment | undefined {
    return this.total === 0 ? undefined : { zxid: this.lastZxid, time: this.lastTime };
  }

  /** @param zxid larger than all before */
  add(zxid: bigint, time: number): void {
    const run = this.runs.at(-1);
    const step = time - this.lastTime;
    const continues = run !== undefined && run.count < longestRun && zxid === this.next;
    if (continues && Math.abs(step) < largestStep) {
      this.write(step);
      run.count++;
      if (time < run.earliest) run.earliest = time;
    } else this.runs.push({ zxid, time, earliest: time, count: 1, start: this.used });
    this.total++;
    this.lastZxid = zxid;
    this.lastTime = time;
    this.next = zxid + 1n;
  }

  /** The last moment at or before an instant; the first one where there is none. */
  at(instant: Instant): Moment | undefined {
    return 'zxid' in instant ? this.atZxid(instant.zxid) : this.atTime(instant.time);
  }

  /** Whether there is a moment with this zxid and another time: then it is of another history. */
  contradicts({ zxid, time }: Moment): boolean {
    const known = this.atZxid(zxid);
    return known?.zxid === zxid && known.time !== time;
  }

  private atZxid(zxid: bigint): Moment | undefined {
    let low = 0;
    let high = this.runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const run = this.runs[middle];
      if (run !== undefined && run.zxid <= zxid) low = middle + 1;
      else high = middle;
    }
    const run = this.runs[low - 1];
    if (run === undefined) return this.first;
    const behind = zxid - run.zxid;
    const place = behind >= BigInt(run.count) ? run.count - 1 : Number(behind);
    return momentOf(run, place, this.timesOf(run));
  }

  private atTime(time: number): Moment | undefined {
    // The last one: clocks of leaders differ, so an early time may come again.
    const run = this.runs.findLast(({ earliest }) => earliest <= time);
    if (run === undefined) return this.first;
    const times = this.timesOf(run);
    return momentOf(
      run,
      times.findLastIndex(each => each <= time),
      times,
    );
  }

  private timesOf(run: Run): readonly number[] {
    if (this.seenRun !== run || this.seenTimes.length !== run.count) {
      this.seenTimes = this.readTimes(run);
      this.seenRun = run;
    }
    return this.seenTimes;
  }

  private readTimes(run: Run): number[] {
    const times = [run.time];
    let at = run.start;
    let { time } = run;
    while (times.length < run.count) {
      let value = 0;
      let weight = 1;
      let byte: number;
      do {
        byte = this.bytes[at++] ?? 0;
        value += (byte & 0x7f) * weight;
        weight *= 128;
      } while (byte >= 0x80);
      time += value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      times.push(time);
    }
    return times;
  }

  private write(difference: number): void {
    // Below 2^51: 8 bytes.
    if (this.used + 10 > this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    let value = difference >= 0 ? difference * 2 : -difference * 2 - 1;
    for (; value >= 0x80; value = Math.floor(value / 128)) this.bytes[this.used++] = (value % 128) | 0x80;
    this.bytes[this.used++] = value;
  }
}

function momentOf({ zxid, time }: Run, place: number, times: readonly number[]): Moment {
  return { zxid: zxid + BigInt(place), time: times[place] ?? time };
}

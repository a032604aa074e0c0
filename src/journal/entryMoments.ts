import type { Moment } from '../history/hold.ts';
import type { Instant } from '../replay/recording.ts';

/** Times that are looked at together. */
const blockLength = 1_024;

/** The moments of a journal by number, in the order of their zxids. Moments may share a zxid: then only their order distinguishes them. */
export class EntryMoments {
  private zxids = new BigInt64Array(blockLength);
  private times = new Float64Array(blockLength);
  /** The earliest time of each block: clocks of leaders differ, so times may go back. */
  private readonly earliest: number[] = [];
  private used = 0;

  get count(): number {
    return this.used;
  }

  /** @param moment whose zxid is not smaller than those before @returns its number */
  add({ zxid, time }: Moment): number {
    if (this.used === this.times.length) this.grow();
    this.zxids[this.used] = zxid;
    this.times[this.used] = time;
    const block = Math.floor(this.used / blockLength);
    this.earliest[block] = Math.min(this.earliest[block] ?? Infinity, time);
    this.used++;
    return this.used - 1;
  }

  /** @throws RangeError where there is none with that number */
  get(at: number): Moment {
    const zxid = this.zxids[at];
    const time = this.times[at];
    if (at >= this.used || zxid === undefined || time === undefined) throw new RangeError(`no moment ${at}`);
    return { zxid, time };
  }

  /** The number of the last moment at or before an instant; 0 where there is none. */
  find(instant: Instant): number {
    return Math.max(0, 'zxid' in instant ? this.behind(instant.zxid) - 1 : this.lastUntil(instant.time));
  }

  /** The number of the first moment with a larger zxid. */
  behind(zxid: bigint): number {
    let low = 0;
    let high = this.used;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.zxids[middle] ?? 0n) <= zxid) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private lastUntil(time: number): number {
    const block = this.earliest.findLastIndex(each => each <= time);
    if (block < 0) return -1;
    const end = Math.min(this.used, (block + 1) * blockLength);
    let at = end - 1;
    while ((this.times[at] ?? Infinity) > time) at--;
    return at;
  }

  private grow(): void {
    const zxids = new BigInt64Array(this.used * 2);
    const times = new Float64Array(this.used * 2);
    zxids.set(this.zxids);
    times.set(this.times);
    this.zxids = zxids;
    this.times = times;
  }
}

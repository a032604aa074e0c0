import type { Hold } from '../../history/hold.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { RecordedTime } from '../clusters/recordedTime.ts';
import type { Sightings } from '../clusters/sightings.ts';

/** Since when holders hold at the moment of a recording: by its holds, which are exact but where the files begin. */
export class RecordedSightings implements Sightings {
  private readonly time: Pick<RecordedTime, 'recording' | 'moment'>;
  private readonly wallNow: () => number;
  /** By lock path and czxid; of the recording as it was up to `known.to`. */
  private holds = new Map<string, Map<bigint, Hold[]>>();
  private known: bigint;

  /** @param wallNow epoch ms of this machine */
  constructor(time: Pick<RecordedTime, 'recording' | 'moment'>, wallNow: () => number) {
    this.time = time;
    this.wallNow = wallNow;
    this.known = time.recording.to.zxid;
  }

  /** How far this machine's clock is ahead of the moment, ms. */
  get aheadMs(): number {
    return this.wallNow() - this.time.moment.time;
  }

  note(_path: string, queues: readonly LockQueue[]): LockQueue[] {
    return this.narrow(queues);
  }

  narrow(queues: readonly LockQueue[]): LockQueue[] {
    return queues.map(queue => {
      const holds = this.holdsOf(queue.path);
      const contenders = queue.contenders.map(contender => this.narrowed(contender, holds));
      return contenders.every((contender, at) => contender === queue.contenders[at]) ? queue : { ...queue, contenders };
    });
  }

  /** The past has one clock. */
  afterClockJump(): Map<string, LockQueue[]> {
    return new Map();
  }

  clear(): void {
    this.holds.clear();
  }

  private narrowed(contender: Contender, holds: ReadonlyMap<bigint, readonly Hold[]>): Contender {
    if (contender.role !== 'holder' || contender.isUnread === true) return contender;
    const { zxid } = this.time.moment;
    const hold = holds
      .get(contender.czxid)
      ?.find(
        ({ name, from, to }) => name === contender.name && from.zxid <= zxid && (to === undefined || zxid < to.zxid),
      );
    if (hold === undefined) return contender;
    const earliest = hold.isFromBefore === true ? Math.min(contender.createdAt, hold.from.time) : hold.from.time;
    return { ...contender, heldSince: { earliest, latest: hold.from.time } };
  }

  private holdsOf(path: string): ReadonlyMap<bigint, readonly Hold[]> {
    const { recording } = this.time;
    if (recording.to.zxid !== this.known) {
      this.holds = new Map();
      this.known = recording.to.zxid;
    }
    const known = this.holds.get(path);
    if (known !== undefined) return known;
    const holds = Map.groupBy(recording.holds(path), ({ czxid }) => czxid);
    this.holds.set(path, holds);
    return holds;
  }
}

import type { Hold, Moment, Wait } from '../../history/hold.ts';
import type { LockName } from '../../history/lockHistory.ts';
import type { Recording } from '../../replay/recording.ts';
import type { Step } from '../clusters/recordedTime.ts';

/** The moments of one kind, by zxid, each once. */
type Moments = readonly Moment[];

/**
 * The hand-overs and session ends of a recording, each list sorted once, so that a step costs a binary search. To be made again
 * when the recording grows.
 */
export class RecordedSteps {
  private readonly recording: Pick<Recording, 'holds' | 'waits' | 'sessions'>;
  private readonly lists = new Map<string, Moments>();

  constructor(recording: Pick<Recording, 'holds' | 'waits' | 'sessions'>) {
    this.recording = recording;
  }

  /**
   * The nearest moment before or behind `present`.
   *
   * @param lock only what is of that lock
   */
  find(what: Step, direction: 1 | -1, present: Moment, lock?: LockName): Moment | undefined {
    const moments = this.momentsOf(what, lock);
    if (direction === 1) return moments[firstBehind(moments, present.zxid)];
    // Behind a transaction and before the next one, that transaction is the previous one.
    const at = firstBehind(moments, present.zxid) - 1;
    const last = moments[at];
    return last?.zxid === present.zxid && present.time <= last.time ? moments[at - 1] : last;
  }

  private momentsOf(what: Step, lock: LockName | undefined): Moments {
    const key = [what, lock?.path, lock?.lockName].join('\0');
    const known = this.lists.get(key);
    if (known !== undefined) return known;
    const moments = sorted(what === 'hand-over' ? this.handOvers(lock) : this.sessionEnds(lock));
    this.lists.set(key, moments);
    return moments;
  }

  /** A hold that was there before began at a moment that is not known. */
  private handOvers(lock: LockName | undefined): Moment[] {
    return this.recording
      .holds(lock?.path)
      .flatMap(hold => (hold.isFromBefore === true || !isOf(hold, lock) ? [] : [hold.from]));
  }

  private sessionEnds(lock: LockName | undefined): Moment[] {
    const { recording } = this;
    const places = [...recording.holds(lock?.path), ...recording.waits(lock?.path)].filter(place => isOf(place, lock));
    const owners = new Set(places.map(({ ownerSession }) => ownerSession));
    return [...owners].flatMap(id => recording.sessions().get(id)?.ended ?? []);
  }
}

/** One directory may have several locks. */
function isOf({ lockName }: Hold | Wait, lock: LockName | undefined): boolean {
  return lock === undefined || lockName === lock.lockName;
}

function sorted(moments: Moment[]): Moments {
  moments.sort((one, other) => (one.zxid < other.zxid ? -1 : Number(one.zxid > other.zxid)));
  return moments.filter(({ zxid }, at) => zxid !== moments[at - 1]?.zxid);
}

/** The index of the first moment behind `zxid`. */
function firstBehind(moments: Moments, zxid: bigint): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((moments[middle]?.zxid ?? 0n) > zxid) high = middle;
    else low = middle + 1;
  }
  return low;
}

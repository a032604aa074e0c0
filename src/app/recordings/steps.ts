import { forEachInParts, inTurns, type Interruptible } from '../../base/interruptible.ts';
import { sortedInParts } from '../../base/sortedInParts.ts';
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
  private readonly lists = new Map<string, Promise<Moments>>();

  constructor(recording: Pick<Recording, 'holds' | 'waits' | 'sessions'>) {
    this.recording = recording;
  }

  /** All of one kind, by zxid, each once. @param lock only what is of that lock */
  momentsOf(what: Step, lock?: LockName): Promise<Moments> {
    const key = [what, lock?.path, lock?.lockName].join('\0');
    let known = this.lists.get(key);
    if (known === undefined) {
      const gathering = what === 'hand-over' ? this.handOvers(lock) : this.sessionEnds(lock);
      known = inTurns(sorted(gathering));
      this.lists.set(key, known);
    }
    return known;
  }

  /** A hold that was there before began at a moment that is not known. */
  private *handOvers(lock: LockName | undefined): Interruptible<Moment[]> {
    const moments: Moment[] = [];
    yield* forEachInParts(this.recording.holds(lock?.path), hold => {
      if (hold.isFromBefore !== true && isOf(hold, lock)) moments.push(hold.from);
    });
    return moments;
  }

  private *sessionEnds(lock: LockName | undefined): Interruptible<Moment[]> {
    const { recording } = this;
    const owners = new Set<bigint>();
    const note = (place: Hold | Wait): void => {
      if (isOf(place, lock)) owners.add(place.ownerSession);
    };
    yield* forEachInParts(recording.holds(lock?.path), note);
    yield* forEachInParts(recording.waits(lock?.path), note);
    const sessions = recording.sessions();
    return [...owners].flatMap(id => sessions.get(id)?.ended ?? []);
  }
}

/** One directory may have several locks. */
function isOf({ lockName }: Hold | Wait, lock: LockName | undefined): boolean {
  return lock === undefined || lockName === lock.lockName;
}

function* sorted(gathering: Interruptible<Moment[]>): Interruptible<Moments> {
  const compare = (one: Moment, other: Moment): number => (one.zxid < other.zxid ? -1 : Number(one.zxid > other.zxid));
  const moments = yield* sortedInParts(yield* gathering, compare);
  const distinct: Moment[] = [];
  yield* forEachInParts(moments, (moment, at) => {
    if (moment.zxid !== moments[at - 1]?.zxid) distinct.push(moment);
  });
  return distinct;
}

/** The nearest of the moments before or behind the present one. */
export function nearest(moments: Moments, direction: 1 | -1, present: Moment): Moment | undefined {
  if (direction === 1) return moments[firstBehind(moments, present.zxid)];
  // Behind a transaction and before the next one, that transaction is the previous one.
  const at = firstBehind(moments, present.zxid) - 1;
  const last = moments[at];
  return last?.zxid === present.zxid && present.time <= last.time ? moments[at - 1] : last;
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

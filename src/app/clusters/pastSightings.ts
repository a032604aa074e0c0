import type { Hold } from '../../history/hold.ts';
import { narrowed } from '../../locks/heldSince.ts';
import type { Contender, HeldSince, LockQueue } from '../../locks/lockQueue.ts';
import type { RecordedPast } from './clusterRecorder.ts';
import type { LockNode } from './clusterModel.ts';
import type { Sightings } from './sightings.ts';

type Past = Pick<RecordedPast, 'holdOf' | 'from' | 'gaps'>;

/** A deletion carries no time: its event comes within this, ms, and the clock of the servers is known to some ms only. */
const eventDelayMs = 1_000;

/** Since when the holders of a live cluster hold: by what its rows saw, and by what the recorder of this window saw. */
export class PastSightings implements Sightings {
  private readonly seen: Sightings;
  private readonly past: () => Past | undefined;

  constructor(seen: Sightings, past: () => Past | undefined) {
    this.seen = seen;
    this.past = past;
  }

  get aheadMs(): number {
    return this.seen.aheadMs;
  }

  note(path: string, queues: readonly LockQueue[], isContinuous: boolean): LockQueue[] {
    return this.byPast(this.seen.note(path, queues, isContinuous));
  }

  narrow(queues: readonly LockQueue[]): LockQueue[] {
    return this.byPast(this.seen.narrow(queues));
  }

  afterClockJump(): Map<string, LockQueue[]> {
    return new Map(Array.from(this.seen.afterClockJump(), ([path, queues]) => [path, this.byPast(queues)]));
  }

  clear(): void {
    this.seen.clear();
  }

  private byPast(queues: LockQueue[]): LockQueue[] {
    const past = this.past();
    return past === undefined ? queues : queues.map(queue => narrowedQueue(queue, past));
  }
}

/** The queues of loaded locks once more, when more of the past is known. @returns the locks whose queue is another one now */
export function narrowAgain(locks: Iterable<LockNode>, sightings: Pick<Sightings, 'narrow'>): LockNode[] {
  return [...locks].filter(lock => {
    if (lock.queue === undefined) return false;
    const [queue = lock.queue] = sightings.narrow([lock.queue]);
    const isOther = queue !== lock.queue;
    lock.queue = queue;
    return isOther;
  });
}

function narrowedQueue(queue: LockQueue, past: Past): LockQueue {
  // Copied only where a holder differs: the rest of a long queue is shared.
  let narrower: Contender[] | undefined;
  queue.contenders.forEach((contender, at) => {
    if (contender.role !== 'holder' || contender.isUnread === true) return;
    const hold = past.holdOf(contender.path, contender.czxid);
    const since = hold && sinceOf(hold, queue, past);
    if (hold === undefined || since === undefined) return;
    const shown = sinceHold(contender, hold, since);
    if (shown === contender) return;
    narrower ??= [...queue.contenders];
    narrower[at] = shown;
  });
  return narrower === undefined ? queue : { ...queue, contenders: narrower };
}

/**
 * When a hold began. Exact where a node of the queue came with it, since nodes carry the time of their creation; a second where one was
 * deleted, which has the zxid of the change before where its own is not known. A hold that was there at the first look began before that.
 *
 * @returns `undefined` where nothing is known, since the recorder did not know the clock of the servers yet
 */
function sinceOf(hold: Hold, { contenders }: LockQueue, past: Past): Partial<HeldSince> | undefined {
  const { zxid, time } = hold.from;
  if (hold.isFromBefore === true) return { latest: time };
  if (contenders.some(({ czxid, createdAt }) => czxid === zxid && createdAt === time)) {
    return { earliest: time, latest: time };
  }
  // The clock is learnt from nodes that come while their events are seen, again after each gap.
  const isLearnt = contenders.some(({ czxid }) => czxid > past.from.zxid && czxid <= zxid && isSeen(past, czxid, zxid));
  return isLearnt ? { earliest: time - eventDelayMs, latest: time } : undefined;
}

/** Whether all was seen from one transaction to another. */
function isSeen({ gaps }: Past, from: bigint, to: bigint): boolean {
  return !gaps.some(gap => gap.from.zxid < to && gap.to.zxid >= from);
}

function sinceHold(contender: Contender, { identifier }: Hold, since: Partial<HeldSince>): Contender {
  const { heldSince, createdAt } = contender;
  // A node that stays may be held by another one by now.
  if (identifier !== '' && identifier !== contender.identifier) return contender;
  const proven = heldSince ?? { earliest: createdAt };
  const earliest = since.earliest ?? proven.earliest;
  const shown = narrowed(proven, { earliest, latest: Math.max(earliest, since.latest ?? Infinity) });
  const isSame = shown.earliest === heldSince?.earliest && shown.latest === heldSince.latest;
  return isSame ? contender : { ...contender, heldSince: shown };
}

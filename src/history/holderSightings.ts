import { additionsTo } from '../base/listChanges.ts';
import { narrowed } from '../locks/heldSince.ts';
import type { Contender, HeldSince, LockQueue } from '../locks/lockQueue.ts';
import type { ServerClock } from './clocks.ts';

/** An event is under way for this long at most, ms: a turn that was seen to come came between then and its event. */
const eventDelayMs = 1_000;

/** A difference between clocks that no delay of events explains: what was said by the old one must be said again. */
const clockJumpMs = 1_000;

/** A holder as this window saw it. */
interface Sighting {
  czxid: bigint;
  /** When it was first seen as holder, ms of the monotonic clock. */
  at: number;
  /** Whether it did not hold at the look before, with no gap in between. */
  isHandOver: boolean;
  /** What every reading so far proves. */
  proven: HeldSince;
  /** The contender as read last, and as shown with `proven` and the sighting. */
  read: Contender;
  shown: Contender;
}

interface WatchedLock {
  /** As read last. */
  queues: readonly LockQueue[];
  holders: Map<string, Sighting>;
  /** Whether a node that may not be read can have been the holder, or have gone without an event. */
  isBlind: boolean;
}

/**
 * What this window saw of the holders of one cluster, by the path of their locks: when each was first seen as holder, and whether its
 * turn was seen to come. It narrows the intervals of `heldSince`, for the tree, the panel and every text alike.
 *
 * After a gap no turn counts as seen; when a holder was first seen stays true, since a node that holds does so until it goes.
 */
export class HolderSightings {
  private readonly clock: ServerClock;
  private readonly locks = new Map<string, WatchedLock>();
  /** What the shown intervals were computed with. */
  private base: number | undefined;

  constructor(clock: ServerClock) {
    this.clock = clock;
  }

  /** How far this machine's clock is ahead of the servers', ms; 0 while that is not known. */
  get aheadMs(): number {
    return this.clock.aheadMs;
  }

  /**
   * Notes the queues of one lock path as they are now.
   *
   * @param isContinuous whether every change since the last call for the path was seen
   * @returns the queues with narrower intervals
   */
  note(path: string, queues: readonly LockQueue[], isContinuous: boolean): LockQueue[] {
    const at = this.clock.steady;
    const last = this.locks.get(path);
    const isBlind = queues.some(({ hazards }) => hazards.some(({ kind }) => kind === 'unreadable'));
    const before = isContinuous ? last : undefined;
    const isHandOver = before !== undefined && !before.isBlind && !isBlind;
    const lock: WatchedLock = { queues, holders: new Map(), isBlind };
    for (const queue of queues) {
      const { contenders } = queue;
      this.clock.note(additionsTo(contendersOf(before, queue), contenders), before !== undefined);
      this.base ??= this.clock.base;
      for (const contender of contenders.filter(isKnownHolder)) {
        const known = last?.holders.get(contender.path);
        lock.holders.set(contender.path, this.sighting(contender, { at, isHandOver }, known));
      }
    }
    this.locks.set(path, lock);
    return this.narrowBy([lock], queues);
  }

  /** The same queues with narrower intervals, as far as their holders were seen. Notes nothing. */
  narrow(queues: readonly LockQueue[]): LockQueue[] {
    return this.narrowBy([...this.locks.values()], queues);
  }

  /**
   * All queues once more if the server's clock turned out to be another one than was assumed.
   *
   * @returns by lock path; empty as long as what was said is still right
   */
  afterClockJump(): Map<string, LockQueue[]> {
    const { base } = this.clock;
    if (this.base === undefined || Math.abs(base - this.base) < clockJumpMs) return new Map();
    this.base = base;
    for (const { holders } of this.locks.values()) {
      for (const sighting of holders.values()) sighting.shown = this.show(sighting.read, sighting);
    }
    return new Map(Array.from(this.locks, ([path, lock]) => [path, this.narrowBy([lock], lock.queues)]));
  }

  /** Forgets everything: the cluster is another one, or its rows are gone. */
  clear(): void {
    this.locks.clear();
    this.base = undefined;
    this.clock.clear();
  }

  private narrowBy(locks: readonly WatchedLock[], queues: readonly LockQueue[]): LockQueue[] {
    return queues.map(queue => {
      // Copied only where a holder differs: the rest of a long queue is shared.
      let narrower: Contender[] | undefined;
      queue.contenders.forEach((contender, at) => {
        if (!isKnownHolder(contender)) return;
        const shown = this.narrowContender(locks, contender);
        if (shown === contender) return;
        narrower ??= [...queue.contenders];
        narrower[at] = shown;
      });
      return narrower === undefined ? queue : { ...queue, contenders: narrower };
    });
  }

  private sighting(
    contender: Contender,
    now: Pick<Sighting, 'at' | 'isHandOver'>,
    last: Sighting | undefined,
  ): Sighting {
    if (last?.czxid === contender.czxid) {
      if (last.read === contender) return last;
      const proven = narrowed(last.proven, sinceOf(contender));
      const again = { ...last, proven, read: contender };
      return { ...again, shown: this.show(contender, again) };
    }
    const first = { czxid: contender.czxid, ...now, proven: sinceOf(contender), read: contender };
    return { ...first, shown: this.show(contender, first) };
  }

  private narrowContender(locks: readonly WatchedLock[], contender: Contender): Contender {
    for (const { holders } of locks) {
      const sighting = holders.get(contender.path);
      if (sighting?.czxid !== contender.czxid) continue;
      return sighting.read === contender ? sighting.shown : this.show(contender, sighting);
    }
    return contender;
  }

  private show(contender: Contender, sighting: Pick<Sighting, 'at' | 'isHandOver' | 'proven'>): Contender {
    const { at, isHandOver } = sighting;
    const proven = narrowed(sinceOf(contender), sighting.proven);
    // The difference of the clocks is known to some ms only.
    const latest = Math.max(Math.round(at + this.clock.base), proven.earliest);
    const heldSince = narrowed(proven, { earliest: isHandOver ? latest - eventDelayMs : proven.earliest, latest });
    const { earliest } = contender.heldSince ?? {};
    return earliest === heldSince.earliest && contender.heldSince?.latest === heldSince.latest
      ? contender
      : { ...contender, heldSince };
  }
}

/** The contenders that a queue had when it was read last. */
function contendersOf(last: WatchedLock | undefined, { path, lockName }: LockQueue): readonly Contender[] {
  return last?.queues.find(queue => queue.path === path && queue.lockName === lockName)?.contenders ?? [];
}

/** Of a node that may not be read only the name is known, which another one may have had before. */
function isKnownHolder({ role, isUnread }: Contender): boolean {
  return role === 'holder' && isUnread !== true;
}

function sinceOf({ heldSince, createdAt }: Contender): HeldSince {
  return heldSince ?? { earliest: createdAt };
}

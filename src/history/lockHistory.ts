import { LongSet } from '../base/longSet.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import type { EndCause, Hold, Moment, Wait } from './hold.ts';

/** Which lock: one directory may have several. */
export type LockName = Pick<LockQueue, 'path' | 'lockName'>;

/** Why a contender left. `endedBy` and `isEndUnseen` as in `Hold`. */
export interface Departure {
  ended: EndCause;
  isEndUnseen?: true;
  endedBy?: bigint;
}

/** When a contender is looked at. */
export interface Look {
  moment: Moment;
  /** What it shows may have begun earlier: the first look, or the first behind a gap. */
  isFirst?: boolean;
}

/** A contender that is there. */
export interface Present {
  /** As noted last. */
  readonly contender: Contender;
  readonly hold: Hold | undefined;
  readonly wait: Wait | undefined;
}

/** Holds or waits. */
export type KeptPlaces<T> = Pick<LongSet<T>, 'has' | 'size' | 'values' | 'wasShifted'> & Iterable<T>;

interface Place {
  contender: Contender;
  hold: Hold | undefined;
  wait: Wait | undefined;
}

/**
 * Who held and who waited, from contenders as they come, change and go, one moment after the other. The same for what a window sees
 * live and for transaction logs. Pure.
 *
 * Path and czxid of its node identify a contender. It belongs to the lock as recognised last: a semaphore's queue is taken for a mutex
 * until the directory of its leases is there, and what looked like a hold until then is none.
 */
export class LockHistory {
  private readonly newestKept: number;
  private readonly places = new Map<string, Place>();
  /** Those that were there before a gap, until the first look behind it is over. */
  private interrupted = new Map<string, Place>();
  private readonly begun = new LongSet<Hold>();
  private readonly waiting = new LongSet<Wait>();

  /** @param newestKept holds and waits that are kept besides those that are open: the newest; default: all */
  constructor(newestKept = Infinity) {
    this.newestKept = newestKept;
  }

  /** The contenders that are there, by the path of their node, in the order in which they came. */
  get present(): ReadonlyMap<string, Present> {
    return this.places;
  }

  /** In the order of their begins: all, or the newest that are kept. */
  get holds(): KeptPlaces<Hold> {
    return this.begun;
  }

  /** In the order in which they were seen first: contenders that wait, or left without having held. */
  get waits(): KeptPlaces<Wait> {
    return this.waiting;
  }

  /**
   * Notes a contender as it is at a moment.
   *
   * @returns the hold that begins; `undefined` if it waits, or held before
   */
  note(lock: LockName, contender: Contender, look: Look): Hold | undefined {
    const known = this.places.get(contender.path);
    const isSame = known?.contender.czxid === contender.czxid;
    if (known !== undefined && !isSame) this.end(contender.path, look.moment);
    const place = isSame ? known : this.enter(contender);
    const open = place.hold ?? place.wait;
    if (open !== undefined) this.bringUpToDate(place, open, lock, contender, look);
    place.contender = contender;
    if (contender.role === 'holder') return place.hold === undefined ? this.beginHold(place, lock, look) : undefined;
    this.waitFrom(place, lock, look);
    return undefined;
  }

  /**
   * A contender is gone, or is none any more.
   *
   * @param path of its node
   * @returns it as it was; `undefined` if there was none
   */
  end(path: string, moment: Moment, departure: Departure = { ended: 'unknown' }): Present | undefined {
    const place = this.places.get(path);
    if (place === undefined) return undefined;
    this.places.delete(path);
    this.close(place.hold ?? place.wait, moment, departure);
    return place;
  }

  /** Nothing is known behind `moment`. The next looks are first ones, and `settle` ends them. */
  interrupt(moment: Moment): void {
    for (const { hold, wait } of this.places.values())
      this.close(hold ?? wait, moment, { ended: 'unknown', isEndUnseen: true });
    this.interrupted = new Map([...this.interrupted, ...this.places]);
    this.places.clear();
  }

  /** The first looks behind a gap are over: what was not there again has ended in it. */
  settle(): void {
    this.interrupted.clear();
  }

  /** A node that stays the same across a gap goes on, as holder or as waiter. */
  private enter(contender: Contender): Place {
    const former = this.interrupted.get(contender.path);
    this.interrupted.delete(contender.path);
    const place: Place = { contender, hold: undefined, wait: undefined };
    this.places.set(contender.path, place);
    if (former?.contender.czxid !== contender.czxid) return place;
    if (former.hold !== undefined && contender.role === 'holder') place.hold = reopened(former.hold);
    // One that holds by now was no waiter that left.
    if (former.wait !== undefined) place.wait = reopened(former.wait);
    return place;
  }

  private bringUpToDate(place: Place, known: Hold | Wait, lock: LockName, contender: Contender, look: Look): void {
    const { hold } = place;
    if (hold !== undefined && isOtherHolder(hold, contender)) {
      this.close(hold, look.moment, { ended: 'overtaken' });
      place.hold = undefined;
      return;
    }
    if (known.path !== lock.path || known.lockName !== lock.lockName) {
      rename(known, lock);
      if (hold !== undefined && contender.role === 'waiter') this.withdraw(place, hold);
    }
    Object.assign(known, facts(contender, known));
  }

  private withdraw(place: Place, hold: Hold): void {
    this.begun.delete(hold);
    place.hold = undefined;
  }

  private beginHold(place: Place, lock: LockName, { moment, isFirst }: Look): Hold {
    const { contender, wait } = place;
    if (wait !== undefined) this.waiting.delete(wait);
    place.wait = undefined;
    const outlives = isOutlivingHolders(contender) && contender.czxid !== moment.zxid;
    const queued = outlives ? moment : creationOf(contender);
    const hold: Hold = { ...placeOf(lock, contender, wait), queued, from: moment };
    if (isFirst === true) hold.isFromBefore = true;
    place.hold = hold;
    add(this.begun, hold, this.newestKept);
    return hold;
  }

  private waitFrom(place: Place, lock: LockName, { moment, isFirst }: Look): void {
    const { hold } = place;
    place.hold = undefined;
    this.close(hold, moment, { ended: 'overtaken' });
    if (place.wait !== undefined) return;
    const wait: Wait = { ...placeOf(lock, place.contender, hold), queued: creationOf(place.contender) };
    if (isFirst === true) wait.isFromBefore = true;
    if (hold !== undefined) wait.from = moment;
    place.wait = wait;
    add(this.waiting, wait, this.newestKept);
  }

  private close(open: Hold | Wait | undefined, moment: Moment, { ended, endedBy, isEndUnseen }: Departure): void {
    if (open === undefined) return;
    open.to = moment;
    open.ended = ended;
    if (endedBy !== undefined) open.endedBy = endedBy;
    if (isEndUnseen === true) open.isEndUnseen = true;
  }
}

function add<T>(all: LongSet<T>, newest: T, limit: number): void {
  all.append(newest);
  if (all.size > limit) all.shift();
}

function reopened<T extends Hold | Wait>(open: T): T {
  delete open.to;
  delete open.ended;
  delete open.isEndUnseen;
  return open;
}

function placeOf(
  { path, lockName }: LockName,
  contender: Contender,
  before: Hold | Wait | undefined,
): Omit<Wait, 'queued'> {
  const { name, ownerSession, czxid } = contender;
  const named = lockName === undefined ? {} : { lockName };
  return { path, ...named, name, ownerSession, czxid, ...facts(contender, before) };
}

/** What may change while a contender is there. Data that are overwritten with nothing said who before. */
function facts({ kind, identifier }: Contender, before: Hold | Wait | undefined): Pick<Hold, 'kind' | 'identifier'> {
  // A writer looks like a mutex as soon as no reader is beside it.
  const isWriter = before?.kind === 'write' && kind === 'exclusive';
  return { kind: isWriter ? 'write' : kind, identifier: identifier === '' ? (before?.identifier ?? '') : identifier };
}

function rename(known: Hold | Wait, { path, lockName }: LockName): void {
  known.path = path;
  if (lockName === undefined) delete known.lockName;
  else known.lockName = lockName;
}

function creationOf({ czxid, createdAt }: Contender): Moment {
  return { zxid: czxid, time: createdAt };
}

/** A single node without an owner is held by what its data say, and stays when another one is named there. */
function isOutlivingHolders({ ownerSession, sequence, isUnread }: Contender): boolean {
  return ownerSession === 0n && sequence === undefined && isUnread !== true;
}

function isOtherHolder(hold: Hold, contender: Contender): boolean {
  if (!isOutlivingHolders(contender) || contender.role !== 'holder') return false;
  return hold.identifier !== '' && contender.identifier !== '' && hold.identifier !== contender.identifier;
}

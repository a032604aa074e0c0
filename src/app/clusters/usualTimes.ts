import type { Quantiles } from '../../history/figures.ts';
import type { Hold, Moment, Wait } from '../../history/hold.ts';
import { isFarOutside, mayBeFarOutside, usualOf, type Usual } from '../../history/usual.ts';
import { heldFor } from '../../locks/heldSince.ts';
import { isLeaseOver, type Contender, type LockQueue } from '../../locks/lockQueue.ts';
import type { RecordedTime } from './recordedTime.ts';

/** A lock as it was read last. */
interface ReadLock {
  queue: LockQueue | undefined;
  path: string;
  lockName: string | undefined;
}

/** Something that lasts far longer than is usual for its lock. */
export interface Unusual {
  /** For how long it has lasted, at least. */
  ms: number;
  usual: Quantiles;
}

/** What is unusual about a lock. */
export interface UnusualLock {
  hold?: Unusual;
  wait?: Unusual;
}

/** What is known of the holds and waits of a cluster. */
interface KnownPast {
  holds(path: string): Hold[];
  waits(path: string): Wait[];
}

/** What was worked out for a holder and a waiter. */
interface Known {
  of: string;
  usual: Usual;
  waitsSince: number | undefined;
}

/** Of a lock at most so many of the newest holds and waits count, so that a long past does not keep the host busy. */
const newestCounted = 5_000;

/**
 * Which locks are held or waited for far longer than is usual. Rows ask for it whenever they are drawn, so what is usual is worked out
 * only for what has lasted for a while, and once for each holder and waiter.
 */
export class UsualTimes {
  private readonly past: () => KnownPast | undefined;
  private readonly until: () => Moment | undefined;
  private readonly known = new WeakMap<ReadLock, Known>();

  private constructor(past: () => KnownPast | undefined, until: () => Moment | undefined) {
    this.past = past;
    this.until = until;
  }

  /** Of a live cluster. @param past `undefined` while nothing is known of it */
  static untilNow(past: () => KnownPast | undefined): UsualTimes {
    return new UsualTimes(past, () => undefined);
  }

  /** Of a recording, at its moment: by what had ended until then. */
  static at(time: Pick<RecordedTime, 'recording' | 'moment'>): UsualTimes {
    return new UsualTimes(
      () => time.recording,
      () => time.moment,
    );
  }

  /** What lasts far longer than is usual. @param now epoch ms of the server's clock */
  of(lock: ReadLock, now: number): UnusualLock {
    const { queue } = lock;
    if (queue === undefined) return {};
    const [holder, waiter] = [holderOf(queue, now), waiterOf(queue)];
    const held = holder === undefined ? 0 : heldFor(holder, now).least;
    const waited = waiter === undefined ? 0 : now - waiter.createdAt;
    if (!mayBeFarOutside(held) && !mayBeFarOutside(waited)) return {};
    const known = this.knownOf(lock, queue, holder, waiter);
    if (known === undefined) return {};
    const { usual, waitsSince } = known;
    const waits = waitsSince === undefined ? waited : now - waitsSince;
    return {
      ...(isFarOutside(held, usual.hold) ? { hold: { ms: held, usual: usual.hold } } : {}),
      ...(isFarOutside(waits, usual.wait) ? { wait: { ms: waits, usual: usual.wait } } : {}),
    };
  }

  /** What is usual for a lock, worked out now; `undefined` where no past is known. */
  usualOf({ queue, path, lockName }: ReadLock): Usual | undefined {
    const past = this.past();
    if (past === undefined) return undefined;
    // The queue of a row may be in another directory.
    const known = queue === undefined ? newestOf(past, path, lockName) : newestOf(past, queue.path, queue.lockName);
    return usualOf(...known, this.until());
  }

  private knownOf(
    lock: ReadLock,
    queue: LockQueue,
    holder: Contender | undefined,
    waiter: Contender | undefined,
  ): Known | undefined {
    const of = [holder, waiter].map(each =>
      each === undefined ? '' : `${each.path} ${each.czxid} ${each.identifier}`,
    );
    const key = of.join('\0');
    const last = this.known.get(lock);
    if (last?.of === key) return last;
    const past = this.past();
    if (past === undefined) return undefined;
    const [holds, waits] = newestOf(past, queue.path, queue.lockName);
    const usual = usualOf(holds, waits, this.until());
    // One that had to give way queued long before it waits again.
    const again = waits.findLast(({ czxid, name }) => czxid === waiter?.czxid && name === waiter.name);
    const known: Known = { of: key, usual, waitsSince: again?.from?.time };
    this.known.set(lock, known);
    return known;
  }
}

function newestOf(past: KnownPast, path: string, lockName: string | undefined): [Hold[], Wait[]] {
  const isOfLock = (stay: Hold | Wait): boolean => lockName === undefined || stay.lockName === lockName;
  return [
    past.holds(path).slice(-newestCounted).filter(isOfLock),
    past.waits(path).slice(-newestCounted).filter(isOfLock),
  ];
}

/** The one that has held for longest: the others got their turn after it. A leader leads for as long as it likes. */
function holderOf({ contenders }: LockQueue, now: number): Contender | undefined {
  const holder = contenders.find(({ role }) => role === 'holder');
  const isCounted = holder !== undefined && holder.isUnread !== true && holder.kind !== 'candidate';
  return isCounted && !isLeaseOver(holder, now) ? holder : undefined;
}

/** The next in line, which waits for longest as a rule. */
function waiterOf({ contenders }: LockQueue): Contender | undefined {
  const waiter = contenders.find(({ role }) => role === 'waiter');
  return waiter?.isUnread === true || waiter?.kind === 'candidate' || waiter?.mayHold === true ? undefined : waiter;
}

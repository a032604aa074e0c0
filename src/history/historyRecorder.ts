import { additionsTo } from '../base/listChanges.ts';
import type { Contender } from '../locks/lockQueue.ts';
import { HistoryClock, ServerClock, type WallAndSteadyClock } from './clocks.ts';
import { Figures, type Figure, type Quantiles } from './figures.ts';
import { HandOvers } from './handOvers.ts';
import type { Hold, Moment } from './hold.ts';
import { LockHistory, type LockName } from './lockHistory.ts';
import { QueueLengths, type LengthPoint } from './queueLengths.ts';

const eventLimit = 1_000;
const spanLimit = 200;
const newestHolds = 100;

/** One observation. Spans are ms. */
export interface HistoryEvent {
  /** Epoch ms. */
  at: number;
  /**
   * `held`: the begin was seen. `held-before`: it held already when watching began. `released`: the end was seen.
   * `ended-unseen`: gone when watching resumed. `watching`, `not-watching`: changes are seen from here on, or not.
   */
  kind: 'held' | 'held-before' | 'released' | 'ended-unseen' | 'watching' | 'not-watching';
  contender?: Contender;
  /** Contenders in the queue at that moment; absent if the queue was not read. */
  queueLength?: number;
  heldMs?: number;
  /** For how long the place was free that the hold took over. */
  gapMs?: number;
  waitMs?: number;
}

/** A hold as it was watched: of its moments only the time is known. */
export interface SeenHold extends Hold {
  /** Ms without any holder before this hold; absent for the first hold and after a time that was not watched. */
  gapMs?: number;
}

/** A recorded history, bounded. Moments are epoch ms by the wall clock as it is set now. */
export interface History {
  openedAt: number;
  isPaused: boolean;
  /** How many events are kept, and how many older ones were dropped. */
  events: number;
  dropped: number;
  /** Oldest first. */
  holds: SeenHold[];
  /** Open holds that are not in `holds`. */
  leftOut: number;
  lengths: LengthPoint[];
  /** Spans in which nothing was watched. */
  unwatched: Span[];
  figures: Record<Figure, Quantiles> & { handOvers: number; longestQueue: number };
}

interface Span {
  from: number;
  until?: number;
}

/** One look at the queue. */
interface Look {
  lock: LockName;
  contenders: readonly Contender[];
  holders: readonly Contender[];
  at: number;
  /** Whether every change since the look before was seen. */
  isContinuous: boolean;
}

/**
 * Records what was seen of one lock: who held from when to when, how long the lock was free in between, how long holders had
 * waited, how long the queue was. It makes no claim about time that was not watched: a hold that ended in such a time ends at
 * the last look before, without a figure, and the next hold has no gap.
 *
 * Path and czxid identify a node. A gap is the time from an end that was seen to the hold that takes over. A wait begins with
 * the creation of the node, corrected by the clock skew.
 */
export class HistoryRecorder {
  private readonly clock: HistoryClock;
  private readonly serverClock: ServerClock;
  private figures = new Figures();
  private lengths = new QueueLengths();
  private lock = new LockHistory(newestHolds);
  private handOvers = new HandOvers();
  private gaps = new WeakMap<Hold, number>();
  private recorded: HistoryEvent[] = [];
  private dropped = 0;
  private unwatched: Span[];
  private openedAt: number;
  /** The contenders of the last look. */
  private seen: readonly Contender[] = [];
  private isWatching = false;
  private isPaused = false;
  /** When the last look was. */
  private lookedAt: number;

  constructor(clocks: WallAndSteadyClock) {
    this.clock = new HistoryClock(clocks);
    this.serverClock = new ServerClock(clocks);
    this.openedAt = this.clock.now();
    this.lookedAt = this.openedAt;
    this.unwatched = [{ from: this.openedAt }];
  }

  /** Whether changes are recorded now. */
  get isWatched(): boolean {
    return this.isWatching;
  }

  get events(): readonly HistoryEvent[] {
    const { step } = this.clock;
    return this.recorded.map(event => ({ ...event, at: event.at + step }));
  }

  /** Records the queue as it is now. The first call after a time without watching ends that time. */
  observe({ path, lockName, contenders }: LockName & { contenders: readonly Contender[] }): void {
    if (this.isPaused) return;
    const isHolder = ({ role }: Contender): boolean => role === 'holder';
    const holders = contenders.filter(isHolder);
    const lock: LockName = lockName === undefined ? { path } : { path, lockName };
    const look: Look = { lock, contenders, holders, at: this.clock.now(), isContinuous: this.isWatching };
    const { at, isContinuous } = look;
    const lastSeenAt = this.unwatched.at(-1)?.from ?? at;
    if (!isContinuous) this.beginWatching(at, contenders.length);
    if (!isContinuous) this.serverClock.restart();
    this.serverClock.note(isContinuous ? additionsTo(this.seen, contenders) : contenders, isContinuous);
    this.seen = contenders;
    this.lookedAt = at;
    this.lengths.note(contenders.length, at);
    this.endHolds(look, isContinuous ? at : lastSeenAt);
    this.beginHolds(look);
  }

  /**
   * Changes are not seen from now on: the panel is hidden, the session is gone, or the recording is paused.
   *
   * @param silentMs for how long nothing could be seen already; what was seen within it stays seen
   */
  stopWatching(silentMs = 0): void {
    if (!this.isWatching) return;
    const at = Math.max(this.lookedAt, Math.round(this.clock.now() - silentMs));
    this.isWatching = false;
    this.handOvers.interrupt();
    this.unwatched.push({ from: at });
    if (this.unwatched.length > spanLimit) this.unwatched.shift();
    this.add({ at, kind: 'not-watching' });
  }

  /** After `pause(false)` the next `observe` resumes the recording. */
  pause(paused: boolean): void {
    if (paused) this.stopWatching();
    this.isPaused = paused;
  }

  /** Drops everything that was recorded; at the next `observe` open holds count as held from before. */
  clear(): void {
    const at = this.clock.now();
    this.recorded = [];
    this.dropped = 0;
    this.figures = new Figures();
    this.lengths = new QueueLengths();
    this.lock = new LockHistory(newestHolds);
    this.handOvers = new HandOvers();
    this.openedAt = at;
    this.isWatching = false;
    this.unwatched = [{ from: at }];
  }

  /** @param olderHolds the most open holds to include that are older than the newest 100 */
  history(olderHolds: number): History {
    return shifted(this.clock.step, {
      openedAt: this.openedAt,
      isPaused: this.isPaused,
      events: this.recorded.length,
      dropped: this.dropped,
      ...this.shownHolds(olderHolds),
      lengths: this.lengths.thinned,
      unwatched: this.unwatched,
      figures: {
        handOvers: this.handOvers.count,
        longestQueue: this.lengths.longest,
        ...this.figures.quantiles,
      },
    });
  }

  private add(event: HistoryEvent): void {
    this.recorded.push(event);
    if (this.recorded.length <= eventLimit) return;
    this.recorded.shift();
    this.dropped++;
  }

  private beginWatching(at: number, queueLength: number): void {
    this.isWatching = true;
    const span = this.unwatched.at(-1);
    if (span !== undefined) span.until = at;
    // The history begins with the first look: the moment that a page needs to load is not worth a span.
    if (this.recorded.length === 0) this.openedAt = at;
    if (span?.from === at || this.openedAt === at) this.unwatched.pop();
    this.add({ at, kind: 'watching', queueLength });
  }

  /** The newest holds, and before them up to `olderLimit` open ones that are older; `leftOut` counts the rest of those. */
  private shownHolds(olderLimit: number): { holds: SeenHold[]; leftOut: number } {
    const newest = this.lock.holds;
    const open = Array.from(this.lock.present.values(), ({ hold }) => hold).filter(hold => hold !== undefined);
    const older = open.filter(hold => !newest.has(hold));
    const holds = [...older.slice(0, olderLimit), ...newest].map(hold => {
      const gapMs = this.gaps.get(hold);
      return gapMs === undefined ? hold : { ...hold, gapMs };
    });
    return { holds, leftOut: Math.max(0, older.length - olderLimit) };
  }

  private endHolds({ contenders, holders, isContinuous: wasSeen }: Look, until: number): void {
    const holding = new Map(holders.map(({ path, czxid }) => [path, czxid]));
    for (const [path, { contender, hold }] of this.lock.present) {
      if (hold === undefined || holding.get(path) === contender.czxid) continue;
      this.lock.end(path, atTime(until));
      if (wasSeen) this.handOvers.end(hold, until);
      const heldMs = wasSeen && hold.isFromBefore !== true ? until - hold.from.time : undefined;
      if (heldMs !== undefined) this.figures.add('hold', heldMs);
      const kind = wasSeen ? 'released' : 'ended-unseen';
      this.add({ at: until, kind, contender, queueLength: contenders.length, heldMs });
    }
  }

  private beginHolds({ lock, contenders, holders, at, isContinuous: wasSeen }: Look): void {
    for (const contender of holders) {
      const isHeld = this.lock.present.size > 0;
      const hold = this.lock.note(lock, contender, { moment: atTime(at), isFirst: !wasSeen });
      if (hold === undefined) continue;
      const spans = wasSeen ? this.spansBefore(hold, contender, isHeld) : {};
      const kind = wasSeen ? 'held' : 'held-before';
      this.add({ at, kind, contender, queueLength: contenders.length, ...spans });
    }
  }

  /** Of a hold that was seen to begin. @param isHeld whether others hold */
  private spansBefore(hold: Hold, contender: Contender, isHeld: boolean): Pick<HistoryEvent, 'gapMs' | 'waitMs'> {
    const gapMs = this.handOvers.begin(hold, isHeld);
    if (gapMs !== undefined) {
      this.figures.add('gap', gapMs);
      if (!isHeld) this.gaps.set(hold, gapMs);
    }
    if (contender.isUnread === true) return { gapMs };
    const waitMs = this.serverClock.since(contender.createdAt);
    this.figures.add('wait', waitMs);
    return { gapMs, waitMs };
  }
}

function atTime(time: number): Moment {
  return { zxid: 0n, time };
}

/** A history with `ms`, which may be negative, added to all of its moments. */
function shifted(ms: number, history: History): History {
  const shiftedSpan = <T extends Span>(span: T): T => ({
    ...span,
    from: span.from + ms,
    ...(span.until === undefined ? {} : { until: span.until + ms }),
  });
  const moved = ({ zxid, time }: Moment): Moment => ({ zxid, time: time + ms });
  const shiftedHold = (hold: SeenHold): SeenHold => ({
    ...hold,
    from: moved(hold.from),
    ...(hold.to === undefined ? {} : { to: moved(hold.to) }),
  });
  return {
    ...history,
    openedAt: history.openedAt + ms,
    holds: history.holds.map(shiftedHold),
    lengths: history.lengths.map(({ at, contenders }) => ({ at: at + ms, contenders })),
    unwatched: history.unwatched.map(shiftedSpan),
  };
}

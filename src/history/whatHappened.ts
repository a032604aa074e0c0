import { atOnce, forEachInParts, type Interruptible } from '../base/interruptible.ts';
import { sortedInParts } from '../base/sortedInParts.ts';
import type { Hold, Moment, Wait } from './hold.ts';

/** A part of the past. */
export interface Span {
  from: Moment;
  to: Moment;
}

/** How long a contender waited. */
export interface WaitingTime extends Span {
  contender: Hold | Wait;
  /** Whether it held after that; if not, it left, or still waits at `to`. */
  gotIt: boolean;
  /** By the server's clock, never negative. */
  ms: number;
}

/** Milliseconds between two moments; 0 where the clock went back. */
export function msBetween({ from, to }: Span): number {
  return Math.max(0, to.time - from.time);
}

/**
 * Since when each of the holds was waited for: since its node was there, or since it had to give way. Nothing for those that were
 * there before, of which that is not known.
 *
 * @param holds in the order of their begins
 */
export function waitBegins(holds: readonly Hold[]): ReadonlyMap<Hold, Moment> {
  const begins = new Map<Hold, Moment>();
  const note = (hold: Hold, begin: Moment | undefined): void => {
    if (begin !== undefined) begins.set(hold, begin);
  };
  atOnce(eachWaitBegin(holds, note));
  return begins;
}

/** As `waitBegins`, for long lists. @param take called for each hold, in their order */
export function* eachWaitBegin(
  holds: readonly Hold[],
  take: (hold: Hold, begin: Moment | undefined) => void,
): Interruptible<void> {
  /** The ends of those whose node may hold again. */
  const before = new Map<string, Moment>();
  for (const hold of holds) {
    const since = before.size === 0 ? undefined : before.get(nodeKey(hold));
    take(hold, hold.isFromBefore === true ? undefined : (since ?? hold.queued));
    if (hold.to !== undefined && mayHoldAgain(hold)) before.set(nodeKey(hold), hold.to);
    yield;
  }
}

/** The other ends are those of the node. */
function mayHoldAgain({ ended }: Hold): boolean {
  return ended === 'overtaken' || ended === 'unknown';
}

function nodeKey({ path, name, czxid }: Hold): string {
  return `${path}\0${name}\0${String(czxid)}`;
}

/** What was there at some time of a span. @param end the last moment that is known */
export function during<T extends Hold | Wait>(places: readonly T[], { from, to }: Span, end: Moment): T[] {
  return places.filter(place => beginOf(place).zxid <= to.zxid && (place.to ?? end).zxid >= from.zxid);
}

/** Which waits are asked for. */
export interface WaitsWanted {
  /** So many at most. */
  most: number;
  /** The last moment that is known. */
  end: Moment;
  /** Those that were over before it, or began behind it, are left out. */
  span?: Span;
}

/** The longest waits, the longest first, without those that took no time. Of a hold that was there before it is not known how long it waited. */
export function* longestWaitingTimes(
  holds: readonly Hold[],
  waits: readonly Wait[],
  wanted: WaitsWanted,
): Interruptible<WaitingTime[]> {
  const longest = new LongestWaits(wanted);
  yield* eachWaitBegin(holds, (hold, from) => {
    if (from !== undefined) longest.add(hold, from, hold.from, true);
  });
  yield* forEachInParts(waits, wait => longest.add(wait, beginOf(wait), wait.to ?? wanted.end, false));
  return longest.sorted();
}

/** Keeps few of many waits: an object for each of 100,000 would keep V8's collector busy for 50 ms at a time. */
class LongestWaits {
  private readonly wanted: WaitsWanted;
  private kept: WaitingTime[] = [];
  /** Ms that a further one must exceed. */
  private least = 0;

  constructor(wanted: WaitsWanted) {
    this.wanted = wanted;
  }

  add(contender: Hold | Wait, from: Moment, to: Moment, gotIt: boolean): void {
    const { most, span } = this.wanted;
    const ms = msBetween({ from, to });
    if (ms <= this.least) return;
    if (span !== undefined && (from.zxid > span.to.zxid || to.zxid < span.from.zxid)) return;
    this.kept.push({ contender, from, to, gotIt, ms });
    if (this.kept.length < 2 * most) return;
    this.kept = this.sorted();
    this.least = this.kept.at(-1)?.ms ?? 0;
  }

  /** Those of one length in the order in which they were added. */
  sorted(): WaitingTime[] {
    return this.kept.sort((one, other) => other.ms - one.ms).slice(0, this.wanted.most);
  }
}

/**
 * When some waited for one lock and none held it: clients that do not take what is free, or a node in the way.
 *
 * @param unknown times of which nothing is known: they are left out
 * @param whole the span that is looked at
 */
export function* spansWithoutHolder(
  holds: readonly Hold[],
  waits: readonly Wait[],
  unknown: readonly Span[],
  whole: Span,
): Interruptible<Span[]> {
  const changes = new Map<bigint, Change>();
  const note = (moment: Moment, held: number, waited: number): void => {
    const change = changes.get(moment.zxid) ?? { moment, held: 0, waited: 0 };
    changes.set(moment.zxid, { moment, held: change.held + held, waited: change.waited + waited });
  };
  const add = ({ from, to }: { from: Moment; to?: Moment | undefined }, held: number, waited: number): void => {
    note(from, held, waited);
    if (to !== undefined) note(to, -held, -waited);
  };
  yield* forEachInParts(holds, hold => {
    add(hold, 1, 0);
    if (hold.isFromBefore !== true) add({ from: hold.queued, to: hold.from }, 0, 1);
  });
  yield* forEachInParts(waits, wait => {
    add({ from: beginOf(wait), to: wait.to }, 0, 1);
  });
  // Where nothing is known, a holder may be there.
  for (const span of unknown) add(span, 1, 0);
  const inOrder = yield* sortedInParts([...changes.values()], (one, other) =>
    compare(one.moment.zxid, other.moment.zxid),
  );
  return clipped(sweep(inOrder, whole.to), whole);
}

/** How many more hold and wait from a moment on. */
interface Change {
  moment: Moment;
  held: number;
  waited: number;
}

function sweep(changes: readonly Change[], end: Moment): Span[] {
  const spans: Span[] = [];
  let [holding, waited] = [0, 0];
  let from: Moment | undefined;
  for (const change of changes) {
    holding += change.held;
    waited += change.waited;
    const isUnheld = holding === 0 && waited > 0;
    if (from !== undefined && !isUnheld) spans.push({ from, to: change.moment });
    from = isUnheld ? (from ?? change.moment) : undefined;
  }
  return from === undefined ? spans : [...spans, { from, to: end }];
}

function clipped(spans: readonly Span[], whole: Span): Span[] {
  return spans
    .map(({ from, to }) => ({
      from: from.zxid < whole.from.zxid ? whole.from : from,
      to: to.zxid > whole.to.zxid ? whole.to : to,
    }))
    .filter(({ from, to }) => from.zxid < to.zxid);
}

function beginOf({ from, queued }: Hold | Wait): Moment {
  return from ?? queued;
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other);
}

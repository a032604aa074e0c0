import type { Hold, Moment, Wait } from '../../history/hold.ts';
import type { Gap } from '../../replay/recording.ts';
import { quantilesOf } from '../../history/figures.ts';
import { thinLengths, type LengthPoint } from '../../history/queueLengths.ts';
import {
  densityParts,
  timelineHolds,
  timelineWaits,
  type HistoryFigures,
  type TimeSpan,
} from '../../historyProtocol.ts';

/** The most points of the curve of the length. */
const lengthPoints = 200;

/** What a recording says of one lock. */
export interface LockRecord {
  /** By their beginnings. */
  holds: readonly Hold[];
  waits: readonly Wait[];
}

/** A wait: of a contender that left without having held or waits still, or of a hold before it began. */
export interface RecordedWait extends Omit<Wait, 'ended'> {
  ended?: Wait['ended'] | 'held';
}

/** A hold, and for how long the lock was free before it, ms; absent for the first one and where others held. */
export interface RecordedHold extends Hold {
  gapMs?: number;
}

/** What a recording says of one lock in a part of its time. Times are epoch ms. */
export interface RecordedHistory {
  shown: TimeSpan;
  /** By their beginnings; the longest ones where there are many. */
  holds: RecordedHold[];
  leftOut: number;
  waits: RecordedWait[];
  waitsLeftOut: number;
  lengths: LengthPoint[];
  figures: HistoryFigures;
}

/** Since when it waits: since its node was created, or since it held no more. */
export function waitingSince({ from, queued }: Pick<RecordedWait, 'from' | 'queued'>): Moment {
  return from ?? queued;
}

/** All waits of a lock, by their beginnings. Computed once for each record: it goes through everything. */
export function allWaits({ holds, waits }: LockRecord): RecordedWait[] {
  const lastHolds = new Map<string, Hold>();
  const before = holds.flatMap(hold => {
    const node = `${hold.czxid} ${hold.name}`;
    const last = lastHolds.get(node);
    lastHolds.set(node, hold);
    return waitBefore(hold, last);
  });
  return [...waits, ...before].sort((one, other) => waitingSince(one).time - waitingSince(other).time);
}

/** The wait before a hold. @param last the hold before it of the same node, which waited again after that */
function waitBefore(hold: Hold, last: Hold | undefined): RecordedWait[] {
  const { path, lockName, name, kind, identifier, ownerSession, czxid, queued, from, isFromBefore } = hold;
  const since = last?.to ?? queued;
  // One that queued and held in one transaction did not wait, and of one that held at the first look it is not known.
  if (isFromBefore === true || since.zxid === from.zxid) return [];
  const named = lockName === undefined ? {} : { lockName };
  const again = last?.to === undefined ? {} : { from: last.to };
  const place = { path, ...named, name, kind, identifier, ownerSession, czxid, queued };
  return [{ ...place, ...again, to: from, ended: 'held' }];
}

/**
 * Each hold with the time without any holder before it. After an end that was not seen, and where a part of that time is not known,
 * nothing is said. The clocks of servers may go back: such a time counts as none.
 *
 * @param holds by their beginnings
 * @param unknown in any order
 */
export function withGaps(holds: readonly Hold[], unknown: readonly Gap[]): RecordedHold[] {
  const isKnown = knownBetween(unknown);
  let last: Hold | undefined;
  return holds.map(hold => {
    const gapMs = last === undefined ? 0 : freeBefore(hold, last, isKnown);
    if (last === undefined || endsLater(hold, last)) last = hold;
    return gapMs > 0 ? { ...hold, gapMs } : hold;
  });
}

/** Whether everything between two moments is known. */
type KnownBetween = (from: Moment, to: Moment) => boolean;

/** To be asked for later and later `from`: each gap is passed once, however many holds there are. */
function knownBetween(unknown: readonly Gap[]): KnownBetween {
  const gaps = [...unknown].sort((one, other) => Number(one.from.zxid - other.from.zxid)).values();
  let gap = gaps.next().value;
  return (from, to) => {
    while (gap !== undefined && gap.to.zxid <= from.zxid) gap = gaps.next().value;
    return gap === undefined || gap.from.zxid >= to.zxid;
  };
}

/** For how long the lock was free, ms. @param last of the holds before, the one that ended last */
function freeBefore({ from, isFromBefore }: Hold, { to, isEndUnseen }: Hold, isKnown: KnownBetween): number {
  if (to === undefined || isEndUnseen === true || isFromBefore === true || from.zxid <= to.zxid) return 0;
  return isKnown(to, from) ? from.time - to.time : 0;
}

/** One that lasts ends last of all. */
function endsLater({ to }: Hold, { to: other }: Hold): boolean {
  if (other === undefined) return false;
  return to === undefined || to.zxid > other.zxid;
}

/** What is to be shown of a part of the time. `all`: from `withGaps` and `allWaits`. */
export function recordedHistory(
  all: { holds: readonly RecordedHold[]; waits: readonly RecordedWait[] },
  shown: TimeSpan,
): RecordedHistory {
  const holds = all.holds.filter(({ from, to }) => overlaps(from, to, shown));
  const waits = all.waits.filter(wait => overlaps(waitingSince(wait), wait.to, shown));
  const longestHolds = longest(holds, hold => hold.from, timelineHolds, shown);
  const longestWaits = longest(waits, waitingSince, timelineWaits, shown);
  const lengths = lengthsOf(holds, waits, shown);
  return {
    shown,
    holds: longestHolds,
    leftOut: holds.length - longestHolds.length,
    waits: longestWaits,
    waitsLeftOut: waits.length - longestWaits.length,
    lengths: thinLengths(lengths, lengthPoints),
    figures: figuresOf(holds, waits, lengths),
  };
}

/** How many of the holds begin in each of `densityParts` equal parts of a span. */
export function startsIn(holds: readonly Hold[], { from, to }: TimeSpan): number[] {
  const starts = new Array<number>(densityParts).fill(0);
  const part = Math.max(1, to - from) / densityParts;
  for (const hold of holds) {
    const at = Math.max(0, Math.min(densityParts - 1, Math.floor((hold.from.time - from) / part)));
    starts[at] = (starts[at] ?? 0) + 1;
  }
  return starts;
}

function overlaps(from: Moment, to: Moment | undefined, shown: TimeSpan): boolean {
  return from.time <= shown.to && (to === undefined || to.time >= shown.from);
}

/** The longest ones within the part that is shown, in their order. */
function longest<T extends { to?: Moment }>(
  stays: readonly T[],
  start: (stay: T) => Moment,
  limit: number,
  shown: TimeSpan,
): T[] {
  if (stays.length <= limit) return [...stays];
  const lengthOf = (stay: T): number =>
    Math.min(shown.to, stay.to?.time ?? shown.to) - Math.max(shown.from, start(stay).time);
  const kept = new Set([...stays].sort((one, other) => lengthOf(other) - lengthOf(one)).slice(0, limit));
  return stays.filter(stay => kept.has(stay));
}

/** One point per change within the span, the first one at its beginning. */
function lengthsOf(
  holds: readonly RecordedHold[],
  waits: readonly RecordedWait[],
  { from, to }: TimeSpan,
): LengthPoint[] {
  const changes = [
    ...holds.flatMap(hold => changesOf(hold.from, hold.to)),
    ...waits.flatMap(wait => changesOf(waitingSince(wait), wait.to)),
  ].sort((one, other) => one.at - other.at);
  let contenders = 0;
  const points: LengthPoint[] = [];
  const note = (at: number): void => {
    if (points.at(-1)?.at === at) points.pop();
    points.push({ at, contenders });
  };
  note(from);
  for (const change of changes) {
    if (change.at > to) break;
    contenders += change.by;
    note(Math.max(from, change.at));
  }
  return points.filter(({ contenders: count }, index) => index === 0 || count !== points[index - 1]?.contenders);
}

/** The clock of another leader may be behind: no end comes before its beginning. */
function changesOf(from: Moment, to: Moment | undefined): { at: number; by: number }[] {
  const begun = { at: from.time, by: 1 };
  return to === undefined ? [begun] : [begun, { at: Math.max(from.time, to.time), by: -1 }];
}

function figuresOf(
  holds: readonly RecordedHold[],
  waits: readonly RecordedWait[],
  lengths: readonly LengthPoint[],
): HistoryFigures {
  const spans = (all: readonly (number | undefined)[]): number[] =>
    all.filter(ms => ms !== undefined).map(ms => Math.max(0, ms));
  const gaps = holds.map(({ gapMs }) => gapMs);
  return {
    handOvers: holds.filter(({ isFromBefore, queued, from }) => isFromBefore !== true && queued.zxid !== from.zxid)
      .length,
    longestQueue: lengths.reduce((most, { contenders }) => Math.max(most, contenders), 0),
    hold: quantilesOf(spans(holds.filter(isWhole).map(({ from, to }) => to && to.time - from.time))),
    wait: quantilesOf(spans(waits.filter(isWhole).map(wait => wait.to && wait.to.time - waitingSince(wait).time))),
    gap: quantilesOf(spans(gaps)),
  };
}

/** Both its beginning and its end are known. */
function isWhole({ isFromBefore, ended, isEndUnseen }: Omit<RecordedWait, 'queued'>): boolean {
  return isFromBefore !== true && ended !== undefined && isEndUnseen !== true;
}

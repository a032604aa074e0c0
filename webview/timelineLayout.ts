import { timelineLanes, waitLanes, type History, type Hold, type Wait } from '../src/historyProtocol.ts';

/** All lengths in CSS pixels. `heading`: above holds and waits where both are drawn. `ends`: the row of ends without room in bars. */
export const timelineSizes = {
  bar: 22,
  wait: 14,
  laneGap: 4,
  axis: 20,
  curve: 72,
  curveTop: 16,
  top: 4,
  heading: 20,
  ends: 18,
};
/** A narrower bar has no room for the sign of its end. */
const signedBar = 24;
/** The distance of two signs in the row of ends. */
const signDistance = 14;
/** Shorter than this a bar could not be seen or pointed at. */
const leastBar = 2;
const tickDistance = 110;
/** A text begins at its tick and must end within the drawing. */
const tickText = 76;
const day = 86_400_000;

export interface Bar {
  /** One contender may hold again, so the key has the start, too. */
  key: string;
  hold: Hold | Wait;
  isWait: boolean;
  lane: number;
  x: number;
  y: number;
  width: number;
  height: number;
  /** There is room for the sign that says why it ended. */
  isSigned: boolean;
  /** Start of the unwatched span that lasts, if there is one: open holds were last seen then. */
  lastSeen: number | undefined;
  /** When it is drawn. */
  now: number;
}

/** The sign of an end that has no room in its bar. */
export interface EndSign {
  bar: Bar;
  x: number;
}

export interface Span {
  x: number;
  width: number;
}

export interface TickPlace {
  at: number;
  x: number;
  isMidnight: boolean;
}

export interface TimelineLayout {
  from: number;
  until: number;
  width: number;
  lanes: number;
  bars: Bar[];
  /** Holds that got no bar, since others lasted at the same time. */
  hidden: number;
  /** Waits have smaller lanes of their own below. */
  waits: Bar[];
  hiddenWaits: number;
  /** Ends of holds that are worth a look, in a row of their own, as far as they do not cover each other. */
  ends: EndSign[];
  endsY: number;
  /** Where the heading of the waits stands; absent without waits. */
  waitsHeading: number | undefined;
  /** Where the lanes end and the axis begins. */
  bottom: number;
  /** Without a holder: between the end of one hold and the start of the next. */
  gaps: Span[];
  unwatched: Span[];
  ticks: TickPlace[];
  /** Step curve of the queue's length, as an SVG path in a box of `timelineSizes.curve`; it has holes where nothing was watched. */
  curve: string;
  /** What is below the curve. */
  area: string;
  longest: number;
}

/**
 * Where everything of a timeline goes, on one axis: of a live lock from the oldest hold that is shown until `now` (epoch ms), of
 * what is recorded the part that the history is of. Pure.
 */
export function layOutTimeline(history: History, now: number, width: number): TimelineLayout {
  const from = history.shown?.from ?? startOf(history);
  const until = endOf(history, now) ?? Math.max(now, from + 1_000);
  const x = (at: number): number => ((clampTime(at, from, until) - from) / (until - from)) * width;
  const span = (start: number, end: number): Span => ({ x: x(start), width: Math.max(0, x(end) - x(start)) });
  const lanes = layOutLanes(history, { now: until, lastSeen: lastSeenOf(history), span, width });
  const gaps = history.holds.map(({ from: start, gapMs = 0 }) => span(start - gapMs, start));
  const lengths = history.lengths.filter((_, index, all) => (all[index + 1]?.at ?? until) >= from);
  const longest = Math.max(1, ...lengths.map(point => point.contenders));
  return {
    from,
    until,
    width,
    ...lanes,
    gaps: gaps.filter(gap => gap.width > 0),
    unwatched: history.unwatched.map(gap => span(gap.from, gap.until ?? until)).filter(gap => gap.width > 0),
    ticks: ticksOf(
      from,
      until,
      width,
      history.shown === undefined ? wholeSeconds : [...partsOfSeconds, ...wholeSeconds],
    ),
    ...stepCurve(lengths, watchedSpans(history, from, until), longest, x),
    longest,
  };
}

/** When open holds were last seen, while nothing is watched. */
function lastSeenOf({ unwatched }: History): number | undefined {
  const last = unwatched.at(-1);
  return last?.until === undefined ? last?.from : undefined;
}

type LaneLayout = Pick<
  TimelineLayout,
  'lanes' | 'bars' | 'hidden' | 'waits' | 'hiddenWaits' | 'ends' | 'endsY' | 'waitsHeading' | 'bottom'
>;

/** Holds first; of a recording the signs of their ends and the waits below. */
function layOutLanes(history: History, axis: Axis): LaneLayout {
  const { heading, bar, wait, laneGap } = timelineSizes;
  const isRecorded = history.shown !== undefined;
  const isDivided = history.waits.length > 0;
  const top = timelineSizes.top + (isDivided ? heading : 0);
  const { bars, lanes } = inLanes(history.holds, { ...axis, ...holdLanes, top });
  const ends = isRecorded ? endSigns(bars) : [];
  const endsY = top + lanes * (bar + laneGap);
  const holdsEnd = endsY + (ends.length > 0 ? timelineSizes.ends : 0);
  const waits = inLanes(history.waits, { ...axis, ...lanesOfWaits, top: holdsEnd + heading });
  return {
    lanes,
    bars,
    hidden: history.holds.length - bars.length + (isRecorded ? 0 : history.leftOut),
    waits: waits.bars,
    hiddenWaits: history.waits.length - waits.bars.length,
    ends,
    endsY,
    waitsHeading: isDivided ? holdsEnd : undefined,
    bottom: isDivided ? holdsEnd + heading + waits.lanes * (wait + laneGap) : holdsEnd,
  };
}

/** Where a moment is on the axis; `undefined` outside of it. */
export function placeOf(at: number, { from, until, width }: TimelineLayout): number | undefined {
  return at < from || at > until ? undefined : ((at - from) / (until - from)) * width;
}

/** Where the axis of what is recorded ends: of a live lock now, unless another part is shown. */
function endOf({ shown, whole }: History, now: number): number | undefined {
  return shown !== undefined && whole !== undefined && shown.to >= whole.to ? Math.max(now, shown.to) : shown?.to;
}

/** When older holds were left out, the axis begins where the newest ones do, or bars of seconds would vanish in hours. */
function startOf({ holds, openedAt }: History): number {
  return Math.max(openedAt, holds.at(-100)?.from ?? openedAt);
}

function clampTime(at: number, from: number, until: number): number {
  return Math.max(from, Math.min(until, at));
}

interface Lanes {
  most: number;
  height: number;
  isWait: boolean;
}

const holdLanes: Lanes = { most: timelineLanes, height: timelineSizes.bar, isWait: false };
const lanesOfWaits: Lanes = { most: waitLanes, height: timelineSizes.wait, isWait: true };

interface Axis {
  now: number;
  lastSeen: number | undefined;
  /** Of the drawing. */
  width: number;
  span: (start: number, end: number) => Span;
}

interface Placing extends Lanes, Axis {
  top: number;
}

/** Each goes to the first lane that is free when it begins: interval partitioning, so the holds of a mutex need one lane. */
function inLanes(stays: readonly (Hold | Wait)[], placing: Placing): { bars: Bar[]; lanes: number } {
  const { most, height, top, isWait, now, lastSeen, span } = placing;
  const freeAt: number[] = [];
  const bars: Bar[] = [];
  for (const hold of stays) {
    const free = freeAt.findIndex(at => at <= hold.from);
    const lane = free >= 0 ? free : freeAt.length;
    if (lane >= most) continue;
    const end = hold.until ?? lastSeen ?? now;
    freeAt[lane] = end;
    const { x, width: length } = span(hold.from, end);
    const width = Math.max(leastBar, length);
    bars.push({
      key: keyOf(hold, isWait),
      hold,
      isWait,
      lane,
      // What ends at the end of the axis stays within the drawing.
      x: Math.min(x, placing.width - leastBar),
      y: top + lane * (height + timelineSizes.laneGap),
      width,
      height,
      isSigned: hold.ended !== undefined && width >= signedBar,
      lastSeen,
      now,
    });
  }
  return { bars, lanes: Math.max(1, freeAt.length) };
}

function keyOf({ from, name, recorded }: Hold | Wait, isWait: boolean): string {
  return [...(isWait ? ['wait'] : []), from, ...(recorded === undefined ? [] : [recorded.zxid]), name].join(' ');
}

/** Ends that an ordinary client does not make, the more telling first. */
const notable: readonly unknown[] = ['deleted by another session', 'session expired', 'overtaken', 'unknown'];

/** Where there is no room for all, the more telling ones stay. */
function endSigns(bars: readonly Bar[]): EndSign[] {
  const taken: number[] = [];
  const signs = notable.flatMap(cause =>
    bars
      .filter(bar => !bar.isSigned && bar.hold.ended === cause)
      .map(bar => ({ bar, x: bar.x + bar.width }))
      .filter(({ x }) => {
        const isFree = taken.every(other => Math.abs(x - other) >= signDistance);
        if (isFree) taken.push(x);
        return isFree;
      }),
  );
  return signs.sort((one, other) => one.x - other.x);
}

/** Steps between ticks, s. A recording says of each moment to the millisecond when it was. */
const partsOfSeconds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
const wholeSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];

/** Round moments, far enough apart for their text; round in local time, as the text is. */
function ticksOf(from: number, until: number, width: number, steps: readonly number[]): TickPlace[] {
  const least = ((until - from) * tickDistance) / Math.max(1, width);
  const step = (steps.find(value => value * 1_000 >= least) ?? 604_800) * 1_000;
  const zone = zoneAt(from);
  const first = Math.ceil((from - zone) / step) * step + zone;
  const last = until - ((until - from) * tickText) / Math.max(1, width);
  const count = Math.max(0, Math.floor((last - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => first + index * step)
    .map(at => (step < day ? at : at - zone + zoneAt(at)))
    .map(at => ({ at, x: ((at - from) / (until - from)) * width, isMidnight: (at - zoneAt(at)) % day === 0 }));
}

/** What is to be added to local time for UTC, in ms; summer time begins and ends between days. */
function zoneAt(at: number): number {
  return new Date(at).getTimezoneOffset() * 60_000;
}

/** When changes of the length were seen, oldest first, epoch ms. */
function watchedSpans({ lengths, unwatched }: History, from: number, until: number): { from: number; until: number }[] {
  const starts = [Math.max(from, lengths[0]?.at ?? until), ...unwatched.map(gap => gap.until ?? until)];
  const ends = [...unwatched.map(gap => gap.from), until];
  return starts
    .map((start, index) => ({ from: Math.max(from, start), until: ends[index] ?? until }))
    .filter(span => span.until > span.from);
}

/** A step at each change, within the spans that were watched: nothing is known between them. */
function stepCurve(
  lengths: History['lengths'],
  spans: readonly { from: number; until: number }[],
  longest: number,
  x: (at: number) => number,
): Pick<TimelineLayout, 'curve' | 'area'> {
  const height = timelineSizes.curve - timelineSizes.curveTop - 1;
  const y = (contenders: number): number => round(timelineSizes.curveTop + height - (contenders / longest) * height);
  const curves = spans.map(({ from, until }) => {
    const before = lengths.findLast(point => point.at <= from) ?? lengths[0];
    const steps = lengths.filter(({ at }) => at > from && at < until);
    const path = steps.map(({ at, contenders }) => `H${round(x(at))}V${y(contenders)}`).join('');
    return {
      start: round(x(from)),
      path: `M${round(x(from))} ${y(before?.contenders ?? 0)}${path}H${round(x(until))}`,
    };
  });
  return {
    curve: curves.map(({ path }) => path).join(''),
    area: curves.map(({ start, path }) => `${path}V${timelineSizes.curve}H${start}Z`).join(''),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

import { timelineLanes, type History, type Hold } from '../src/protocol.ts';

/** All lengths in CSS pixels. */
export const timelineSizes = { bar: 22, laneGap: 4, axis: 20, curve: 72, curveTop: 16, top: 4 };
/** Shorter than this a bar could not be seen or pointed at. */
const leastBar = 2;
const tickDistance = 110;
/** A text begins at its tick and must end within the drawing. */
const tickText = 76;
const day = 86_400_000;

export interface Bar {
  /** One contender may hold again, so the key has the start, too. */
  key: string;
  hold: Hold;
  lane: number;
  x: number;
  width: number;
  /** Start of the unwatched span that lasts, if there is one: open holds were last seen then. */
  lastSeen: number | undefined;
  /** When it is drawn. */
  now: number;
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

/** Where everything of a timeline goes, on one axis from the oldest hold that is shown until `now` (epoch ms). Pure. */
export function layOutTimeline(history: History, now: number, width: number): TimelineLayout {
  const from = startOf(history);
  const until = Math.max(now, from + 1_000);
  const x = (at: number): number => ((clampTime(at, from, until) - from) / (until - from)) * width;
  const span = (start: number, end: number): Span => ({ x: x(start), width: Math.max(0, x(end) - x(start)) });
  const last = history.unwatched.at(-1);
  const lastSeen = last?.until === undefined ? last?.from : undefined;
  const { bars, lanes } = inLanes(history.holds, { now: until, lastSeen, span });
  const gaps = history.holds
    .filter(hold => (hold.gapMs ?? 0) > 0)
    .map(hold => span(hold.from - (hold.gapMs ?? 0), hold.from));
  const lengths = history.lengths.filter((_, index, all) => (all[index + 1]?.at ?? until) >= from);
  const longest = Math.max(1, ...lengths.map(point => point.contenders));
  return {
    from,
    until,
    width,
    lanes,
    bars,
    hidden: history.holds.length - bars.length + history.leftOut,
    gaps,
    unwatched: history.unwatched.map(gap => span(gap.from, gap.until ?? until)).filter(gap => gap.width > 0),
    ticks: ticksOf(from, until, width),
    ...stepCurve(lengths, watchedSpans(history, from, until), longest, x),
    longest,
  };
}

/** When older holds were left out, the axis begins where the newest ones do, or bars of seconds would vanish in hours. */
function startOf({ holds, openedAt }: History): number {
  return Math.max(openedAt, holds.at(-100)?.from ?? openedAt);
}

function clampTime(at: number, from: number, until: number): number {
  return Math.max(from, Math.min(until, at));
}

/** Each hold goes to the first lane that is free when it begins: interval partitioning, so a mutex needs one lane. */
function inLanes(
  holds: readonly Hold[],
  { now, lastSeen, span }: Pick<Bar, 'now' | 'lastSeen'> & { span: (start: number, end: number) => Span },
): { bars: Bar[]; lanes: number } {
  const freeAt: number[] = [];
  const bars: Bar[] = [];
  for (const hold of holds) {
    const free = freeAt.findIndex(at => at <= hold.from);
    const lane = free >= 0 ? free : freeAt.length;
    if (lane >= timelineLanes) continue;
    const end = hold.until ?? lastSeen ?? now;
    freeAt[lane] = end;
    const { x, width } = span(hold.from, end);
    bars.push({ key: `${hold.from} ${hold.name}`, hold, lane, x, width: Math.max(leastBar, width), lastSeen, now });
  }
  return { bars, lanes: Math.max(1, freeAt.length) };
}

/** Round moments, far enough apart for their text; round in local time, as the text is. */
function ticksOf(from: number, until: number, width: number): TickPlace[] {
  const least = ((until - from) * tickDistance) / Math.max(1, width);
  const seconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];
  const step = (seconds.find(value => value * 1_000 >= least) ?? 604_800) * 1_000;
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

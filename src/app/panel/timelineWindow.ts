import type { Hold } from '../../history/hold.ts';
import { shortestTimeline, type TimeSpan } from '../../historyProtocol.ts';

/** Above this many holds the timeline of a recording begins with those around the instant. */
const holdsAtFirst = 200;

/** What the part of the time depends on. All times are epoch ms of the servers' clock. */
export interface WindowFacts {
  /** The whole recording. */
  span: TimeSpan;
  /** The moment that is shown. */
  at: number;
  /** Of the lock, by their beginnings. */
  holds: readonly Pick<Hold, 'from'>[];
}

/**
 * Which part of a recording's time the timeline shows: what the user asked for last; before that all of it, or the part around the
 * instant where there are many holds. An instant that moves out of it takes it along.
 */
export class TimelineWindow {
  private shown: TimeSpan | undefined;
  private asked: TimeSpan | undefined;
  private last: WindowFacts | undefined;

  /** @param asked what the page asks for, which it goes on to ask for until the user chooses another part */
  of(asked: TimeSpan | undefined, facts: WindowFacts): TimeSpan {
    if (this.shown === undefined || !isSame(asked, this.asked)) this.shown = asked ?? atFirst(facts);
    else this.shown = this.followed(this.shown, facts);
    this.asked = asked;
    this.last = facts;
    return within(this.shown, facts.span);
  }

  private followed(shown: TimeSpan, { span, at }: WindowFacts): TimeSpan {
    const { last } = this;
    if (last === undefined) return shown;
    // A recording that grows is shown whole if it was.
    const grown = isSame(shown, last.span) ? span : shown;
    if (at === last.at || (at >= grown.from && at <= grown.to)) return grown;
    const length = grown.to - grown.from;
    return { from: at - length / 2, to: at + length / 2 };
  }
}

function isSame(one: TimeSpan | undefined, other: TimeSpan | undefined): boolean {
  return one?.from === other?.from && one?.to === other?.to;
}

function atFirst({ span, at, holds }: WindowFacts): TimeSpan {
  if (holds.length <= holdsAtFirst) return span;
  const behind = holds.findIndex(({ from }) => from.time > at);
  const here = behind < 0 ? holds.length : behind;
  const first = Math.max(0, Math.min(here - holdsAtFirst / 2, holds.length - holdsAtFirst));
  const from = holds[first]?.from.time ?? span.from;
  // To the next hold, so that the last one of the part is seen whole.
  return { from: Math.min(from, at), to: Math.max(holds[first + holdsAtFirst]?.from.time ?? span.to, at) };
}

/** Whole ms, within the recording and not too short; a span that is too long becomes the whole. */
function within({ from, to }: TimeSpan, span: TimeSpan): TimeSpan {
  const least = Math.min(shortestTimeline, Math.max(1, span.to - span.from));
  const length = Math.min(Math.max(to - from, least), Math.max(1, span.to - span.from));
  const start = Math.round(Math.max(span.from, Math.min(from, span.to - length)));
  return { from: start, to: Math.max(start + 1, Math.round(start + length)) };
}

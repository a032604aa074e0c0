import type { Interruptible } from '../../base/interruptible.ts';
import type { Hold, Moment, Wait } from '../../history/hold.ts';
import {
  during,
  longestWaitingTimes,
  spansWithoutHolder,
  type Span,
  type WaitingTime,
} from '../../history/whatHappened.ts';
import type { RecordedSession, Recording } from '../../replay/recording.ts';

/** A lock as holds name it: the path of its queue. Foreign text. */
export interface PastLock {
  path: string;
  lockName?: string | undefined;
}

/** What happened to one lock in a span of time. */
export interface LockPast {
  /** Those of the span, also if they began before or ended after it. */
  holds: Hold[];
  waits: Wait[];
  /** The longest first, also of those who hold since a moment after the span. */
  longest: WaitingTime[];
  /** When some waited and none held; times of which nothing is known are left out. */
  unheld: Span[];
  /** Sessions that expired in the span and held or waited here. */
  expired: { id: bigint; session: RecordedSession }[];
}

/** Waits that a report names. */
const shownWaits = 20;

/** The past of one lock. Pure; long for a lock with many holds and waits. */
export function* lockPast(recording: Recording, { path, lockName }: PastLock, span: Span): Interruptible<LockPast> {
  const isHere = (place: Hold | Wait): boolean => place.lockName === lockName;
  const all = { holds: recording.holds(path).filter(isHere), waits: recording.waits(path).filter(isHere) };
  const holds = during(all.holds, span, recording.to);
  const waits = during(all.waits, span, recording.to);
  yield;
  const unknown = [...recording.gaps, ...unsureStart(recording)];
  return {
    holds,
    waits,
    longest: yield* longestWaitingTimes(all.holds, all.waits, { most: shownWaits, end: recording.to, span }),
    unheld: yield* spansWithoutHolder(all.holds, all.waits, unknown, span),
    expired: expiredSessions(recording, [...holds, ...waits], span),
  };
}

/** Before the picture is sure a holder may be missing. */
function unsureStart({ from, sureFrom }: Recording): Span[] {
  return sureFrom.zxid > from.zxid ? [{ from, to: sureFrom }] : [];
}

function expiredSessions(recording: Recording, places: readonly (Hold | Wait)[], span: Span): LockPast['expired'] {
  const owners = new Set(places.map(({ ownerSession }) => ownerSession));
  return [...owners].flatMap(id => {
    const session = recording.session(id);
    const isHere = session?.how === 'expired' && isWithin(session.ended, span);
    return isHere ? [{ id, session }] : [];
  });
}

function isWithin(moment: Moment | undefined, { from, to }: Span): boolean {
  return moment !== undefined && moment.zxid >= from.zxid && moment.zxid <= to.zxid;
}

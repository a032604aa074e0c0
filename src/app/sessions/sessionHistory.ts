import type { Interruptible } from '../../base/interruptible.ts';
import type { Hold, Moment } from '../../history/hold.ts';
import type { Contender, LockQueue } from '../../locks/lockQueue.ts';
import type { RecordedSession } from '../../replay/recording.ts';

/** What was recorded of the sessions of a subject. */
export interface SubjectHistory {
  /** By id; only those that the record knows. */
  sessions: ReadonlyMap<bigint, RecordedSession>;
  /** The newest first, at most as many as were asked for. */
  holds: readonly Hold[];
  /** How many there are. */
  total: number;
}

/** What a recording, or the recorder of this window, knows of some sessions. */
export interface SessionRecord {
  holds(): readonly Hold[];
  sessions(): ReadonlyMap<bigint, RecordedSession>;
}

/** The holds of some sessions in the order of the record. Goes through the whole record. */
export function holdsOf(record: Pick<SessionRecord, 'holds'>, ids: ReadonlySet<bigint>): Hold[] {
  return record.holds().filter(({ ownerSession }) => ownerSession !== 0n && ids.has(ownerSession));
}

/**
 * What was known of some sessions at a moment.
 *
 * @param holds all holds of these sessions
 * @param limit the most holds
 * @param moment absent: the end of the record. What begins later is left out, and of what ends later the end
 */
export function historyOf(
  { holds, sessions: known }: { holds: readonly Hold[]; sessions: ReadonlyMap<bigint, RecordedSession> },
  ids: ReadonlySet<bigint>,
  limit: number,
  moment?: Moment,
): SubjectHistory {
  const sessions = new Map<bigint, RecordedSession>();
  for (const id of ids) {
    const session = known.get(id);
    const cut = session && (moment === undefined ? session : sessionUntil(session, moment));
    if (cut !== undefined) sessions.set(id, cut);
  }
  const until = moment === undefined ? holds : holds.filter(({ from }) => !isAfter(from, moment));
  const newest = until.slice(-limit).reverse();
  return {
    sessions,
    holds: moment === undefined ? newest : newest.map(hold => holdUntil(hold, moment)),
    total: until.length,
  };
}

/** By the times where a transaction is not known. */
export function isAfter(one: Moment, other: Moment): boolean {
  return one.zxid === 0n || other.zxid === 0n ? one.time > other.time : one.zxid > other.zxid;
}

/** What was known of a session at a moment. @returns `undefined` if it was opened later */
export function sessionUntil(session: RecordedSession, moment: Moment): RecordedSession | undefined {
  const { opened, ended } = session;
  if (opened !== undefined && isAfter(opened, moment)) return undefined;
  if (ended === undefined || !isAfter(ended, moment)) return session;
  const cut = { ...session };
  delete cut.ended;
  delete cut.how;
  return cut;
}

function holdUntil(hold: Hold, moment: Moment): Hold {
  if (hold.to === undefined || !isAfter(hold.to, moment)) return hold;
  const cut = { ...hold };
  delete cut.to;
  delete cut.ended;
  delete cut.isEndUnseen;
  delete cut.endedBy;
  return cut;
}

/**
 * The sessions of which the record says that they ended, though there are newer nodes of theirs: the record is of an earlier session
 * with the same id.
 *
 * @param sessions what is recorded, by id
 */
export function* reusedSessions(
  sessions: ReadonlyMap<bigint, RecordedSession>,
  queues: Iterable<Pick<LockQueue, 'contenders'>>,
): Interruptible<Set<bigint>> {
  const reused = new Set<bigint>();
  if (sessions.size === 0) return reused;
  for (const { contenders } of queues) {
    yield;
    for (const contender of contenders) {
      const recorded = sessions.get(contender.ownerSession);
      if (recorded !== undefined && isOfEarlier(recorded, contender)) reused.add(contender.ownerSession);
    }
  }
  return reused;
}

/** Whether a record is of a session that ended before the node was made: another one has its id now. */
export function isOfEarlier({ ended }: RecordedSession, { czxid, createdAt }: Contender): boolean {
  if (ended === undefined) return false;
  return ended.zxid === 0n ? createdAt > ended.time : czxid > ended.zxid;
}

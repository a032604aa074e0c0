import type { SourceKind, Step } from '../../app/clusters/recordedTime.ts';
import { foreign, section, type Report } from '../../base/report.ts';
import { sessionText, zxidText } from '../../base/sessionText.ts';
import { isoTime } from '../../base/isoTime.ts';
import type { EndCause, Hold, Moment, Wait } from '../../history/hold.ts';
import type { LockName } from '../../history/lockHistory.ts';
import { msBetween, waitBegins, type Span, type WaitingTime } from '../../history/whatHappened.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import type { GapCause, Problem, ProblemKind, RecordedSession, Recording } from '../../replay/recording.ts';
import { instantText, joined, l10n, listed, nameText, spanText } from './language.ts';
import { recordedAddress } from './ownerText.ts';
import { gapTexts } from './recordingRowText.ts';

const problemTexts: Readonly<Record<ProblemKind, () => string>> = {
  'empty file': () => l10n.t('it is empty, so nothing was read from it'),
  'not a transaction log': () => l10n.t('it is no transaction log, so nothing was read from it'),
  'not a recording': () => l10n.t('it is no recording of this extension, so nothing was read from it'),
  'not a snapshot': () => l10n.t('it is no snapshot, so nothing was read from it'),
  'unknown version': () => l10n.t('its format has a version that is not known here, so nothing was read from it'),
  'no permission': () => l10n.t('this account may not read it'),
  unreadable: () => l10n.t('the file system could not read it'),
  'torn tail': () => l10n.t('it ends in the middle of a record, as after a crash; what stands before that was read'),
  'wrong checksum': () =>
    l10n.t('a record does not have its checksum; what stands before it was read, the rest of the file was not'),
  'bad length': () =>
    l10n.t('a record has an impossible length; what stands before it was read, the rest of the file was not'),
  'bad record': () =>
    l10n.t('a record could not be understood; what stands before it was read, the rest of the file was not'),
  'zxid goes back': () =>
    l10n.t('its transactions go back behind those that were read already, so the rest of it was not read'),
  'other ensemble': () => l10n.t('it belongs to other data (its dbId differs), so it was not read'),
  'truncated snapshot': () => l10n.t('it ends too early; the nodes before that were read, the others are missing'),
};

/** What was wrong with a file, as one line of a report. */
export function problemLine({ file, offset, what }: Problem): string {
  return l10n.t('{0}, byte {1}: {2}', foreign(file), offset, problemTexts[what]());
}

/** Why nothing is sure of a time, as the end of a sentence. */
export function gapCauseText(cause: GapCause): string {
  return gapTexts[cause]();
}

/** A time of which nothing is sure, as one line of a report. */
export function gapLine({ from, to, why }: { from: Moment; to: Moment; why: GapCause }): string {
  return l10n.t('{0} to {1}: {2}', momentLine(from), momentLine(to), gapCauseText(why));
}

/** A moment for a report, which readers in several places share: UTC and zxid. */
export function momentLine({ time, zxid }: Moment): string {
  return l10n.t('{0} (transaction {1})', isoTime(time), zxidText(zxid));
}

const causeTexts: Readonly<Record<EndCause, () => string>> = {
  released: () => l10n.t('released by its own session'),
  'session closed': () => l10n.t('its session was closed by its client'),
  'session expired': () => l10n.t('its session expired'),
  'session ended': () => l10n.t('its session ended'),
  'deleted by another session': () => l10n.t('deleted by another session'),
  overtaken: () => l10n.t('another contender came before it'),
  unknown: () => l10n.t('how it ended is not known'),
};

/** Why it ended, and by whom. */
export function endText({ ended, endedBy }: Pick<Hold, 'ended' | 'endedBy'>): string {
  if (ended === 'deleted by another session' && endedBy === 0n) return l10n.t('deleted by the server');
  if (ended === 'deleted by another session' && endedBy !== undefined) {
    return l10n.t('deleted by session {0}', sessionText(endedBy));
  }
  return causeTexts[ended ?? 'unknown']();
}

/** What is known of the session of a contender. */
type SessionOf = (id: bigint) => RecordedSession | undefined;

const noSession: SessionOf = () => undefined;

/** Who, with node, session and, where that was recorded, address. */
function whoLine({ identifier, name, ownerSession }: Hold | Wait, sessionOf: SessionOf): string {
  const who = identifier === '' ? foreign(name) : `${foreign(identifier)} [${foreign(name)}]`;
  if (ownerSession === 0n) return who;
  const address = sessionOf(ownerSession)?.address;
  return address === undefined
    ? l10n.t('{0}, session {1}', who, sessionText(ownerSession))
    : l10n.t('{0}, session {1} from {2}', who, sessionText(ownerSession), foreign(address));
}

function holdLine(hold: Hold, waitBegan: Moment | undefined, end: Moment, sessionOf: SessionOf): string {
  const { from, to, isFromBefore, isEndUnseen } = hold;
  const begin = isFromBefore === true ? l10n.t('held before {0} already', momentLine(from)) : momentLine(from);
  const waited = waitBegan === undefined ? 0 : msBetween({ from: waitBegan, to: from });
  const span = spanText(msBetween({ from, to: to ?? end }));
  const isWhole = isFromBefore !== true && isEndUnseen !== true;
  return listed([
    l10n.t('{0}: {1}', begin, whoLine(hold, sessionOf)),
    isWhole ? l10n.t('held for {0}', span) : l10n.t('held for at least {0}', span),
    ...(waited === 0 ? [] : [l10n.t('after a wait of {0}', spanText(waited))]),
    to === undefined ? l10n.t('still holds at the end') : l10n.t('{0} at {1}', endText(hold), momentLine(to)),
  ]);
}

/** One wait, as one line of a report. */
export function waitingLine({ contender, from, to, gotIt, ms }: WaitingTime, sessionOf: SessionOf = noSession): string {
  return listed([
    l10n.t('{0}: {1}', spanText(ms), whoLine(contender, sessionOf)),
    l10n.t('from {0} to {1}', momentLine(from), momentLine(to)),
    gotIt ? l10n.t('then it held') : withoutHoldText(contender),
  ]);
}

function withoutHoldText({ to, ended, endedBy, isEndUnseen }: Hold | Wait): string {
  if (to === undefined) return l10n.t('still waits at the end');
  const end = endText({ ended, endedBy });
  // Whether it held afterwards is not known then, either.
  return isEndUnseen === true ? end : l10n.t('left without having held: {0}', end);
}

/** What happens at the moment that a step went to, in one line; safe for the screen. @param lock only of that one */
export function stepText(recording: Recording, what: Step, { zxid, time }: Moment, lock?: LockName): string {
  const happened =
    what === 'hand-over'
      ? recording
          .holds(lock?.path)
          .filter(({ from, lockName }) => from.zxid === zxid && (lock === undefined || lockName === lock.lockName))
          .map(hold => l10n.t('{0} gets {1}', nameText(hold.identifier || hold.name), nameText(hold.path)))
      : [...recording.sessions()]
          .filter(([, { ended }]) => ended?.zxid === zxid)
          .map(([id, { how }]) =>
            how === 'expired'
              ? l10n.t('session {0} expires', sessionText(id))
              : l10n.t('session {0} is closed', sessionText(id)),
          );
  const [first = '', ...others] = happened;
  const more = others.length === 0 ? '' : l10n.t('and {0} more', others.length);
  return joined([instantText(time), first, more]);
}

/** What an expired session ended, as one line of a report. @param held whether it held; if not, it waited */
export function expiryLine(place: Hold | Wait, ended: Moment, held: boolean, sessionOf: SessionOf = noSession): string {
  const who = l10n.t('{0}: {1}', momentLine(ended), whoLine(place, sessionOf));
  return listed([who, held ? l10n.t('it held') : l10n.t('it waited')]);
}

/** What is known of a session, as lines. */
export function sessionLines(session: RecordedSession | undefined): string[] {
  if (session === undefined) return [l10n.t('The files say nothing of this session.')];
  const { opened, timeoutMs, ended, how, address } = session;
  return [
    ...(address === undefined
      ? []
      : [l10n.t('Address of its client: {0}', recordedAddress({ ...session, address }, foreign))]),
    opened === undefined ? l10n.t('Opened before the first file') : l10n.t('Opened: {0}', momentLine(opened)),
    ...(timeoutMs === undefined ? [] : [l10n.t('Session timeout: {0}', spanText(timeoutMs))]),
    ended === undefined ? l10n.t('It has not ended in these files') : sessionEnds[how ?? 'ended'](momentLine(ended)),
  ];
}

const sessionEnds: Readonly<Record<'closed' | 'expired' | 'ended', (moment: string) => string>> = {
  closed: moment => l10n.t('Its client closed it: {0}', moment),
  expired: moment => l10n.t('The server ended it, since it heard nothing for the timeout: {0}', moment),
  ended: moment => l10n.t('It was over at {0}; whether it was closed or expired is not known', moment),
};

/** What files of a kind lack, and where to look for it. */
function lackLines(kind: SourceKind): string[] {
  return kind === 'logs' ? [addressLine()] : [];
}

function addressLine(): string {
  return l10n.t(
    'Transaction logs hold no client addresses. The log of the server names them ("Established session"), and so does its audit log (3.6 and later, if switched on); join them by the session id.',
  );
}

/** What a recording knows of the owner of a node: its session, and in what was recorded live its address. */
export function recordedOwnerReport(
  cluster: string,
  { path, identifier, ownerSession }: Contender,
  session: RecordedSession | undefined,
  kind: SourceKind = 'logs',
): Report {
  const owner = sessionText(ownerSession);
  return {
    headline: ownerSession === 0n ? l10n.t('No session owns this node') : l10n.t('Session {0}', owner),
    blocks: [
      {
        kind: 'list',
        items: [
          l10n.t('Owner of {0} on {1}', foreign(path), foreign(cluster)),
          l10n.t('Identifier: {0}', identifier === '' ? l10n.t('nothing') : foreign(identifier)),
          ...(ownerSession === 0n ? [] : sessionLines(session)),
          ...lackLines(kind),
        ],
      },
    ],
  };
}

/** What *Explain What Happened* found. */
export interface WhatHappened {
  recording: Recording;
  /** What the files are; default: transaction logs. */
  kind?: SourceKind;
  cluster: string;
  lock: { path: string; lockName?: string };
  span: Span;
  holds: readonly Hold[];
  waits: readonly Wait[];
  longest: readonly WaitingTime[];
  unheld: readonly Span[];
  expired: readonly { id: bigint; session: RecordedSession }[];
}

/** Entries of a section. The host must not be busy for long; *Save Holds* writes all. */
const shownEntries = 500;

/** The first ones as lines, and how many more there are. */
function firstLines<T>(entries: readonly T[], lineOf: (entry: T) => string): string[] {
  const lines = entries.slice(0, shownEntries).map(lineOf);
  const rest = entries.length - lines.length;
  return rest === 0 ? lines : [...lines, l10n.t('and {0} more', rest)];
}

/** Whether it left, for all that is known, without having held. */
function isInVain({ ended, isEndUnseen }: Wait): boolean {
  return ended !== undefined && isEndUnseen !== true;
}

/** The life of a lock in a span of time: who held, why it ended, who waited, and what is not known. */
export function whatHappenedReport(happened: WhatHappened): Report {
  const { recording, kind = 'logs', cluster, lock, span, holds, waits, longest, unheld, expired } = happened;
  const sessionOf: SessionOf = id => recording.session(id);
  const end = recording.to;
  const begins = waitBegins(recording.holds(lock.path));
  const name = lock.lockName === undefined ? foreign(lock.path) : `${foreign(lock.path)} (${foreign(lock.lockName)})`;
  const deleted = [...holds, ...waits].filter(({ ended }) => ended === 'deleted by another session');
  const gaps = recording.gaps.filter(({ from, to }) => from.zxid <= span.to.zxid && to.zxid >= span.from.zxid);
  return {
    headline: l10n.t('{0}: {1} held it, {2} waited in vain', name, holds.length, waits.filter(isInVain).length),
    blocks: [
      {
        kind: 'list',
        items: [
          l10n.t('Recording {0}', foreign(cluster)),
          l10n.t('From {0} to {1}', momentLine(span.from), momentLine(span.to)),
          ...lackLines(kind),
        ],
      },
      ...section(l10n.t('Not sure'), [...sureLines(recording, span), ...firstLines(gaps, gapLine)]),
      ...section(l10n.t('Waits without a holder'), firstLines(unheld, unheldLine)),
      ...section(l10n.t('Ended by expired sessions'), firstLines(expired, expiredLine)),
      ...section(
        l10n.t('Deleted by others'),
        firstLines(deleted, place =>
          l10n.t('{0}: {1}, at {2}', whoLine(place, sessionOf), endText(place), momentLine(place.to ?? end)),
        ),
      ),
      ...section(
        l10n.t('Longest waits'),
        longest.map(wait => waitingLine(wait, sessionOf)),
      ),
      ...section(
        l10n.t('Holds'),
        firstLines(holds, hold => holdLine(hold, begins.get(hold), end, sessionOf)),
      ),
    ],
  };
}

function sureLines(recording: Recording, span: Span): string[] {
  return recording.sureFrom.zxid <= span.from.zxid ? [] : [sureLine(recording)];
}

/** Without any snapshot the picture is not sure up to the end. */
function sureLine({ from, to, sureFrom }: Recording): string {
  return sureFrom.zxid > from.zxid && sureFrom.zxid >= to.zxid
    ? l10n.t('The picture is not sure at any moment')
    : l10n.t('The picture is sure from {0} on', momentLine(sureFrom));
}

function unheldLine(span: Span): string {
  return l10n.t('{0}: from {1} to {2}', spanText(msBetween(span)), momentLine(span.from), momentLine(span.to));
}

function expiredLine({ id, session }: { id: bigint; session: RecordedSession }): string {
  return listed([l10n.t('Session {0}', sessionText(id)), ...sessionLines(session)]);
}

/** What was read, what was not, and from when on the picture is sure. */
export function recordingReport(recording: Recording, folder: string, kind: SourceKind = 'logs'): Report {
  const { from, to, transactions, problems, gaps } = recording;
  const [locks, sessions] = [recording.locks().length, recording.sessions().size];
  const isWhole = problems.length === 0 && gaps.length === 0;
  return {
    headline: isWhole ? l10n.t('Everything was read') : l10n.t('Not everything could be read'),
    blocks: [
      {
        kind: 'list',
        items: [
          l10n.t('Folder: {0}', foreign(folder)),
          l10n.t('From {0} to {1}', momentLine(from), momentLine(to)),
          kind === 'logs'
            ? l10n.t('{0} transactions, {1} locks, {2} sessions', transactions, locks, sessions)
            : l10n.t('{0} entries, {1} locks, {2} sessions', transactions, locks, sessions),
          sureLine(recording),
          ...lackLines(kind),
        ],
      },
      ...section(l10n.t('Files that could not be read in full'), problems.map(problemLine)),
      ...section(l10n.t('Times of which nothing is sure'), gaps.map(gapLine)),
    ],
  };
}

/** All locks of a recording: the longest waits, or what expired sessions ended. */
export function listReport(
  headline: string,
  cluster: string,
  byLock: ReadonlyMap<string, readonly string[]>,
  kind: SourceKind = 'logs',
): Report {
  return {
    headline,
    blocks: [
      { kind: 'list', items: [l10n.t('Recording {0}', foreign(cluster)), ...lackLines(kind)] },
      ...[...byLock].flatMap(([path, lines]) => section(foreign(path), lines)),
    ],
  };
}

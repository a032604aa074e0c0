import type { RankedShare } from '../../app/blockers/rankedCluster.ts';
import { isSure, type RecordedTime } from '../../app/clusters/recordedTime.ts';
import type { SubjectHistory } from '../../app/sessions/sessionHistory.ts';
import {
  addressOf,
  type AskedOwners,
  type SessionStanding,
  type SubjectPlace,
  type SubjectSession,
} from '../../app/sessions/sessionStanding.ts';
import { hostOf, longestSubject, type Subject } from '../../app/sessions/subject.ts';
import { displayEnd, displayText } from '../../base/displayText.ts';
import { sessionText } from '../../base/sessionText.ts';
import type { Hold } from '../../history/hold.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { RecordedSession } from '../../replay/recording.ts';
import type { OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import type {
  PageLock,
  PageSubject,
  SessionFact,
  SessionState,
  ShownList,
  ShownLockName,
} from '../../sessionProtocol.ts';
import { whoText } from '../words/contenderText.ts';
import { standingText } from '../words/heldText.ts';
import {
  dateTimeText,
  instantText,
  joined,
  l10n,
  listed,
  nameText,
  numberText,
  sentences,
  spanText,
} from '../words/language.ts';
import { aliveWords, recordedAddress } from '../words/ownerText.ts';
import { endText } from '../words/recordingText.ts';
import {
  askedNotes,
  endedText,
  endingText,
  endingsText,
  lastContactText,
  lifeText,
  openedText,
  placeText,
  recordedLifeText,
  shareNotes,
  stayingNote,
  subjectTitle,
  summaryText,
  timeoutNote,
  unreadNote,
  unrecordedText,
  waitsForText,
  watchesText,
} from '../words/sessionPageText.ts';
import { lockNameText, pageLock } from './sessionGraph.ts';

/** Rows of each list at most: a page with more is no help, and takes long to draw. */
export const shownRows = 200;
/** Holds of the past that are shown. */
export const shownHolds = 20;

/** What is known when a page is drawn. */
export interface SessionFacts {
  subject: Subject;
  cluster: { name: string; isProduction: boolean };
  standing: SessionStanding;
  share: RankedShare;
  /** There may be locks that are not known. */
  isSearchOpen: boolean;
  /** Of which an earlier session with the same id is recorded. */
  reused: ReadonlySet<bigint>;
  /** How many others wait directly for it. */
  behind: number;
  graph: SessionState['graph'];
  asked: AskedOwners | undefined;
  isAsking: boolean;
  /** Of a recording only. */
  time: Pick<RecordedTime, 'recording' | 'moment' | 'kind'> | undefined;
  /** Absent: nothing is recorded. */
  history: SubjectHistory | undefined;
  /** Epoch ms of this machine, and of the clock of the servers. */
  now: number;
  serverNow: number;
}

/** What the page shows, in words. */
export function sessionState(facts: SessionFacts): SessionState {
  const { subject, cluster, standing, share, time } = facts;
  const isRecording = time !== undefined;
  return {
    state: isRecording ? 'recorded' : 'live',
    title: subjectTitle(subject),
    cluster: displayText(cluster.name),
    isProduction: cluster.isProduction,
    status: isRecording ? momentStatus(time) : '',
    summary: summaryText(standing.places, facts.behind),
    facts: subject.kind === 'session' ? sessionFacts(facts) : groupFacts(facts),
    factNotes: factNotes(facts),
    canAsk: !isRecording,
    isAsking: facts.isAsking,
    ...(subject.kind === 'session' ? {} : { sessions: sessionList(facts) }),
    places: firstOf(standing.places, place => shownPlace(place, facts)),
    placesNote: unreadNote(share, facts.isSearchOpen),
    endings: firstOf(standing.endings, ending => ({
      ...lockName(ending.queue),
      isHolder: ending.isHolder,
      text: endingText(ending),
    })),
    endingNotes: endingNotes(facts),
    graph: facts.graph,
    watches: {
      text: isRecording ? l10n.t('Not recorded.') : watchesText(standing.watches, facts.now),
      locks: firstOf(standing.watches?.locks ?? [], lockName),
    },
    history: historyState(facts),
  };
}

function momentStatus({ recording, moment }: Pick<RecordedTime, 'recording' | 'moment'>): string {
  const text = l10n.t('As recorded at {0}.', instantText(moment.time));
  return isSure(recording, moment) ? text : l10n.t('Not sure, since the files do not show all of this time. {0}', text);
}

/** A page without anything to show but why. */
export function emptyState(
  { subject, cluster }: Pick<SessionFacts, 'subject' | 'cluster'>,
  shown: Pick<SessionState, 'state' | 'status' | 'remedy'>,
): SessionState {
  const none = { rows: [], more: '' };
  return {
    title: subjectTitle(subject),
    cluster: displayText(cluster.name),
    isProduction: cluster.isProduction,
    summary: '',
    facts: [],
    factNotes: [],
    canAsk: false,
    isAsking: false,
    places: none,
    placesNote: '',
    endings: none,
    endingNotes: [],
    graph: { nodes: [], edges: [], note: '' },
    watches: { text: '', locks: none },
    history: { facts: [], note: '', holds: none },
    ...shown,
  };
}

/** The locks that the rows and the picture of a page lead to. */
export function locksOn(state: SessionState | undefined): (PageLock | undefined)[] {
  if (state === undefined) return [];
  const { places, endings, watches, history, graph } = state;
  return [...places.rows, ...endings.rows, ...watches.locks.rows, ...history.holds.rows, ...graph.nodes].map(
    ({ lock }) => lock,
  );
}

/** What frees, as lines of text. Its texts are safe for the screen. */
export function endingLines(state: SessionState | undefined): string[] {
  if (state === undefined) return [];
  const { rows, more } = state.endings;
  const lines = rows.map(({ path, name, text, lock }) => {
    const shown = lock?.lockName === undefined ? path : l10n.t('{0} ({1})', path, name);
    return l10n.t('{0}: {1}', shown, text);
  });
  return [...state.endingNotes, ...lines, more].filter(line => line !== '');
}

function firstOf<T, R>(all: readonly T[], shown: (each: T) => R, limit = shownRows): ShownList<R> {
  const rows = all.slice(0, limit).map(each => shown(each));
  const more = all.length - rows.length;
  return { rows, more: more === 0 ? '' : l10n.t('and {0} more', more) };
}

function lockName(queue: Pick<LockQueue, 'path' | 'lockName'>): ShownLockName {
  return { name: lockNameText(queue), path: displayEnd(queue.path, 200), ...pageLock(queue) };
}

function sessionSubject(id: bigint): PageSubject {
  return { session: sessionText(id) };
}

function shownPlace(place: SubjectPlace, { subject, serverNow }: SessionFacts) {
  const { contender, queue, ahead } = place;
  const aheadOwner = ahead?.contender.ownerSession ?? 0n;
  return {
    ...lockName(queue),
    isHolder: contender.role === 'holder',
    standing: placeText(place),
    since: standingText(contender, serverNow),
    waitsFor: waitsForText(place),
    ...(aheadOwner === 0n ? {} : { ahead: sessionSubject(aheadOwner) }),
    ...(subject.kind === 'session' ? {} : { owner: whoText(contender, 40) }),
  };
}

const unknown = (): string => l10n.t('not known');

/** Links to the page of all sessions of one host. */
function addressFact(status: OwnerStatus): SessionFact {
  const name = l10n.t('Address');
  const { connection, recorded } = status;
  const address = addressOf(status);
  if (address === undefined) return { name, value: unknown() };
  const value =
    connection === undefined && recorded !== undefined
      ? l10n.t('{0}, as recorded', recordedAddress(recorded, displayText))
      : joined([displayText(address), recorded?.host === undefined ? '' : displayText(recorded.host)]);
  const host = hostOf(address);
  return { name, value, ...(host.length > longestSubject ? {} : { subject: { address: host } }) };
}

function identifierFacts(identifiers: readonly string[]): SessionFact[] {
  return identifiers.slice(0, shownIdentifiers).map(identifier => ({
    name: l10n.t('Identifier'),
    value: displayText(identifier, 100),
    ...(identifier.length > longestSubject ? {} : { subject: { identifier } }),
  }));
}

const shownIdentifiers = 5;

function sessionFacts(facts: SessionFacts): SessionFact[] {
  const { standing, asked, time, now } = facts;
  const [session] = standing.sessions;
  if (session === undefined) return [];
  const { status, identifiers, id } = session;
  const life =
    time === undefined
      ? lifeText(status, asked?.owners.askedAt, now)
      : recordedLifeText(recordOf(facts, id), time.moment);
  return [
    { name: l10n.t('Life'), value: life },
    addressFact(status),
    ...identifierFacts(identifiers),
    { name: l10n.t('Session time-out'), value: timeoutText(facts, session) },
    ...(time === undefined ? serverFacts(status, now) : []),
  ];
}

/** What a recording says of a session; not what it says of an earlier one with the same id. */
function recordOf({ time, reused }: SessionFacts, id: bigint): RecordedSession | undefined {
  return reused.has(id) ? undefined : time?.recording.session(id);
}

function timeoutText(facts: SessionFacts, session: SubjectSession): string {
  const timeoutMs = timeoutOf(facts, session);
  return timeoutMs === undefined ? unknown() : spanText(timeoutMs);
}

function timeoutOf({ history, reused }: SessionFacts, { status, id }: SubjectSession): number | undefined {
  return status.connection?.timeoutMs ?? (reused.has(id) ? undefined : history?.sessions.get(id)?.timeoutMs);
}

function serverFacts({ connection }: OwnerStatus, now: number): SessionFact[] {
  if (connection === undefined) return [{ name: l10n.t('Server'), value: unknown() }];
  const { server, establishedAt, last } = connection;
  return [
    { name: l10n.t('Server'), value: displayText(server) },
    {
      name: l10n.t('Connected since'),
      value:
        establishedAt === undefined
          ? unknown()
          : `${dateTimeText(establishedAt)} (${spanText(Math.max(0, now - establishedAt))})`,
    },
    { name: l10n.t('Last answer of its server'), value: lastContactText(last) },
  ];
}

function groupFacts({ subject, standing: { sessions, hosts, identifiers } }: SessionFacts): SessionFact[] {
  return [
    { name: l10n.t('Sessions found'), value: numberText(sessions.length) },
    ...(subject.kind === 'address'
      ? identifierFacts([...identifiers])
      : [...hosts].slice(0, shownIdentifiers).map(address => ({
          name: l10n.t('Address'),
          value: displayText(address),
          subject: { address },
        }))),
  ];
}

function factNotes({ subject, asked, time, now }: SessionFacts): string[] {
  if (time !== undefined) {
    const isWithout = time.kind === 'logs';
    return isWithout ? [l10n.t('Transaction logs hold no client addresses.')] : [];
  }
  if (asked !== undefined) return askedNotes(asked.owners.sources, asked.owners.askedAt, now);
  return [
    subject.kind === 'address'
      ? l10n.t('The servers were not asked, so it is not known which sessions come from this address.')
      : l10n.t('The servers were not asked.'),
  ];
}

function sessionList(facts: SessionFacts): NonNullable<SessionState['sessions']> {
  return firstOf(facts.standing.sessions, session => {
    const { id, status, identifiers, holds, waits } = session;
    const address = addressOf(status);
    const recorded = recordOf(facts, id);
    const life =
      facts.time === undefined ? aliveWords(status) : recordedLifeText(recorded, facts.time.moment).replace(/\.$/u, '');
    return {
      text: sessionText(id),
      about: joined([
        listed(identifiers.slice(0, 2).map(identifier => nameText(identifier, 40))),
        address === undefined ? '' : displayText(address, 60),
        l10n.t('holds {0}', holds),
        l10n.t('waits for {0}', waits),
        life,
      ]),
      subject: sessionSubject(id),
    };
  });
}

function endingNotes(facts: SessionFacts): string[] {
  const { standing, share } = facts;
  const longest = standing.sessions.reduce((most, session) => Math.max(most, timeoutOf(facts, session) ?? -1), -1);
  const staying = standing.places.filter(({ contender }) => contender.ownerSession === 0n).length;
  const ends = standing.endings.some(({ isHolder }) => isHolder);
  return [
    endingsText(standing.endings),
    ...(ends ? [timeoutNote(longest < 0 ? undefined : longest)] : []),
    stayingNote(staying),
    ...shareNotes(share, facts.isSearchOpen),
  ].filter(note => note !== '');
}

function historyState(facts: SessionFacts): SessionState['history'] {
  const { history, time } = facts;
  const isKnown = history !== undefined && (history.sessions.size > 0 || history.total > 0);
  if (!isKnown) {
    const note = unrecordedText(history !== undefined || time !== undefined);
    return { facts: [], note, holds: { rows: [], more: '' } };
  }
  const { facts: shown, note } = recordedFacts(facts, history);
  return {
    facts: shown,
    note: sentences(note, history.total === 0 ? l10n.t('It has held no lock in the time that is recorded.') : ''),
    holds: {
      rows: history.holds.map(shownHold),
      more:
        history.total > history.holds.length
          ? l10n.t('and {0} earlier ones', history.total - history.holds.length)
          : '',
    },
  };
}

/** Of one session; those of a group have pages of their own. */
function recordedFacts({ subject, reused }: SessionFacts, { sessions }: SubjectHistory) {
  const recorded = subject.kind === 'session' ? sessions.get(subject.id) : undefined;
  if (subject.kind !== 'session' || recorded === undefined) return { facts: [], note: '' };
  const isFormer = reused.has(subject.id);
  const text = (value: string): string =>
    isFormer ? joined([value, l10n.t('an earlier session with this id')]) : value;
  return {
    facts: [
      { name: l10n.t('Opened'), value: text(openedText(recorded)) },
      { name: l10n.t('Ended'), value: text(endedText(recorded)) },
    ],
    note: isFormer ? l10n.t('It is recorded that an earlier session with this id ended.') : '',
  };
}

function shownHold(hold: Hold) {
  const { from, to, isFromBefore, isEndUnseen } = hold;
  const begin = instantText(from.time);
  const end = to === undefined ? '' : instantText(to.time);
  return {
    ...lockName(hold),
    from: isFromBefore === true ? l10n.t('before {0}', begin) : begin,
    to: to === undefined ? l10n.t('no end recorded') : isEndUnseen === true ? l10n.t('after {0}', end) : end,
    ended: to === undefined ? '' : endText(hold),
  };
}

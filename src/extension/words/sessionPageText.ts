import type { RankedShare } from '../../app/blockers/rankedCluster.ts';
import { isAfter } from '../../app/sessions/sessionHistory.ts';
import type { SubjectPlace, SubjectWatches } from '../../app/sessions/sessionStanding.ts';
import type { Subject } from '../../app/sessions/subject.ts';
import { displayText } from '../../base/displayText.ts';
import { sessionText, zxidText } from '../../base/sessionText.ts';
import type { Ending } from '../../inspector/blockers/ifEnded.ts';
import type { Moment } from '../../history/hold.ts';
import type { LastOperation, OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import type { RecordedSession } from '../../replay/recording.ts';
import type { SessionTexts } from '../../sessionProtocol.ts';
import { kindText, whoText } from './contenderText.ts';
import {
  dateTimeText,
  instantText,
  joined,
  l10n,
  listed,
  momentText,
  nameText,
  sentences,
  spanText,
} from './language.ts';
import { aliveLine, sourceLine } from './ownerText.ts';
import type { SourceReport } from '../../inspector/owners/ownerFacts.ts';

/** The fixed texts of the page of a session. */
export function sessionTexts(): SessionTexts {
  return {
    reading: l10n.t('Looking at the locks that are loaded.'),
    production: l10n.t('production'),
    connect: l10n.t('Connect'),
    open: l10n.t('Open again'),
    askServers: l10n.t('Ask the servers'),
    asking: l10n.t('Asking the servers'),
    copySubject: l10n.t('Copy'),
    copyEndings: l10n.t('Copy what frees'),
    sessions: l10n.t('Sessions'),
    places: l10n.t('Holds and waits'),
    lock: l10n.t('Lock'),
    role: l10n.t('Standing'),
    since: l10n.t('Since'),
    waitsFor: l10n.t('Waits for'),
    session: l10n.t('Session'),
    ifEnded: l10n.t('If it ended now'),
    picture: l10n.t('Who waits for whom'),
    pictureLabel: l10n.t(
      'Sessions and locks: an arrow leads from who waits to the lock, and from the lock to who keeps it',
    ),
    pictureHint: l10n.t('Arrows lead to what is waited for. Enter opens the session or the queue.'),
    facts: l10n.t('Session'),
    watches: l10n.t('Watches'),
    history: l10n.t('History'),
    held: l10n.t('Held before'),
    heldFrom: l10n.t('From'),
    heldTo: l10n.t('To'),
    ended: l10n.t('How it ended'),
    showQueue: l10n.t('Show queue'),
    showSession: l10n.t('Show session'),
  };
}

/** What a page is called after; its foreign part is cut. */
export function subjectTitle(subject: Subject, maxLength = 60): string {
  switch (subject.kind) {
    case 'session':
      return l10n.t('Session {0}', sessionText(subject.id));
    case 'address':
      return l10n.t('Address {0}', displayText(subject.address, maxLength));
    case 'identifier':
      return l10n.t('Identifier {0}', nameText(subject.identifier, maxLength));
  }
}

/** The answer: how much is held and waited for, and how many wait for it. */
export function summaryText(places: readonly SubjectPlace[], behind: number): string {
  if (places.length === 0) return l10n.t('It has no node in the locks that are read.');
  const holds = places.filter(({ contender }) => contender.role === 'holder').length;
  return joined([
    l10n.t('holds {0}', holds),
    l10n.t('waits for {0}', places.length - holds),
    behind === 0 ? '' : l10n.t('others that wait for it: {0}', behind),
  ]);
}

/** Kind and place in the queue; a waiter that may hold is not known to wait. */
export function placeText({ contender, position, queue }: SubjectPlace): string {
  const { role, mayHold, isUnread, kind } = contender;
  const known = isUnread === true ? undefined : kindText(kind);
  const standing =
    role === 'holder' ? l10n.t('holds') : mayHold === true ? l10n.t('waits, or holds already') : l10n.t('waits');
  const place = l10n.t('place {0} of {1}', position, queue.contenders.length);
  return joined([standing, known, role === 'holder' ? undefined : place]);
}

/** Whom a waiter waits for; '' for a holder. */
export function waitsForText({ contender, ahead, queue }: SubjectPlace): string {
  if (contender.role === 'holder') return '';
  if (ahead !== undefined) return whoText(ahead.contender);
  const { waitsFor } = contender;
  if (waitsFor !== undefined) return nameText(waitsFor);
  const holders = queue.contenders.filter(({ role }) => role === 'holder');
  return holders.length === 0 ? l10n.t('not known') : namesText(holders);
}

const shownNames = 3;

function namesText(contenders: readonly Contender[]): string {
  const names = contenders.slice(0, shownNames).map(contender => whoText(contender, 40));
  const more = contenders.length - names.length;
  return listed(more > 0 ? [...names, l10n.t('and {0} more', more)] : names);
}

/** What happens to one lock. */
export function endingText(ending: Ending): string {
  const { stillHeld, queue } = ending;
  const isPartlyUnread = queue.hazards.some(({ kind }) => kind === 'unreadable');
  return sentences(
    nextText(ending),
    stillHeld.length > 0 ? l10n.t('Still held by {0}.', namesText(stillHeld)) : '',
    isPartlyUnread ? l10n.t('Some of its nodes may not be read, so this is not sure.') : '',
  );
}

function nextText(ending: Ending): string {
  const { succession, next, isHolder, hasWaiters } = ending;
  if (isHolder && succession === 'race') return l10n.t('Becomes free: the first client that creates the node gets it.');
  if (isHolder && succession === 'election' && hasWaiters) {
    return l10n.t('Becomes free: those that wait elect one by the data of their nodes.');
  }
  if (next.length === 0) return withoutNextText(ending);
  const names = namesText(next);
  return succession === 'limit-unknown' ? l10n.t('Goes on, probably, to {0}.', names) : l10n.t('Goes to {0}.', names);
}

function withoutNextText({ isHolder, hasWaiters, stillHeld }: Ending): string {
  if (!isHolder) return l10n.t('Only its place in the queue goes.');
  const isHeld = stillHeld.length > 0;
  if (!hasWaiters) return isHeld ? l10n.t('No one else waits.') : l10n.t('Becomes free: no one else waits.');
  return isHeld
    ? l10n.t('Those that wait go on waiting.')
    : l10n.t('Becomes free, but none of those that wait gets it by that.');
}

/** How many locks are concerned. */
export function endingsText(endings: readonly Ending[]): string {
  const held = endings.filter(({ isHolder }) => isHolder).length;
  if (endings.length === 0) return l10n.t('No lock that is read would change.');
  const passed = endings.filter(({ next }) => next.length > 0).length;
  return sentences(
    l10n.t('Locks that lose a holder: {0}.', held),
    passed === 0 ? '' : l10n.t('Locks that someone else gets: {0}.', passed),
  );
}

/** What the answer does not cover. */
export function shareNotes({ unread, notLive }: RankedShare, isSearchOpen: boolean): string[] {
  const notes: string[] = [];
  if (unread > 0)
    notes.push(l10n.t('Locks of this cluster that are not read: {0}. They may be affected, too.', unread));
  if (notLive > 0)
    notes.push(l10n.t('Locks that are not watched: {0}. They are taken as they were read last.', notLive));
  if (isSearchOpen) notes.push(sentences(searchText(), l10n.t('Locks that are not known may be affected, too.')));
  return notes;
}

function searchText(): string {
  return l10n.t('The search for locks is not over, or did not reach all nodes.');
}

/** What the places lack. */
export function unreadNote({ unread }: RankedShare, isSearchOpen: boolean): string {
  return sentences(
    unread === 0 ? '' : l10n.t('Locks of this cluster that are not read: {0}. It may have nodes in them.', unread),
    isSearchOpen ? sentences(searchText(), l10n.t('It may have nodes in locks that are not known.')) : '',
  );
}

/** Nodes that no session keeps alive stay. */
export function stayingNote(count: number): string {
  return count === 0 ? '' : l10n.t('Nodes without a session: {0}. They stay until they are deleted.', count);
}

/** That a killed client keeps its locks for a time. @param timeoutMs the longest of its sessions */
export function timeoutNote(timeoutMs: number | undefined): string {
  return timeoutMs === undefined
    ? l10n.t('A client that is killed keeps its locks until its session times out.')
    : l10n.t('A client that is killed keeps its locks until its session times out, after {0}.', spanText(timeoutMs));
}

/** Whether a session lives. @param now epoch ms; `askedAt` absent: no server was asked */
export function lifeText(status: OwnerStatus, askedAt: number | undefined, now: number): string {
  if (askedAt === undefined) return l10n.t('Not known: the servers were not asked.');
  if (status.alive === 'unknown') return aliveLine(status);
  return l10n.t('{0} Asked: {1}.', aliveLine(status), momentText(askedAt, now));
}

/** Whether a session of a recording lived at its moment. */
export function recordedLifeText(session: RecordedSession | undefined, moment: Moment): string {
  if (session === undefined) return l10n.t('Not known: the record says nothing of this session.');
  const { opened, ended } = session;
  if (opened !== undefined && isAfter(opened, moment)) return l10n.t('It was opened after this moment.');
  if (ended === undefined || isAfter(ended, moment)) return l10n.t('No end of it is recorded up to this moment.');
  return l10n.t('It was over at this moment.');
}

/** The last request that a server answered. */
export function lastContactText(last: LastOperation | undefined): string {
  if (last === undefined) return l10n.t('not reported');
  const text = l10n.t('{0}, at transaction {1}', displayText(last.name, 10), zxidText(last.zxid));
  // Servers before 3.5 report epoch ms, later ones a clock that means nothing elsewhere.
  return last.at > epochFrom
    ? joined([text, dateTimeText(last.at)])
    : l10n.t('{0} (the server does not say when)', text);
}

/** 2001, in ms; no monotonic clock has run for so long. */
const epochFrom = 1e12;

/** Who was asked, and what failed. */
export function askedNotes(sources: readonly SourceReport[], askedAt: number, now: number): string[] {
  const failed = sources.filter(({ outcome }) => outcome !== 'ok');
  const shown = failed.slice(0, shownSources).map(sourceLine);
  return [
    l10n.t('The servers were asked: {0}.', momentText(askedAt, now)),
    ...shown,
    ...(failed.length > shown.length ? [l10n.t('and {0} more', failed.length - shown.length)] : []),
  ];
}

const shownSources = 6;

/** What is known of watches. */
export function watchesText(watches: SubjectWatches | undefined, now: number): string {
  if (watches === undefined)
    return l10n.t(
      'Not known: which nodes it watches is asked with the button only, since that can be costly for the servers.',
    );
  const { nodes, isComplete, askedAt } = watches;
  const count = isComplete
    ? l10n.t('Watched nodes: {0}.', nodes)
    : l10n.t('Watched nodes: at least {0}. Not every server answered.', nodes);
  return sentences(count, l10n.t('Asked: {0}. Servers list no watches on children.', momentText(askedAt, now)));
}

/** When a session was opened. */
export function openedText({ opened }: RecordedSession): string {
  return opened === undefined ? l10n.t('before recording began, or not seen') : instantText(opened.time);
}

/** When and how a session ended. */
export function endedText({ ended, how }: RecordedSession): string {
  if (ended === undefined) return l10n.t('no end is recorded');
  const at = instantText(ended.time);
  switch (how) {
    case 'closed':
      return l10n.t('{0}, closed by its client', at);
    case 'expired':
      return l10n.t('{0}, expired: the servers heard nothing for its time-out', at);
    case undefined:
      return l10n.t('{0}, not known how', at);
  }
}

/** That nothing is recorded, and what to do. */
export function unrecordedText(isRecording: boolean): string {
  return isRecording
    ? l10n.t('The record says nothing of it.')
    : l10n.t(
        'Nothing of it is recorded. "Record Locks" in the menu of the cluster keeps from then on who held what, and how sessions end.',
      );
}

/** That the picture is only the nearest part. */
export function cutText(limit: number): string {
  return l10n.t(
    'Only the nearest {0} sessions and locks are drawn. The lists above are whole, as is the view Blockers.',
    limit,
  );
}

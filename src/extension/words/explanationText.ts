import { isoTime } from '../../base/isoTime.ts';
import { foreign, section, type Report } from '../../base/report.ts';
import type { ExplainedContender, LockExplanation } from '../../inspector/explainLock.ts';
import type { OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import { isHolderUnknown, type Contender } from '../../locks/lockQueue.ts';
import { standingText } from './heldText.ts';
import { l10n, listed, lockText } from './language.ts';
import { deadlockCaveat, hazardText, staleReasonWords } from './markText.ts';
import { dialectText, kindText } from './contenderText.ts';
import { sessionText, zxidText } from '../../base/sessionText.ts';
import { pastHeadline, type PastMoment } from './pastMoment.ts';
import type { Moment } from '../../history/hold.ts';
import type { Usual } from '../../history/usual.ts';
import { recordedAddress, sourceLine } from './ownerText.ts';
import { usualLines } from './usualText.ts';

/**
 * An explanation for an incident channel: the answer first, then what is wrong and what is not known, then every fact. Times are UTC,
 * so that readers in several places mean the same moment.
 *
 * @param past the moment of a recording that it is about, and whether the files prove what was then; left out: the present
 * @param usual how long the lock is held and waited for as a rule; left out: nothing was recorded
 */
export function explanationReport(explanation: LockExplanation, past?: PastMoment, usual?: Usual): Report {
  const { queue, cluster, readAt, hazards, silent } = explanation;
  const facts = [
    past === undefined
      ? l10n.t('Lock {0} on {1}, read at {2}', lockText(queue, foreign), foreign(cluster), isoTime(readAt))
      : pastLine(explanation, past.moment),
    l10n.t('Naming scheme: {0}; {1} in the queue', dialectText(queue.dialect), queue.contenders.length),
    ...(queue.maxLeases === undefined ? [] : [l10n.t('At most {0} may hold at once', queue.maxLeases)]),
  ];
  const caveats = [
    ...hazards.map(({ kind, names }) => l10n.t('Note: {0} (nodes: {1})', hazardText(kind), names.length)),
    ...downgradedLines(explanation),
    ...(explanation.mayBeSemaphore ? [semaphoreLine()] : []),
    ...sharedSessionLines(explanation),
    ...silent.map(source => l10n.t('Not reported by {0}', sourceLine(source))),
  ];
  return {
    headline: pastHeadline(headlineOf(explanation), past),
    blocks: [
      { kind: 'list', items: facts },
      ...section(l10n.t('Deadlocks'), cycleLines(explanation)),
      ...section(l10n.t('Keep in mind'), caveats),
      ...section(l10n.t('Holders'), holderLines(explanation)),
      ...section(l10n.t('Waiters'), waiterLines(explanation)),
      ...section(l10n.t('As a rule'), usual === undefined ? [] : usualLines(usual)),
      ...section(l10n.t('On release'), [...onReleaseLines(explanation), ...listeningLines[explanation.listening]()]),
    ],
  };
}

function pastLine({ queue, cluster }: LockExplanation, { time, zxid }: Moment): string {
  return l10n.t(
    'Lock {0} in the recording {1}, as it was at {2}, after transaction {3}',
    lockText(queue, foreign),
    foreign(cluster),
    isoTime(time),
    zxidText(zxid),
  );
}

/** Who holds, and how many wait. */
function headlineOf({ queue, holders, waiters, moreWaiters, cycles }: LockExplanation): string {
  const [first] = holders;
  const count = waiters.length + moreWaiters;
  const waiting = count === 0 ? l10n.t('no client waits') : l10n.t('{0} waiting', count);
  const known = first === undefined ? l10n.t('No holder') : holderText(first, holders.length);
  const answer = listed([isHolderUnknown(queue) ? l10n.t('Holder unknown') : known, waiting]);
  if (cycles.some(({ isLasting }) => isLasting)) return l10n.t('Deadlock: {0}', answer);
  return cycles.length > 0 ? l10n.t('May be deadlocked: {0}', answer) : answer;
}

function holderText({ contender, isLeaseOver }: ExplainedContender, holders: number): string {
  const { identifier, name, kind } = contender;
  if (holders > 1) return l10n.t('Held by {0} clients', holders);
  const text = foreign(identifier === '' ? name : identifier);
  if (isLeaseOver) return l10n.t('The lease of {0} has ended', text);
  return kind === 'candidate' ? l10n.t('Led by {0}', text) : l10n.t('Held by {0}', text);
}

function cycleLines({ cycles, mutualWaits }: LockExplanation): string[] {
  const lines = cycles.map(({ edges, isLasting }) => {
    const text = edges.map(edge => edgeText(edge)).join('; ');
    return isLasting ? l10n.t('Deadlock: {0}', text) : l10n.t('May be deadlocked: {0}', text);
  });
  const mutual = mutualWaits.map(({ reader, writer }) =>
    l10n.t('Reader {0} and writer {1} wait for each other (kazoo 2.8.0)', who(reader), who(writer)),
  );
  return [...(lines.length === 0 ? [] : [deadlockCaveat(), ...lines]), ...mutual];
}

function edgeText({ lock, waiter, blocker }: WaitEdge): string {
  return l10n.t('{0} waits at {1} for {2}', who(waiter), foreign(lock.path), who(blocker));
}

function holderLines({ holders, queue, now }: LockExplanation): string[] {
  if (isHolderUnknown(queue)) return [l10n.t('Head of the queue: unknown, no permission to read it')];
  if (holders.length === 0) return [l10n.t('Head of the queue: none')];
  return holders.map(holder => l10n.t('Head of the queue: {0}', contenderText(holder, now)));
}

function semaphoreLine(): string {
  return l10n.t(
    "Curator's old semaphore (InterProcessSemaphore) has the names of a mutex. Without the watches of all servers it is not known whether more than the first hold",
  );
}

function downgradedLines({ downgraded, mayBeDowngraded }: LockExplanation): string[] {
  const unknown = l10n.t(
    'Readers that wait by their names, or hold: {0}. Without the watches of all servers it is not known whether one holds below a write lock of its own (Curator up to 5.4)',
    mayBeDowngraded,
  );
  const lines = downgraded.map(reader =>
    l10n.t(
      '{0} stands behind a writer, but its session watches no node: it holds below a write lock of its own (Curator up to 5.4), or is left over from a lost reply',
      who(reader),
    ),
  );
  return mayBeDowngraded > 0 ? [...lines, unknown] : lines;
}

/** In an explanation of a queue with more of them, the others are counted. */
const maxShownSessions = 5;

function sharedSessionLines({ sharedSessions }: LockExplanation): string[] {
  const lines = sharedSessions
    .slice(0, maxShownSessions)
    .map(({ session, places }) =>
      l10n.t(
        'Session {0} has {1} places in this queue: threads of one program, or a program that waits for itself',
        sessionText(session),
        places,
      ),
    );
  const more = sharedSessions.length - lines.length;
  return more > 0 ? [...lines, l10n.t('and {0} more', more)] : lines;
}

function waiterLines({ waiters, moreWaiters, now }: LockExplanation): string[] {
  if (waiters.length === 0) return [l10n.t('No waiters')];
  const lines = waiters.map(waiter =>
    l10n.t('Waiting, position {0}: {1}', waiter.position, contenderText(waiter, now)),
  );
  return moreWaiters === 0 ? lines : [...lines, l10n.t('and {0} more', moreWaiters)];
}

function contenderText(explained: ExplainedContender, now: number): string {
  const { contender, owner, staleReasons } = explained;
  if (contender.isUnread === true) {
    return listed([who(contender), kindText(contender.kind), l10n.t('may not be read')]);
  }
  const parts = [
    who(contender),
    kindText(contender.kind),
    ...(contender.mayHold === true ? [l10n.t('or holds')] : []),
    sinceText(contender, now),
    ...leaseEndTexts(explained),
    ownerText(owner),
  ];
  if (staleReasons.length > 0) {
    parts.push(l10n.t('looks stale: {0}', listed(staleReasons.map(reason => staleReasonWords(reason)))));
  }
  return listed(parts);
}

/** Since when it holds or waits, as moments and as a span; moments are the server's. */
function sinceText(contender: Contender, now: number): string {
  const { role, createdAt, heldSince } = contender;
  const { earliest, latest } = heldSince ?? { earliest: createdAt };
  const standing = standingText(contender, now);
  if (role === 'waiter' || latest === undefined) return l10n.t('{0}, queued at {1}', standing, isoTime(createdAt));
  return latest - earliest <= 1_000
    ? l10n.t('{0}, since {1}', standing, isoTime(earliest))
    : l10n.t('{0}, since a moment from {1} to {2}', standing, isoTime(earliest), isoTime(latest));
}

function leaseEndTexts({ contender, isLeaseOver }: ExplainedContender): string[] {
  if (contender.leaseEndsAt === undefined) return [];
  const end = isoTime(contender.leaseEndsAt);
  return [isLeaseOver ? l10n.t('its lease ended at {0}', end) : l10n.t('its lease ends at {0}', end)];
}

function who({ identifier, name }: Contender): string {
  return identifier === '' ? foreign(name) : `${foreign(identifier)} [${foreign(name)}]`;
}

function ownerText(status: OwnerStatus): string {
  const { alive, connection, recorded } = status;
  const text = sessionState(status);
  if (recorded === undefined || connection !== undefined || alive === 'no-owner') return text;
  return listed([text, l10n.t('recorded from {0}', recordedAddress(recorded, foreign))]);
}

function sessionState({ session, alive, connection }: OwnerStatus): string {
  const id = sessionText(session);
  if (alive === 'no-owner') return l10n.t('not ephemeral, no session owns it');
  if (connection !== undefined) {
    return l10n.t('session {0} from {1} by way of {2}', id, foreign(connection.address), foreign(connection.server));
  }
  if (alive === 'yes') return l10n.t('session {0} lives', id);
  return alive === 'no' ? l10n.t('session {0} is not known to the leader', id) : l10n.t('session {0}', id);
}

/** Nothing where the holder is not known. */
function onReleaseLines(explanation: LockExplanation): string[] {
  return isHolderUnknown(explanation.queue) ? [] : [...releaseLines(explanation), herdLine(explanation)];
}

function releaseLines({ onRelease }: LockExplanation): string[] {
  if (onRelease === undefined) return [l10n.t('Nothing: there is no holder')];
  const { succession, next, unwoken } = onRelease;
  if (succession === 'race') return [l10n.t('The first client that creates the node gets it')];
  if (succession === 'election') return [l10n.t('The waiters elect one by the data of their nodes')];
  if (next.length === 0) return [l10n.t('No client gets it')];
  const named = (contenders: readonly Contender[]): string => contenders.map(each => who(each)).join(', ');
  const asleep = new Set(unwoken);
  const woken = next.filter(each => !asleep.has(each));
  return [
    ...(woken.length > 0 ? [l10n.t('It goes to: {0}', named(woken))] : []),
    ...(unwoken.length > 0 ? [l10n.t('Next in the queue, but no event will wake it: {0}', named(unwoken))] : []),
  ];
}

function herdLine({ herd: { sessions, registered } }: LockExplanation): string {
  const waking =
    sessions === undefined
      ? l10n.t('The release wakes every client that watches the node')
      : l10n.t('Sessions that the release wakes: {0}', sessions);
  return registered === undefined ? waking : l10n.t('{0}; registered on the servers: {1}', waking, registered);
}

/** Whether the holder can be asked; nothing where its recipe cannot. */
const listeningLines: Readonly<Record<LockExplanation['listening'], () => string[]>> = {
  yes: () => [l10n.t('The holder listens for revoke requests: its session watches its own node')],
  maybe: () => [
    l10n.t(
      'The holder may listen for revoke requests: not every server reported the watches on its node (four-letter word wchp)',
    ),
  ],
  no: () => [],
};

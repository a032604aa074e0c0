import { l10n } from 'vscode';
import { isoTime } from '../../base/isoTime.ts';
import type { ExplainedContender, LockExplanation } from '../../inspector/explainLock.ts';
import type { OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import { isHolderUnknown, type Contender } from '../../locks/lockQueue.ts';
import { standingText } from './heldText.ts';
import { listed, lockText, type Clean } from './language.ts';
import { deadlockCaveat, hazardText, staleReasonWords } from './markText.ts';
import { dialectText, kindText } from './contenderText.ts';
import { sessionText } from '../../base/sessionText.ts';
import { sourceLine } from './ownerText.ts';

/**
 * An explanation as plain text for an incident channel: one line per fact, the important ones first. Times are UTC, so that
 * readers in several places mean the same moment.
 *
 * @returns lines joined by `\n`, without a line end at the end
 */
export function explanationText(explanation: LockExplanation, clean: Clean): string {
  const { queue, cluster, readAt } = explanation;
  return [
    l10n.t('Lock {0} on {1}, read at {2}', lockText(queue, clean), clean(cluster), isoTime(readAt)),
    l10n.t('Naming scheme: {0}; {1} in the queue', dialectText(queue.dialect), queue.contenders.length),
    ...(queue.maxLeases === undefined ? [] : [l10n.t('At most {0} may hold at once', queue.maxLeases)]),
    ...holderLines(explanation, clean),
    ...downgradedLines(explanation, clean),
    ...(explanation.mayBeSemaphore ? [semaphoreLine()] : []),
    ...waiterLines(explanation, clean),
    ...sharedSessionLines(explanation),
    ...onReleaseLines(explanation, clean),
    ...listeningLines[explanation.listening](),
    ...cycleLines(explanation, clean),
    ...explanation.hazards.map(({ kind, names }) => l10n.t('Note: {0} (nodes: {1})', hazardText(kind), names.length)),
    ...explanation.silent.map(source => l10n.t('Not reported by {0}', sourceLine(source))),
  ].join('\n');
}

function cycleLines({ cycles, mutualWaits }: LockExplanation, clean: Clean): string[] {
  const lines = cycles.map(({ edges, isLasting }) => {
    const text = edges.map(edge => edgeText(edge, clean)).join('; ');
    return isLasting ? l10n.t('Deadlock: {0}', text) : l10n.t('May be deadlocked: {0}', text);
  });
  const mutual = mutualWaits.map(({ reader, writer }) =>
    l10n.t('Reader {0} and writer {1} wait for each other (kazoo 2.8.0)', who(reader, clean), who(writer, clean)),
  );
  return [...(lines.length === 0 ? [] : [...lines, deadlockCaveat()]), ...mutual];
}

function edgeText({ lock, waiter, blocker }: WaitEdge, clean: Clean): string {
  return l10n.t('{0} waits at {1} for {2}', who(waiter, clean), clean(lock.path), who(blocker, clean));
}

function holderLines({ holders, queue, now }: LockExplanation, clean: Clean): string[] {
  if (isHolderUnknown(queue)) return [l10n.t('Head of the queue: unknown, no permission to read it')];
  if (holders.length === 0) return [l10n.t('Head of the queue: none')];
  return holders.map(holder => l10n.t('Head of the queue: {0}', contenderText(holder, now, clean)));
}

function semaphoreLine(): string {
  return l10n.t(
    "Curator's old semaphore (InterProcessSemaphore) has the names of a mutex. Without the watches of all servers it is not known whether more than the first hold",
  );
}

function downgradedLines({ downgraded, mayBeDowngraded }: LockExplanation, clean: Clean): string[] {
  const unknown = l10n.t(
    'Readers that wait by their names, or hold: {0}. Without the watches of all servers it is not known whether one holds below a write lock of its own (Curator up to 5.4)',
    mayBeDowngraded,
  );
  const lines = downgraded.map(reader =>
    l10n.t(
      '{0} stands behind a writer, but its session watches no node: it holds below a write lock of its own (Curator up to 5.4), or is left over from a lost reply',
      who(reader, clean),
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

function waiterLines({ waiters, moreWaiters, now }: LockExplanation, clean: Clean): string[] {
  if (waiters.length === 0) return [l10n.t('No waiters')];
  const lines = waiters.map(waiter =>
    l10n.t('Waiting, position {0}: {1}', waiter.position, contenderText(waiter, now, clean)),
  );
  return moreWaiters === 0 ? lines : [...lines, l10n.t('and {0} more', moreWaiters)];
}

function contenderText(explained: ExplainedContender, now: number, clean: Clean): string {
  const { contender, owner, staleReasons } = explained;
  if (contender.isUnread === true) {
    return listed([who(contender, clean), kindText(contender.kind), l10n.t('may not be read')]);
  }
  const parts = [
    who(contender, clean),
    kindText(contender.kind),
    ...(contender.mayHold === true ? [l10n.t('or holds')] : []),
    sinceText(contender, now),
    ...leaseEndTexts(explained),
    ownerText(owner, clean),
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

function who({ identifier, name }: Contender, clean: Clean): string {
  return identifier === '' ? clean(name) : `${clean(identifier)} [${clean(name)}]`;
}

function ownerText({ session, alive, connection }: OwnerStatus, clean: Clean): string {
  const id = sessionText(session);
  if (alive === 'no-owner') return l10n.t('not ephemeral, no session owns it');
  if (connection !== undefined) {
    return l10n.t('session {0} from {1} by way of {2}', id, clean(connection.address), clean(connection.server));
  }
  if (alive === 'yes') return l10n.t('session {0} lives', id);
  return alive === 'no' ? l10n.t('session {0} is not known to the leader', id) : l10n.t('session {0}', id);
}

/** Nothing where the holder is not known. */
function onReleaseLines(explanation: LockExplanation, clean: Clean): string[] {
  return isHolderUnknown(explanation.queue) ? [] : [releaseLine(explanation, clean), herdLine(explanation)];
}

function releaseLine({ onRelease }: LockExplanation, clean: Clean): string {
  if (onRelease === undefined) return l10n.t('On release: nothing, there is no holder');
  if (onRelease.succession === 'race') return l10n.t('On release: the first client that creates the node gets it');
  if (onRelease.succession === 'election')
    return l10n.t('On release: the waiters elect one by the data of their nodes');
  if (onRelease.next.length === 0) return l10n.t('On release: no client gets it');
  return l10n.t('On release it goes to: {0}', onRelease.next.map(next => who(next, clean)).join(', '));
}

function herdLine({ herd: { sessions, registered } }: LockExplanation): string {
  const waking =
    sessions === undefined
      ? l10n.t('The release wakes every client that watches the node')
      : l10n.t('Sessions that the release wakes: {0}', sessions);
  return registered === undefined ? waking : l10n.t('{0} ({1} registered on the servers)', waking, registered);
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

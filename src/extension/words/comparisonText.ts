import { isoTime } from '../../base/isoTime.ts';
import { foreign, section, type Block, type Item, type Report } from '../../base/report.ts';
import { sessionText } from '../../base/sessionText.ts';
import type { Comparison, LockChange, MarkChange } from '../../incident/compareIncidents.ts';
import { areNamesHidden } from '../../incident/matchQueues.ts';
import type { DeadlockFact, IncidentHeader, OwnerFact } from '../../incident/incident.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import { marksText, whoOf } from './incidentText.ts';
import { ageText, l10n, listed, lockText } from './language.ts';
import { momentLine } from './recordingText.ts';

/** Locks that get a section of their own, and contenders that a line names. */
const mostLocks = 200;
const mostNamed = 10;

/** *Compare Incident Files*: what changed from the earlier to the later one, per lock. */
export function comparisonReport(comparison: Comparison): Report {
  const { later, locks } = comparison;
  const changed = locks.filter(({ kind }) => kind !== 'same');
  const shown = changed.slice(0, mostLocks);
  return {
    headline:
      changed.length === 0
        ? l10n.t('Nothing changed at {0} locks', locks.length)
        : l10n.t('Changed at {0} of {1} locks', changed.length, locks.length),
    blocks: [
      { kind: 'list', items: introduction(comparison) },
      ...section(l10n.t('Deadlocks'), deadlockLines(comparison)),
      ...section(l10n.t('Sessions'), sessionLines(comparison)),
      ...shown.flatMap(change => lockSection(change, later.span.to.time)),
      ...(changed.length > shown.length
        ? [{ kind: 'paragraph' as const, text: l10n.t('and {0} more locks', changed.length - shown.length) }]
        : []),
      ...unchangedBlocks(locks, later.span.to.time),
      ...notes(comparison).map((text): Block => ({ kind: 'paragraph', text })),
    ],
  };
}

/** What is not said, and why. */
function notes({ earlier, later, notCompared, deadlocksNotCompared }: Comparison): string[] {
  const isHidden = areNamesHidden(earlier) || areNamesHidden(later);
  return [
    ...(notCompared === 0 ? [] : [isHidden ? hiddenText(notCompared) : otherScopeText(notCompared)]),
    ...(deadlocksNotCompared === 0
      ? []
      : [l10n.t('Cycles of waits through locks that are not compared: {0}', deadlocksNotCompared)]),
    ...(earlier.redacted || later.redacted
      ? [
          l10n.t(
            'Redacted: the same client has other names in the two files, and only session ids say that it is the same one.',
          ),
        ]
      : []),
  ];
}

function otherScopeText(count: number): string {
  return l10n.t('Locks that only one of the files is about, or could read, so they are not compared: {0}', count);
}

function hiddenText(count: number): string {
  return l10n.t(
    'The names in paths are replaced, so only locks with a client that is in both files can be compared. Locks that are not compared: {0}',
    count,
  );
}

function introduction({ earlier, later }: Comparison): string[] {
  const line = ({ cluster, span }: IncidentHeader): string => `${foreign(cluster.name)}, ${momentLine(span.to)}`;
  const between = later.span.to.time - earlier.span.to.time;
  return [
    l10n.t('Earlier: {0}', line(earlier)),
    l10n.t('Later: {0}', line(later)),
    l10n.t('Between them: {0}', ageText(between)),
    // The name may be replaced as well.
    ...(earlier.cluster.name === later.cluster.name || earlier.redacted || later.redacted
      ? []
      : [l10n.t('The files name different clusters: what looks changed may be another lock of the same path')]),
  ];
}

function deadlockLines({ deadlocksNew, deadlocksSolved, deadlocksLasting }: Comparison): string[] {
  const locksOf = ({ steps }: DeadlockFact): string =>
    [...new Set(steps.map(step => lockText(step, foreign)))].slice(0, mostNamed).join(', ');
  return [
    ...deadlocksNew.map(fact => l10n.t('New cycle of waits: {0}', locksOf(fact))),
    ...deadlocksLasting.map(fact => l10n.t('The cycle of waits is still there: {0}', locksOf(fact))),
    ...deadlocksSolved.map(fact => l10n.t('The cycle of waits has ended: {0}', locksOf(fact))),
  ];
}

function sessionLines({ sessionsEnded, sessionsNew }: Comparison): string[] {
  const line = ({ session, address }: OwnerFact): string =>
    address === undefined ? sessionText(session) : `${sessionText(session)} ${foreign(address)}`;
  const named = (owners: readonly OwnerFact[]): string => listed(namedOf(owners, line));
  return [
    ...(sessionsEnded.length === 0 ? [] : [l10n.t('Ended: {0}', named(sessionsEnded))]),
    ...(sessionsNew.length === 0 ? [] : [l10n.t('New in the queues: {0}', named(sessionsNew))]),
  ];
}

function namedOf<T>(all: readonly T[], textOf: (each: T) => string): string[] {
  const shown = all.slice(0, mostNamed).map(textOf);
  const more = all.length - shown.length;
  return more === 0 ? shown : [...shown, l10n.t('and {0} more', more)];
}

function lockSection(change: LockChange, now: number): Block[] {
  const name = lockText(change, foreign);
  const title = {
    appeared: () => l10n.t('{0}: new', name),
    gone: () => l10n.t('{0}: gone', name),
    changed: () => name,
    same: () => name,
  };
  return section(title[change.kind](), [
    ...holderLines(change),
    ...waiterItems(change, now),
    ...markLines(l10n.t('New mark'), change.newMarks),
    ...markLines(l10n.t('Mark is gone'), change.solvedMarks),
  ]);
}

function holderLines(change: LockChange): string[] {
  const { before, after, hasOtherHolders, wasHolderUnknown, isHolderUnknown } = change;
  const names = (holders: readonly Contender[]): string =>
    holders.length === 0 ? l10n.t('no client') : listed(namedOf(holders, whoOf));
  if (wasHolderUnknown && isHolderUnknown) return [l10n.t('Who held and who holds now is not known')];
  if (isHolderUnknown) return [l10n.t('Held by {0}, who holds now is not known', names(before))];
  if (wasHolderUnknown) return [l10n.t('Who held is not known, now held by {0}', names(after))];
  if (!hasOtherHolders) return after.length === 0 ? [] : [l10n.t('Still held by {0}', names(after))];
  return [l10n.t('Held by {0}, now by {1}', names(before), names(after))];
}

function waiterItems({ came, left, gotIt, stillWaiting }: LockChange, now: number): Item[] {
  const since = (waiter: Contender): string =>
    l10n.t('{0}, since {1} ({2})', whoOf(waiter), isoTime(waiter.createdAt), ageText(now - waiter.createdAt));
  const item = (text: string, waiters: readonly Contender[], line: (waiter: Contender) => string): Item[] =>
    waiters.length === 0 ? [] : [{ text, below: namedOf(waiters, line) }];
  return [
    ...item(l10n.t('Waited and hold now: {0}', gotIt.length), gotIt, whoOf),
    ...item(l10n.t('Came and wait: {0}', came.length), came, since),
    ...item(l10n.t('Left the queue: {0}', left.length), left, whoOf),
    ...item(l10n.t('Still wait: {0}', stillWaiting.length), stillWaiting, since),
  ];
}

function markLines(title: string, changes: readonly MarkChange[]): string[] {
  return namedOf(changes, ({ contender, marks }) => l10n.t('{0}: {1}, {2}', title, whoOf(contender), marksText(marks)));
}

/** Locks where nothing changed, if clients still wait there: that may be the trouble. */
function unchangedBlocks(locks: readonly LockChange[], now: number): Block[] {
  const waiting = locks.filter(({ kind, stillWaiting }) => kind === 'same' && stillWaiting.length > 0);
  const items = waiting.slice(0, mostLocks).map(change => {
    const oldest = Math.min(...change.stillWaiting.map(({ createdAt }) => createdAt));
    return l10n.t(
      '{0}: {1} still wait, the first for {2}',
      lockText(change, foreign),
      change.stillWaiting.length,
      ageText(now - oldest),
    );
  });
  return section(l10n.t('Unchanged, with waiters'), items);
}

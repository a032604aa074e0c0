import type { Hazard } from '../../locks/lockQueue.ts';
import type { StaleReason } from '../../inspector/findStale.ts';
import { joined, l10n } from './language.ts';
import {
  deadlockNames,
  deadlockOf,
  markNames,
  type ContenderMarks,
  type DeadlockMark,
  type LockMarks,
  type MarkName,
} from '../../app/clusters/marks.ts';

const hazardTexts: Record<Hazard['kind'], () => string> = {
  'duplicate-sequence': () =>
    l10n.t('Several contenders have the same sequence number: all of them may hold the lock at once.'),
  'negative-sequence': () =>
    l10n.t('The sequence counter has overflowed: numbers are negative and libraries disagree about the order.'),
  'sequence-nearly-exhausted': () =>
    l10n.t('The sequence counter is nearly used up; after 2,147,483,647 the order breaks.'),
  'strangers-block': () => l10n.t('A node that is not a contender is in the way: some libraries wait for it or fail.'),
  'mixed-dialects': () =>
    l10n.t('Several libraries use this directory and may not see each other: two clients may hold the lock at once.'),
  'sight-unknown': () =>
    l10n.t(
      'It is not known whether kazoo counts the nodes of go-zookeeper here (extra_lock_patterns): contenders of kazoo that are shown as waiting may hold the lock.',
    ),
  'one-lock-or-several': () =>
    l10n.t('These may be several locks, or one lock whose contenders have individual names: then only one holds it.'),
  'not-ephemeral': () =>
    l10n.t('A contender is not ephemeral, but its library makes only ephemeral ones: it stays until it is deleted.'),
  'limit-unknown': () => l10n.t('The limit is not stored in the tree: the holders are a guess.'),
  'order-differs-from-creation': () =>
    l10n.t('The order of the names is not the order of creation: a contender may have been overtaken.'),
  unreadable: () =>
    l10n.t('These credentials do not allow reading some nodes: their owners are not known, and one of them may hold.'),
};

/** Why the queue may not be what its contenders believe, in one sentence. */
export function hazardText(kind: Hazard['kind']): string {
  return hazardTexts[kind]();
}

/** What is said of every deadlock: a session is one client, and a client may have several threads. */
export function deadlockCaveat(): string {
  return l10n.t(
    'Threads are not visible: if a program holds one lock and waits for the other in different threads, or as a candidate of an election, this ends by itself.',
  );
}

/** A sentence, and a few words for a line that is cut at its end. */
const staleReasons: Readonly<Record<StaleReason, () => [sentence: string, words: string]>> = {
  'not-ephemeral': () => [
    l10n.t('Not ephemeral, but its library makes only ephemeral nodes: it stays until it is deleted.'),
    l10n.t('not ephemeral'),
  ],
  'lease-expired': () => [l10n.t('Its own data say that its lease is over.'), l10n.t('its lease is over')],
  'owner-unknown': () => [
    l10n.t('The leader does not know its owner session.'),
    l10n.t('the leader does not know its session'),
  ],
  'never-woken': () => [
    l10n.t('It waits, but its session watches no node of the queue: no event will wake it.'),
    l10n.t('no event will wake it'),
  ],
};

/** Why a contender may be stale, in a few words. */
export function staleReasonWords(reason: StaleReason): string {
  return staleReasons[reason]()[1];
}

const markWords: Readonly<Record<MarkName, () => string>> = {
  deadlocked: () => l10n.t('deadlocked'),
  maybeDeadlocked: () => l10n.t('may be deadlocked'),
  stale: () => l10n.t('stale'),
  looksStale: () => l10n.t('looks stale'),
  maybeStale: () => l10n.t('maybe stale'),
  longHeld: () => l10n.t('held for long'),
};

/** A mark in a few words, the same in tree and panel. */
export function markText(mark: MarkName): string {
  return markWords[mark]();
}

/** A deadlock in a few words; empty without one. */
function deadlockWords(deadlock: DeadlockMark | undefined): string {
  return deadlock === undefined ? '' : markText(deadlockNames[deadlock]);
}

function deadlockSentence(deadlock: DeadlockMark): string {
  return deadlock === 'lasting'
    ? `⚠ ${l10n.t('It is part of a deadlock: sessions wait for each other, and nothing has changed for longer than the limit in the settings.')}`
    : l10n.t('It may be part of a deadlock: sessions wait for each other.');
}

/** What a contender's row says about it; empty if nothing is wrong. */
export function contenderMarkText(marks: ContenderMarks | undefined): string {
  return joined(markNames(marks).map(markText));
}

/** The reasons, a line each. */
export function contenderMarkLines(marks: ContenderMarks | undefined): string[] {
  if (marks === undefined) return [];
  const lines = marks.stale.map(({ reason }) => `⚠ ${staleReasons[reason]()[0]}`);
  if (marks.deadlock !== undefined) lines.push(deadlockSentence(marks.deadlock), deadlockCaveat());
  if (marks.longHeld) lines.push(l10n.t('Held for longer than the limit in the settings. Age alone proves nothing.'));
  return lines;
}

/** What a lock's row says about its contenders. */
export function lockMarkText(marks: LockMarks): string {
  const { stale, maybeStale, longHeld } = marks;
  return joined([
    deadlockWords(deadlockOf(marks)),
    stale > 0 ? l10n.t('{0} stale', stale) : '',
    stale === 0 && maybeStale > 0 ? l10n.t('{0} maybe stale', maybeStale) : '',
    longHeld > 0 ? markText('longHeld') : '',
  ]);
}

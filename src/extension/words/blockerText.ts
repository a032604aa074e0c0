import { displayText } from '../../base/displayText.ts';
import { sessionText } from '../../base/sessionText.ts';
import type { BlockerMessage, BlockerPartyRow, BlockerWaitRow, ShownPlace } from '../../app/blockers/blockerRows.ts';
import type { ClusterNode, LockNode } from '../../app/clusters/clusterModel.ts';
import { labelOf } from '../../app/clusters/lockLabels.ts';
import { isOfEarlier } from '../../app/sessions/sessionHistory.ts';
import { isHolderUnknown, isPersistent, type Contender } from '../../locks/lockQueue.ts';
import { isElectionPath } from '../../inspector/findDeadlocks.ts';
import { longestWaitMs, summedWaitMs, type RankedBlocker } from '../../inspector/blockers/rankBlockers.ts';
import { whoText } from './contenderText.ts';
import { gapText } from './gapText.ts';
import { ageText, joined, l10n, lockText, momentText, nameText } from './language.ts';
import { recordedAddress } from './ownerText.ts';

// Who keeps whom waiting. Every `now` is epoch ms of the server's clock.

/** How many wait. @param isAtLeast there may be more */
export function waitCountText(count: number, isAtLeast = false): string {
  if (isAtLeast) return l10n.t('at least {0} wait', count);
  return count === 1 ? l10n.t('1 waits') : l10n.t('{0} wait', count);
}

/** How many wait behind a blocker, and for how long: the longest of them, and all together. */
export function costText(ranked: RankedBlocker, now: number): string {
  const { waiting, isAtLeast, since } = ranked;
  return joined([waitCountText(waiting, isAtLeast), since.count === 0 ? '' : timesText(ranked, now)]);
}

function timesText(ranked: RankedBlocker, now: number): string {
  const { since, waiting, isAtLeast } = ranked;
  const longest = ageText(longestWaitMs(ranked, now));
  const sum = ageText(summedWaitMs(ranked, now));
  const isPart = isAtLeast || since.count < waiting;
  if (isPart) return joined([l10n.t('longest at least {0}', longest), l10n.t('at least {0} in all', sum)]);
  return joined([l10n.t('longest {0}', longest), waiting === 1 ? '' : l10n.t('{0} in all', sum)]);
}

/** The same as lines of their own. */
export function costLines(ranked: RankedBlocker, now: number): string[] {
  const { waiting, direct, isAtLeast, since } = ranked;
  return [
    l10n.t('Sessions that wait behind it: {0}', costText(ranked, now)),
    waiting === direct ? '' : l10n.t('Directly: {0}, the others by way of locks that these keep', direct),
    isAtLeast ? l10n.t('There are so many chains that they were not followed to their end.') : '',
    since.count < waiting ? l10n.t('Since when some of them wait is not known.') : '',
  ].filter(line => line !== '');
}

/** A lock's name among words of ours. */
export function lockNameText(lock: LockNode): string {
  return nameText(labelOf(lock).name);
}

/** The path of a lock, for a line of its own. */
export function lockPathText({ path, lockName }: LockNode): string {
  return lockText(lockName === undefined ? { path } : { path, lockName }, text => displayText(text, 1000));
}

/** Which locks a session keeps from others. */
export function keepsText(places: readonly ShownPlace[]): string {
  const [first] = places;
  if (first === undefined) return '';
  return places.length === 1 ? l10n.t('keeps {0}', lockNameText(first.lock)) : l10n.t('keeps {0} locks', places.length);
}

/** Of a waiter that stands first in a lock by what may be read: it may itself wait for a node that may not be read. */
export function unknownHolderText(places: readonly ShownPlace[]): string {
  const isUnknown = places.some(({ lock: { queue } }) => queue !== undefined && isHolderUnknown(queue));
  return isUnknown ? l10n.t('holder not known') : '';
}

/** How many sessions are a circle. */
export function circleText({ members }: BlockerPartyRow): string {
  return l10n.t('{0} sessions wait for each other', members.length);
}

/** Where a member of a circle waits for another one, and for how long. */
export function memberWaitText({ waitsIn }: BlockerPartyRow, now: number): string {
  if (waitsIn === undefined) return '';
  const { contender, lock } = waitsIn;
  if (contender.isUnread === true) return l10n.t('waits for {0}', lockNameText(lock));
  return l10n.t('waits {0} for {1}', ageText(now - contender.createdAt), lockNameText(lock));
}

/** Of a waiter that follows another one on the same level: behind whom it waits, and where. */
export function behindText({ after, waitsIn }: BlockerWaitRow): string {
  return after === undefined ? '' : l10n.t('behind {0} in {1}', whoText(after.contender), lockNameText(waitsIn));
}

/** What is said of locks whose candidates may go on while they wait; empty for other locks. */
export function electionText(locks: readonly LockNode[]): string {
  const isOne = ({ path, lockName }: LockNode): boolean =>
    isElectionPath(lockName === undefined ? { path } : { path, lockName });
  return locks.some(isOne) ? l10n.t('may be an election') : '';
}

/** The same as a sentence. */
export function electionSentence(): string {
  return l10n.t(
    'By its name this may be an election: then its candidates go on while they wait, and nothing is kept from them.',
  );
}

/** Where the client of a contender is, if that was recorded; no server is asked. */
export function knownAddress({ time, recorder }: ClusterNode, contender: Contender): string {
  const { ownerSession } = contender;
  const known = time?.recording.session(ownerSession) ?? recorder?.past?.sessions().get(ownerSession);
  if (known?.address === undefined || isOfEarlier(known, contender)) return '';
  return recordedAddress({ ...known, address: known.address }, text => displayText(text, 60));
}

/** The session that owns a node, with its address if that is known. @param address empty: not known */
export function sessionLine(contender: Contender, address: string): string {
  if (contender.isUnread === true) return l10n.t('Owner session: not known, the node may not be read');
  if (isPersistent(contender)) return l10n.t('Owner session: none (not ephemeral)');
  const session = contender.ownerSession;
  return address === ''
    ? l10n.t('Owner session: {0}', sessionText(session))
    : l10n.t('Owner session: {0}, recorded from {1}', sessionText(session), address);
}

/** What the ranking lacks, or that nothing is in it, as `gapText`. @param now epoch ms of this machine */
export function blockerMessageText(message: BlockerMessage, now: number): [text: string, more: string] {
  switch (message.kind) {
    case 'nothing-waits':
      return [l10n.t('No session waits in the locks that are read'), ''];
    case 'nothing-read':
      return [l10n.t('No lock is read'), l10n.t('So it is not known whether a session waits.')];
    default:
      return gapText(message, at => momentText(at, now));
  }
}

import type { ClusterGap } from '../../app/blockers/clusterGaps.ts';
import { byKind } from '../../base/byKind.ts';
import { l10n } from './language.ts';

/**
 * What an answer about a cluster lacks: a few words, and what that means or what can be done.
 *
 * @param timeText a moment, in epoch ms of this machine, for the screen
 */
export const gapText = byKind<ClusterGap, [text: string, more: string], [timeText: (at: number) => string]>({
  uncertain: ({ lastContactAt }, timeText) => [l10n.t('No contact since {0}', timeText(lastContactAt)), readBefore()],
  lost: ({ lastContactAt }, timeText) => [
    l10n.t('Session lost, last contact at {0}', timeText(lastContactAt)),
    readBefore(),
  ],
  connecting: () => [l10n.t('Not connected'), l10n.t('Nothing is known of this cluster now.')],
  'not-sure': () => [
    l10n.t('Not sure at this moment'),
    l10n.t('The files do not say for certain what was there then.'),
  ],
  paused: () => [l10n.t('Live updates are paused'), readBefore()],
  unreadable: ({ count }) => [
    count === 1
      ? l10n.t('1 lock has nodes that may not be read')
      : l10n.t('{0} locks have nodes that may not be read', count),
    l10n.t('Their owners are not known, and one of them may hold: there may be other blockers and more waiters.'),
  ],
  'not-live': ({ count }) => [
    count === 1 ? l10n.t('1 lock is shown as last read') : l10n.t('{0} locks are shown as last read', count),
    l10n.t(
      'They are not watched. What the view Clusters shows is watched: expand their cluster and show more rows there.',
    ),
  ],
  unread: ({ count }) => [
    count === 1 ? l10n.t('1 lock is not read') : l10n.t('{0} locks are not read', count),
    l10n.t(
      'Nothing here is about them. Expand the cluster in the view Clusters and show more rows there; Explain Deadlocks reads all of them once.',
    ),
  ],
  'search-none': () => [l10n.t('Locks were not searched for'), moreLocks()],
  'search-running': () => [l10n.t('The search for locks has not ended'), moreLocks()],
  'search-failed': () => [l10n.t('The search for locks failed'), moreLocks()],
  'search-cut': () => [l10n.t('The search for locks stopped at its limit'), moreLocks()],
  'search-denied': ({ count }) => [
    count === 1
      ? l10n.t('The search may not read 1 directory')
      : l10n.t('The search may not read {0} directories', count),
    l10n.t('There may be more locks there.'),
  ],
  'cycles-unknown': () => [
    l10n.t('Circles of waits are not known'),
    l10n.t('There are so many chains that they were not followed to their end. Explain Deadlocks looks for circles.'),
  ],
});

function readBefore(): string {
  return l10n.t('What is shown was read before, and may be different now.');
}

function moreLocks(): string {
  return l10n.t('There may be more locks.');
}

import { l10n } from 'vscode';
import { connectionKey } from '../../app/clusters/clusterSecurity.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { isActive, type TestLock } from '../../app/testLocks/testLock.ts';
import { displayText } from '../../base/displayText.ts';
import { sentences } from '../words/joinTexts.ts';

interface Parts {
  reporter: Pick<ErrorReporter, 'confirm'>;
  testLocks: { readonly all: readonly TestLock[] };
}

/** How many test locks end with the session that took them; empty if there are none. */
function endingText({ testLocks }: Parts, { id }: ClusterProfile): string {
  const ending = testLocks.all.filter(lock => lock.request.cluster.id === id && isActive(lock));
  return ending.length === 0 ? '' : l10n.t('Test locks that end: {0}.', ending.length);
}

export async function confirmRemoval(parts: Parts, profile: ClusterProfile): Promise<boolean> {
  const ending = endingText(parts, profile);
  return parts.reporter.confirm(
    l10n.t('Remove the cluster "{0}" from the list?', displayText(profile.name)),
    ending === ''
      ? l10n.t('Nothing is changed in ZooKeeper.')
      : sentences(ending, l10n.t('Nothing else is changed in ZooKeeper.')),
    l10n.t('Remove'),
  );
}

/** Asks only if test locks end, because the edited cluster needs another session. */
export async function confirmEdit(parts: Parts, before: ClusterProfile, after: ClusterProfile): Promise<boolean> {
  const ending = endingText(parts, before);
  if (ending === '' || connectionKey(before) === connectionKey(after)) return true;
  return parts.reporter.confirm(
    l10n.t('Change how the cluster "{0}" is connected?', displayText(before.name)),
    ending,
    l10n.t('Change'),
  );
}

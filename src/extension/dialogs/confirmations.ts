import { connectionKey, type ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { isActive, type TestLock, type TestLockRequest } from '../../app/testLocks/testLock.ts';
import { displayText } from '../../base/displayText.ts';
import { l10n, listed, sentences } from '../words/language.ts';
import { sizeText } from '../words/recorderText.ts';
import { dialectText } from '../words/contenderText.ts';
import { pathsText, recipeText, spanText } from '../words/testLockText.ts';

type Confirm = Pick<ErrorReporter, 'confirm'>;

/** How many test locks end with the session that took them; empty if there are none. */
function endingText(testLocks: readonly TestLock[], { id }: ClusterProfile): string {
  const ending = testLocks.filter(lock => lock.request.cluster.id === id && isActive(lock));
  return ending.length === 0 ? '' : l10n.t('Test locks that end: {0}.', ending.length);
}

/** Asks before a cluster is removed. @param testLocks of this window, some of which may end by it. @param recorded bytes of its recordings */
export async function confirmRemoval(
  reporter: Confirm,
  testLocks: readonly TestLock[],
  profile: ClusterProfile,
  recorded = 0,
): Promise<boolean> {
  const ending = endingText(testLocks, profile);
  const deleting = recorded === 0 ? '' : l10n.t('Its recordings ({0}) are deleted, too.', sizeText(recorded));
  return reporter.confirm(
    l10n.t('Remove the cluster "{0}" from the list?', displayText(profile.name)),
    ending === ''
      ? sentences(l10n.t('This changes nothing in ZooKeeper.'), deleting)
      : sentences(ending, l10n.t('This changes nothing else in ZooKeeper.'), deleting),
    l10n.t('Remove'),
  );
}

/** Asks only if test locks end with the sandbox. */
export async function confirmStop(
  reporter: Confirm,
  testLocks: readonly TestLock[],
  profile: ClusterProfile,
): Promise<boolean> {
  const ending = endingText(testLocks, profile);
  return ending === '' || reporter.confirm(l10n.t('Stop the sandbox?'), ending, l10n.t('Stop'));
}

/** Asks only if test locks end, because the edited cluster needs another session. */
export async function confirmEdit(
  reporter: Confirm,
  testLocks: readonly TestLock[],
  before: ClusterProfile,
  after: ClusterProfile,
): Promise<boolean> {
  const ending = endingText(testLocks, before);
  if (ending === '' || connectionKey(before) === connectionKey(after)) return true;
  return reporter.confirm(
    l10n.t('Change how the cluster "{0}" is connected?', displayText(before.name)),
    ending,
    l10n.t('Change'),
  );
}

/** Asks, not modal, whether test locks end whose cluster was changed in the settings; they stay unless the person says so. */
export async function askWhetherToEnd(
  reporter: Pick<ErrorReporter, 'offer'>,
  locks: readonly TestLock[],
): Promise<boolean> {
  const name = displayText(locks[0]?.request.cluster.profile.name ?? '');
  const answer = await reporter.offer(
    l10n.t(
      'The settings no longer lead to the servers of the cluster "{0}", where this window has test locks: {1}. They stay until they are released.',
      name,
      locks.length,
    ),
    [
      { label: l10n.t('Keep Connected as Before'), value: false },
      { label: l10n.t('End Test Locks ({0})', locks.length), value: true },
    ],
  );
  return answer === true;
}

function consequence({ autoReleaseMs, dialect, recipe }: TestLockRequest): { block: string; naming: string } {
  const naming =
    recipe === 'exclusive'
      ? l10n.t('A single node is created.')
      : dialect === undefined
        ? l10n.t('Naming scheme: {0}', l10n.t('the one in use at the path'))
        : l10n.t('Naming scheme: {0}', dialectText(dialect));
  const span = autoReleaseMs === undefined ? '' : spanText(autoReleaseMs);
  const block = l10n.t(
    'Real services that use this lock may be blocked while the test lock waits, and for up to {0} after it is acquired.',
    span,
  );
  return { block, naming };
}

/**
 * Asks before a test lock is taken on a production cluster; elsewhere it asks nothing.
 *
 * @param extensionId the extension that requests it; `undefined`: the person
 * @throws CancelledError when the person declines
 */
export async function confirmProduction(
  reporter: Confirm,
  request: TestLockRequest,
  extensionId?: string,
): Promise<void> {
  const { profile } = request.cluster;
  if (profile.environment !== 'production') return;
  const paths = request.paths.map(path => displayText(path));
  const { block, naming } = consequence(request);
  const lines = [
    block,
    '',
    l10n.t('Lock: {0}', listed(paths)),
    l10n.t('Recipe: {0}', recipeText(request.recipe)),
    naming,
  ];
  if (extensionId !== undefined) lines.unshift(l10n.t('Asked for by the extension {0}.', displayText(extensionId)));
  const isSure = await reporter.confirm(
    l10n.t('Acquire a test lock on the production cluster "{0}"?', displayText(profile.name)),
    lines.join('\n'),
    l10n.t('Acquire'),
  );
  if (!isSure) throw new CancelledError(pathsText(request));
}

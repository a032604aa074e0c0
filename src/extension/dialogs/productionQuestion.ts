import { l10n } from 'vscode';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ErrorReporter } from '../platform/errorReporting.ts';
import { dialectText } from '../words/dialectText.ts';
import { displayText } from '../../base/displayText.ts';
import { listed } from '../words/joinTexts.ts';
import type { TestLockRequest } from '../../app/testLocks/testLock.ts';
import { pathsText, recipeText, spanText } from '../words/testLockText.ts';

function consequence({ autoReleaseMs, dialect, recipe }: TestLockRequest): string {
  const naming =
    recipe === 'exclusive'
      ? l10n.t('A single node is created.')
      : dialect === undefined
        ? l10n.t('Dialect: the one in use at each path.')
        : l10n.t('Dialect: {0}.', dialectText(dialect));
  const span = autoReleaseMs === undefined ? '' : spanText(autoReleaseMs);
  const block = l10n.t(
    'Real services that use this lock may be blocked while it waits, and for up to {0} after it is acquired.',
    span,
  );
  return `${naming}\n${block}`;
}

/**
 * Asks before a test lock is taken on a production cluster; elsewhere it asks nothing.
 *
 * @param extensionId who wants it, if it is not the person
 * @throws CancelledError when the person does not want it
 */
export async function confirmProduction(
  reporter: Pick<ErrorReporter, 'confirm'>,
  request: TestLockRequest,
  extensionId?: string,
): Promise<void> {
  const { profile } = request.cluster;
  if (profile.environment !== 'production') return;
  const paths = request.paths.map(path => displayText(path));
  const lines = [l10n.t('{0}: {1}', recipeText(request.recipe), listed(paths)), consequence(request)];
  if (extensionId !== undefined) lines.unshift(l10n.t('Asked for by the extension {0}.', displayText(extensionId)));
  const isSure = await reporter.confirm(
    l10n.t('Acquire a test lock on the production cluster "{0}"?', displayText(profile.name)),
    lines.join('\n'),
    l10n.t('Acquire'),
  );
  if (!isSure) throw new CancelledError(pathsText(request));
}

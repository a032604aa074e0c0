import { displayText } from '../../base/displayText.ts';
import { l10n, sentences } from './language.ts';
import { leaseCauseText } from './errorText.ts';
import type { TestLock } from '../../app/testLocks/testLock.ts';
import { pathsText } from './testLockText.ts';

/** The message about test locks that were lost together: the session ended, or another client deleted the nodes. */
export function lossText(locks: readonly TestLock[]): string {
  const [first] = locks;
  if (first === undefined) return '';
  const { state, request } = first;
  const cluster = displayText(request.cluster.profile.name, 60);
  const reason = state.kind === 'lost' && state.cause !== undefined ? leaseCauseText(state.cause) : '';
  if (locks.length === 1) {
    const what = l10n.t('The test lock {0} on {1} is lost.', pathsText(request), cluster);
    return sentences(what, reason, l10n.t('Another client may hold it now.'));
  }
  const what = l10n.t('{0} test locks on {1} are lost ({2}).', locks.length, cluster, namesText(locks));
  return sentences(what, reason, l10n.t('Other clients may hold them now.'));
}

function namesText(locks: readonly TestLock[]): string {
  const names = locks.slice(0, 5).map(({ request }) => pathsText(request));
  return [...names, ...(locks.length > names.length ? ['…'] : [])].join(', ');
}

/** The message about test locks that were given up since the window did not answer. */
export function silenceText(locks: readonly TestLock[]): string {
  return l10n.t('Test locks given up, since this window gave no sign of life for 60 s: {0}', namesText(locks));
}

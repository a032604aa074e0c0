import { l10n } from 'vscode';
import type { RefusedProfile } from '../clusters/clusterProfile.ts';
import { displayText } from '../text/displayText.ts';
import type { ClusterNode } from './nodes.ts';
import { joined } from './row.ts';
import { shownLocks, waiterCount } from './shownLocks.ts';

/** Beside the title of the view: what is not as usual. */
export function viewDescription(state: { filter: string; paused: boolean }): string {
  return joined([
    state.paused ? l10n.t('paused') : '',
    state.filter === '' ? '' : l10n.t('filter: {0}', displayText(state.filter, 40)),
  ]);
}

function faultText(fault: RefusedProfile['fault']): string {
  switch (fault) {
    case 'not-an-object':
      return l10n.t('it is not an object');
    case 'name':
      return l10n.t('its name is missing');
    case 'connectString':
      return l10n.t('its connect string is missing');
    case 'credentials':
      return l10n.t('it holds a password; remove that, and add it by Edit Cluster, which keeps it in the keyring');
    case 'auth':
      return l10n.t('its "auth" is not a list of scheme (digest or sasl) and user');
    case 'tls':
      return l10n.t('its "tls" has an unusable file, or a certificate without its key');
    case 'lockRoots':
      return l10n.t('its lock roots are not paths');
    case 'duplicate':
      return l10n.t('it is there twice');
  }
}

/** Above the rows: entries of the setting that cannot be shown; `undefined` if all can. */
export function viewMessage(refused: readonly RefusedProfile[]): string | undefined {
  if (refused.length === 0) return undefined;
  const lines = refused.map(({ index, fault }) =>
    l10n.t('Saved cluster number {0} in the settings cannot be used: {1}.', index + 1, faultText(fault)),
  );
  return lines.join('\n');
}

/** The badge: locks on screen that somebody waits for. */
export function contendedLocks(
  clusters: readonly ClusterNode[],
  filter: string,
): { value: number; tooltip: string } | undefined {
  const value = clusters.flatMap(cluster => shownLocks(cluster, filter)).filter(lock => waiterCount(lock) > 0).length;
  if (value === 0) return undefined;
  return { value, tooltip: value === 1 ? l10n.t('1 lock is waited for') : l10n.t('{0} locks are waited for', value) };
}

import { l10n } from 'vscode';
import type { RefusedProfile } from '../../app/clusters/clusterProfile.ts';
import { displayText } from '../../base/displayText.ts';
import { type ClusterNode, type LockNode, shownLocks, waiterCount } from '../../app/clusters/clusterModel.ts';
import { joined } from '../words/language.ts';
import type { MarkSource } from '../../app/clusters/marks.ts';
import type { Trouble } from './viewState.ts';

/** A kind of lock to look at, in a word. */
export function troubleText(trouble: Trouble): string {
  switch (trouble) {
    case 'contended':
      return l10n.t('contended');
    case 'stale':
      return l10n.t('stale');
    case 'deadlocked':
      return l10n.t('deadlocked');
  }
}

/** Whether a lock is so, as its row says. */
export function isInTrouble(lock: LockNode, trouble: Trouble, marks: MarkSource, now: number): boolean {
  if (trouble === 'contended') return waiterCount(lock) > 0;
  const { stale, maybeStale, deadlocked } = marks.of(lock, now);
  return trouble === 'stale' ? stale + maybeStale > 0 : deadlocked > 0;
}

/** Beside the title of the view: what is not as usual. */
export function viewDescription(state: { filter: string; paused: boolean; only?: Trouble | undefined }): string {
  return joined([
    state.paused ? l10n.t('paused') : '',
    state.only === undefined ? '' : l10n.t('only {0}', troubleText(state.only)),
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

/** The badge: locks on screen that somebody waits for; its tooltip also names those that are worse. */
export function contendedLocks(
  clusters: readonly ClusterNode[],
  filter: string,
  trouble?: { marks: MarkSource; now: number },
): { value: number; tooltip: string } | undefined {
  const locks = clusters.flatMap(cluster => shownLocks(cluster, filter));
  const value = locks.filter(lock => waiterCount(lock) > 0).length;
  if (value === 0) return undefined;
  const marked = trouble === undefined ? [] : locks.map(lock => trouble.marks.of(lock, trouble.now));
  const stale = marked.filter(marks => marks.stale > 0).length;
  const deadlocked = marked.filter(marks => marks.deadlocked > 0).length;
  const tooltip = joined([
    value === 1 ? l10n.t('1 lock is waited for') : l10n.t('{0} locks are waited for', value),
    stale === 0 ? '' : l10n.t('with stale nodes: {0}', stale),
    deadlocked === 0 ? '' : l10n.t('deadlocked: {0}', deadlocked),
  ]);
  return { value, tooltip };
}

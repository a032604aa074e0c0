import { l10n } from 'vscode';
import type { RefusedProfile } from '../../app/clusters/clusterProfile.ts';
import { displayText } from '../../base/displayText.ts';
import { type ClusterNode, type LockNode, shownLocks, waiterCount } from '../../app/clusters/clusterModel.ts';
import { joined } from '../words/language.ts';
import type { MarkSource } from '../../app/clusters/marks.ts';
import type { Trouble } from '../../app/clusters/viewState.ts';

const troubleWords: Record<Trouble, () => string> = {
  contended: () => l10n.t('contended'),
  stale: () => l10n.t('stale'),
  deadlocked: () => l10n.t('deadlocked'),
};

/** The word for a trouble. */
export function troubleText(trouble: Trouble): string {
  return troubleWords[trouble]();
}

/** Whether a lock has this trouble; *stale* and *deadlocked* include *maybe*, as in the lock's row. */
export function isInTrouble(lock: LockNode, trouble: Trouble, marks: MarkSource, now: number): boolean {
  if (trouble === 'contended') return waiterCount(lock) > 0;
  const { stale, maybeStale, deadlocked, maybeDeadlocked } = marks.of(lock, now);
  return trouble === 'stale' ? stale + maybeStale > 0 : deadlocked + maybeDeadlocked > 0;
}

/** The text beside the view's title: pause and filters. */
export function viewDescription(state: { filter: string; paused: boolean; only?: Trouble | undefined }): string {
  return joined([
    state.paused ? l10n.t('paused') : '',
    state.only === undefined ? '' : l10n.t('only {0}', troubleText(state.only)),
    state.filter === '' ? '' : l10n.t('filter: {0}', displayText(state.filter, 40)),
  ]);
}

const faultTexts: Record<RefusedProfile['fault'], () => string> = {
  'not-an-object': () => l10n.t('it is not an object'),
  name: () => l10n.t('its name is missing'),
  connectString: () => l10n.t('its connect string is missing'),
  credentials: () =>
    l10n.t('it holds a password; remove the password and enter it by Edit Cluster, which keeps it in the keyring'),
  auth: () => l10n.t('its "auth" is not a list of scheme (digest or sasl) and user'),
  tls: () => l10n.t('its "tls" has an unusable file, or a certificate without its key'),
  lockRoots: () => l10n.t('its lock roots are not paths'),
  duplicate: () => l10n.t('it is there twice'),
};

/** The message above the rows: invalid entries of the setting; `undefined` if all are valid. */
export function viewMessage(refused: readonly RefusedProfile[]): string | undefined {
  if (refused.length === 0) return undefined;
  const lines = refused.map(({ index, fault }) =>
    l10n.t('Saved cluster {0} in the settings cannot be used: {1}.', index + 1, faultTexts[fault]()),
  );
  return lines.join('\n');
}

/** The badge: how many shown locks have waiters; its tooltip also counts stale and deadlocked ones. */
export function contendedLocks(
  clusters: readonly ClusterNode[],
  filter: string,
  marks: MarkSource,
  now: number,
): { value: number; tooltip: string } | undefined {
  const locks = clusters.flatMap(cluster => shownLocks(cluster, filter));
  const value = locks.filter(lock => waiterCount(lock) > 0).length;
  if (value === 0) return undefined;
  const marked = locks.map(lock => marks.of(lock, now));
  const stale = marked.filter(({ stale: count }) => count > 0).length;
  const deadlocked = marked.filter(({ deadlocked: count }) => count > 0).length;
  const tooltip = joined([
    value === 1 ? l10n.t('1 lock is waited for') : l10n.t('{0} locks are waited for', value),
    stale === 0 ? '' : l10n.t('with stale nodes: {0}', stale),
    deadlocked === 0 ? '' : l10n.t('deadlocked: {0}', deadlocked),
  ]);
  return { value, tooltip };
}

import type { LockLabel } from '../../app/clusters/clusterModel.ts';
import type { RefusedProfile } from '../../app/clusters/clusterProfile.ts';
import { displayText } from '../../base/displayText.ts';
import type { TroubleCounts } from '../../app/clusters/trouble.ts';
import { joined, l10n, listed } from '../words/language.ts';
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

/** Where a lock is, beside its name; empty for the root. */
export function directoryText({ directory }: LockLabel): string {
  return directory === '/' ? '' : displayText(directory);
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

/** How many locks, in words; empty for none. */
export function lockCountText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? l10n.t('1 lock') : l10n.t('{0} locks', count);
}

/** What is wrong with how many locks; empty while nothing is. */
export function troubleCountText({ deadlocked, stale, longHeld }: TroubleCounts): string {
  const kinds = [
    deadlocked === 0 ? '' : l10n.t('{0} deadlocked', deadlocked),
    stale === 0 ? '' : l10n.t('{0} stale', stale),
    longHeld === 0 ? '' : l10n.t('{0} held for long', longHeld),
  ];
  return listed(kinds.filter(kind => kind !== ''));
}

/** The badge of the view; none while nothing is in trouble. */
export function troubleBadge(counts: TroubleCounts): { value: number; tooltip: string } | undefined {
  if (counts.locks === 0) return undefined;
  return { value: counts.locks, tooltip: l10n.t('Locks in trouble: {0}', troubleCountText(counts)) };
}

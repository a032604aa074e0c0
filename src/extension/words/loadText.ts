import { l10n } from './language.ts';
import { displayText } from '../../base/displayText.ts';
import type { LoadedLocks, LoadProgress } from '../../app/clusters/loadAllLocks.ts';
import type { StaleLook } from '../../app/deletes/lookForStale.ts';

/** How far the reading of a cluster's locks has come. */
export function loadProgressText(progress: LoadProgress): string {
  return progress.step === 'search'
    ? l10n.t('Nodes: {0}, locks so far: {1}', progress.visited, progress.found)
    : l10n.t('Locks read: {0} of {1}', progress.done, progress.total);
}

/** What could not be read, a line each; none if everything was read. */
export function gapLines({
  unread,
  truncated,
  denied,
}: Readonly<Record<'unread' | 'denied', readonly string[]>> & Pick<LoadedLocks, 'truncated'>): string[] {
  const names = (paths: readonly string[]): string => displayText(paths.slice(0, 5).join(', '), 400);
  return [
    unread.length === 0 ? '' : l10n.t('Locks not read: {0} ({1})', unread.length, names(unread)),
    truncated ? l10n.t('The search stopped at its limit: there may be more locks.') : '',
    denied.length === 0 ? '' : l10n.t('Paths without permission: {0} ({1})', denied.length, names(denied)),
  ].filter(line => line !== '');
}

/** What a list of stale nodes lacks, a line each. */
export function leftOutLines({ loaded, leftOut, guarded }: StaleLook): string[] {
  return [
    ...(loaded === undefined ? [] : gapLines(loaded)),
    leftOut === 0 ? '' : l10n.t('Left out, because at most 100 are deleted at once: {0}.', leftOut),
    guarded === 0 ? '' : l10n.t('Left out, because their paths are protected: {0}.', guarded),
  ].filter(line => line !== '');
}

import { l10n } from 'vscode';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { displayText } from '../../base/displayText.ts';

/** Reads at the same time: enough to hide the round trips, few enough to leave room for others. */
const readsAtOnce = 8;

/** How much of a cluster was seen. */
export interface LoadedLocks {
  /** Lock rows whose queue is known now. */
  locks: number;
  /** Paths whose queue could not be read. */
  unread: string[];
  /** The search ended at its limit, or may not see some branches. */
  incomplete: { truncated: boolean; denied: string[] };
}

/**
 * Looks for locks below every lock root and reads those that are not live, so that the tree and whoever asks next know them all.
 *
 * @throws CancelledError; what the search throws
 */
export async function loadAllLocks(
  browser: ClusterBrowser,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<LoadedLocks> {
  const incomplete = { truncated: false, denied: [] as string[] };
  for (const root of browser.node.profile.lockRoots) {
    const found = await browser.find(root, signal, ({ visited, found: locks }) => {
      report(l10n.t('Nodes: {0}, locks so far: {1}', visited, locks));
    });
    incomplete.truncated ||= found.truncated;
    incomplete.denied.push(...found.denied);
  }
  const rows = [...browser.node.locks.values()];
  const paths = [...new Set(rows.filter(({ live }) => !live).map(({ path }) => path))];
  let next = 0;
  const readOn = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      if (signal.aborted) throw new CancelledError('Reading locks');
      await browser.refresh(path);
      report(l10n.t('Locks read: {0} of {1}', Math.min(next, paths.length), paths.length));
    }
  };
  await Promise.all(Array.from({ length: readsAtOnce }, readOn));
  const after = [...browser.node.locks.values()];
  const unread = after.filter(({ queue, readError }) => queue === undefined || readError !== undefined);
  return { locks: after.length - unread.length, unread: unread.map(({ path }) => path), incomplete };
}

/** What the search did not see, a line each; none if it saw everything. */
export function gapLines({ unread, incomplete }: LoadedLocks): string[] {
  const names = (paths: readonly string[]): string => displayText(paths.slice(0, 5).join(', '), 400);
  return [
    unread.length === 0 ? '' : l10n.t('Locks not read: {0} ({1})', unread.length, names(unread)),
    incomplete.truncated ? l10n.t('The search stopped at its limit: there may be more locks.') : '',
    incomplete.denied.length === 0
      ? ''
      : l10n.t('Paths without permission: {0} ({1})', incomplete.denied.length, names(incomplete.denied)),
  ].filter(line => line !== '');
}

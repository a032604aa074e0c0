import { severalAtOnce } from '../../base/severalAtOnce.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterBrowser } from './clusterBrowser.ts';

/** Reads at the same time: enough to hide the round trips, few enough to leave room for others. */
const readsAtOnce = 8;

/** How much of a cluster was read. */
export interface LoadedLocks {
  /** Paths whose queue could not be read. */
  unread: string[];
  /** The search ended at its limit. */
  truncated: boolean;
  /** Branches that may not be listed. */
  denied: string[];
}

/** First the search for locks, then the reading of their queues. */
export type LoadProgress =
  { step: 'search'; visited: number; found: number } | { step: 'read'; done: number; total: number };

/**
 * Searches for locks below every lock root and reads those that are not live, so that the cluster's node has all queues.
 *
 * @throws CancelledError; what the search throws
 */
export async function loadAllLocks(
  browser: Pick<ClusterBrowser, 'node' | 'findBelowRoots' | 'refresh'>,
  signal: AbortSignal,
  onProgress: (progress: LoadProgress) => void,
): Promise<LoadedLocks> {
  const { locks } = browser.node;
  const { truncated, denied } = await browser.findBelowRoots(signal, progress =>
    onProgress({ step: 'search', ...progress }),
  );
  const paths = [...new Set([...locks.values()].filter(({ live }) => !live).map(({ path }) => path))];
  let done = 0;
  await severalAtOnce(paths, readsAtOnce, async path => {
    if (signal.aborted) throw new CancelledError('Reading locks');
    await browser.refresh(path);
    onProgress({ step: 'read', done: ++done, total: paths.length });
  });
  const unread = [...locks.values()].filter(({ queue, readError }) => queue === undefined || readError !== undefined);
  return { unread: unread.map(({ path }) => path), truncated, denied };
}

import { isSearchOpen, type ClusterNode } from '../clusters/clusterModel.ts';
import { isSure } from '../clusters/recordedTime.ts';
import type { ClusterRanking } from './rankedCluster.ts';

/** Why what is shown of a cluster may not be so at the moment that is stated. */
export type TrustGap =
  | { kind: 'uncertain' | 'lost'; lastContactAt: number }
  | { kind: 'connecting' }
  | { kind: 'not-sure' }
  | { kind: 'paused' };

/** What is not known of the locks of a cluster. */
export type LockGap =
  | { kind: 'unreadable' | 'not-live' | 'unread'; count: number }
  | { kind: 'search-none' | 'search-running' | 'search-failed' | 'search-cut' }
  | { kind: 'search-denied'; count: number }
  | { kind: 'cycles-unknown' };

/** What an answer about a cluster lacks. */
export type ClusterGap = TrustGap | LockGap;

/**
 * Why what is shown may not be so at the moment that is stated; `undefined` if it is.
 *
 * @param isPaused whether live updates are paused; a recording has none
 */
export function trustGap({ connection, time }: ClusterNode, isPaused: boolean): TrustGap | undefined {
  if (time !== undefined) return isSure(time.recording, time.moment) ? undefined : { kind: 'not-sure' };
  if (connection.kind === 'uncertain' || connection.kind === 'lost') {
    return { kind: connection.kind, lastContactAt: connection.lastContactAt };
  }
  if (connection.kind !== 'connected') return { kind: 'connecting' };
  return isPaused ? { kind: 'paused' } : undefined;
}

/** What is not known of the locks. @param isPaused as for `trustGap` */
export function lockGaps(
  { cluster, share, areCyclesKnown }: Pick<ClusterRanking, 'cluster' | 'share' | 'areCyclesKnown'>,
  isPaused: boolean,
): LockGap[] {
  const gaps: LockGap[] = [];
  const unreadable = partlyUnread(cluster);
  if (unreadable > 0) gaps.push({ kind: 'unreadable', count: unreadable });
  // Without contact, and while live updates are paused, all are as they were read last: `trustGap` says so.
  if (share.notLive > 0 && cluster.connection.kind === 'connected' && !isPaused) {
    gaps.push({ kind: 'not-live', count: share.notLive });
  }
  if (share.unread > 0) gaps.push({ kind: 'unread', count: share.unread });
  gaps.push(...searchGaps(cluster));
  if (!areCyclesKnown) gaps.push({ kind: 'cycles-unknown' });
  return gaps;
}

/** Why there may be locks that are not even known. */
function searchGaps(cluster: ClusterNode): LockGap[] {
  const { search } = cluster;
  if (!isSearchOpen(cluster)) return [];
  if (search.kind !== 'done') return [{ kind: `search-${search.kind}` }];
  const cut: LockGap[] = search.truncated ? [{ kind: 'search-cut' }] : [];
  return search.denied.length === 0 ? cut : [...cut, { kind: 'search-denied', count: search.denied.length }];
}

/** Locks with nodes that may not be read: who owns these is not known, so neither is all of who waits for whom. */
function partlyUnread({ locks }: ClusterNode): number {
  return [...locks.values()].filter(
    ({ queue, isBehind }) => isBehind !== true && queue?.hazards.some(({ kind }) => kind === 'unreadable') === true,
  ).length;
}

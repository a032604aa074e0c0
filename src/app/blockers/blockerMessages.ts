import { isSearchOpen, type ClusterNode } from '../clusters/clusterModel.ts';
import { isSure } from '../clusters/recordedTime.ts';
import type { ClusterRanking } from './rankedCluster.ts';

/** What is not known, or that nothing is there. */
export type BlockerMessage =
  | { kind: 'uncertain' | 'lost'; lastContactAt: number }
  | { kind: 'connecting' }
  | { kind: 'not-sure' }
  | { kind: 'nothing-waits' }
  | { kind: 'nothing-read' }
  | { kind: 'paused' }
  | { kind: 'unreadable' | 'not-live'; count: number }
  | { kind: 'unread'; count: number }
  | { kind: 'search-open' }
  | { kind: 'cycles-unknown' };

/**
 * What is to be said of a ranking as a whole.
 *
 * @param isPaused whether live updates are paused; a recording has none
 */
export function blockerMessages(ranking: ClusterRanking, isPaused: boolean): BlockerMessage[] {
  const { cluster, blockers, share } = ranking;
  const isStopped = isPaused && cluster.time === undefined;
  const nothing: BlockerMessage[] =
    blockers.length > 0 ? [] : [{ kind: share.read === 0 ? 'nothing-read' : 'nothing-waits' }];
  return [...trustMessages(cluster, isStopped), ...nothing, ...gapMessages(ranking, isStopped)];
}

/** What the ranking lacks. */
function gapMessages({ cluster, share, areCyclesKnown }: ClusterRanking, isStopped: boolean): BlockerMessage[] {
  const messages: BlockerMessage[] = [];
  const unreadable = partlyUnread(cluster);
  if (unreadable > 0) messages.push({ kind: 'unreadable', count: unreadable });
  if (share.notLive > 0 && cluster.connection.kind === 'connected' && !isStopped) {
    messages.push({ kind: 'not-live', count: share.notLive });
  }
  if (share.unread > 0) messages.push({ kind: 'unread', count: share.unread });
  if (isSearchOpen(cluster)) messages.push({ kind: 'search-open' });
  if (!areCyclesKnown) messages.push({ kind: 'cycles-unknown' });
  return messages;
}

/** Why the ranking may not be of now. */
function trustMessages({ connection, time }: ClusterNode, isStopped: boolean): BlockerMessage[] {
  if (time !== undefined) return isSure(time.recording, time.moment) ? [] : [{ kind: 'not-sure' }];
  if (connection.kind === 'uncertain' || connection.kind === 'lost') {
    return [{ kind: connection.kind, lastContactAt: connection.lastContactAt }];
  }
  if (connection.kind !== 'connected') return [{ kind: 'connecting' }];
  return isStopped ? [{ kind: 'paused' }] : [];
}

/** Locks with nodes that may not be read: who owns these is not known, so neither is all of who waits for whom. */
export function partlyUnread({ locks }: ClusterNode): number {
  return [...locks.values()].filter(
    ({ queue, isBehind }) => isBehind !== true && queue?.hazards.some(({ kind }) => kind === 'unreadable') === true,
  ).length;
}

import { ClusterRankings } from '../app/blockers/rankedCluster.ts';
import { QueueMarks } from '../app/clusters/queueMarks.ts';
import { openSession } from '../app/security/openSession.ts';
import { findLocks } from '../inspector/findLocks.ts';
import { readQueues } from '../inspector/readQueues.ts';
import { watchQueues } from '../inspector/watchQueues.ts';
import { BlockersView } from './views/blockersView.ts';

/**
 * What a first connection and its rows need, apart from the commands: the first rows need not wait for `onDemand.ts`. The view
 * Blockers is open by default, so VS Code asks for its rows as soon as a cluster is connected.
 */
export const firstLook = {
  BlockersView,
  ClusterRankings,
  findLocks,
  openSession,
  QueueMarks,
  readQueues,
  watchQueues,
};

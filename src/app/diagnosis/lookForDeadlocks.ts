import { findDeadlocks, type DeadlockReport } from '../../inspector/findDeadlocks.ts';
import {
  findMutualWaits,
  findReadersBehindWriters,
  suspectMutualWaits,
  type MutualWait,
  type ReadersBehindWriters,
} from '../../inspector/queueRisks.ts';
import type { WaitEdge } from '../../inspector/waitForGraph.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterBrowser } from '../clusters/clusterBrowser.ts';
import type { SeenCycle } from '../clusters/cycleAges.ts';
import { loadAllLocks, type LoadedLocks, type LoadProgress } from '../clusters/loadAllLocks.ts';
import { loadedQueues } from '../clusters/queueMarks.ts';
import { gatherOwnersAndWatches } from '../owners/gatherFacts.ts';
import type { DiagnosisOptions } from './explainNow.ts';

/** What a scan for deadlocks found. */
export interface DeadlockLook {
  /** Epoch ms; of a recording, its moment. */
  readAt: number;
  queues: readonly LockQueue[];
  report: DeadlockReport;
  /** How long a cycle has been seen. */
  cycleOf(edges: readonly WaitEdge[]): SeenCycle;
  mutualWaits: readonly MutualWait[];
  behindWriters: readonly ReadersBehindWriters[];
  /** How much of the cluster was read. */
  loaded: LoadedLocks;
}

/**
 * Reads every lock below the lock roots and looks for cycles of waits.
 *
 * @throws CancelledError; what reading throws
 */
export async function lookForDeadlocks(
  browser: Pick<ClusterBrowser, 'node' | 'findBelowRoots' | 'refresh'>,
  client: ZooKeeperClient,
  { ownerQuery, marks, signal, onProgress }: DiagnosisOptions & { onProgress: (progress: LoadProgress) => void },
): Promise<DeadlockLook> {
  const { node } = browser;
  const loaded = await loadAllLocks(browser, signal, onProgress);
  const queues = loadedQueues(node);
  let mutualWaits: MutualWait[] = [];
  // Only watches distinguish a mutual wait from a healthy queue; servers are asked only where one is possible.
  if (suspectMutualWaits(queues).length > 0) {
    const { watches } = await gatherOwnersAndWatches(node, client, ownerQuery, signal);
    if (signal.aborted) throw new CancelledError('Explain Deadlocks');
    if (watches !== undefined) mutualWaits = findMutualWaits(queues, watches);
  }
  return {
    readAt: node.time?.moment.time ?? Date.now(),
    queues,
    report: findDeadlocks(queues),
    cycleOf: edges => marks.cycleOf(node, edges),
    mutualWaits,
    behindWriters: findReadersBehindWriters(queues),
    loaded,
  };
}

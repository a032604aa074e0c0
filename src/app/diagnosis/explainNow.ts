import { explainLock, type LockExplanation } from '../../inspector/explainLock.ts';
import { findDeadlocks } from '../../inspector/findDeadlocks.ts';
import { readQueues } from '../../inspector/readQueues.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import { serverTime, type LockNode } from '../clusters/clusterModel.ts';
import type { CycleSource } from '../clusters/marks.ts';
import { rowName } from '../clusters/lockCatalogue.ts';
import { loadedQueues } from '../clusters/queueMarks.ts';
import { gatherOwners, gatherOwnersAndWatches, type OwnerQueryOptions } from '../owners/gatherFacts.ts';

/** What questions about waits are asked with. */
export interface DiagnosisOptions {
  ownerQuery: OwnerQueryOptions;
  marks: CycleSource;
  signal: AbortSignal;
}

/**
 * The queue of a row as it is now; a lock without contenders is an empty queue. The row of a whole directory has the first, in
 * whichever directory that is.
 */
function queueOf(queues: readonly LockQueue[], { path, lockName, dialect }: LockNode): LockQueue {
  const same = queues.find(queue => rowName(path, queue) === lockName);
  const found = same ?? (lockName === undefined ? queues[0] : undefined);
  return found ?? { path, dialect, contenders: [], strangers: [], hazards: [] };
}

/** How one lock is explained. */
export interface ExplainOptions extends DiagnosisOptions {
  /** Whether servers are asked for watches, which may be expensive for them; default: yes. */
  asksWatches?: boolean;
}

/**
 * Everything known of one lock: it is read, the servers are asked, and it is read once more, since what they say counts for
 * contenders that stayed as they were.
 *
 * @throws CancelledError; what reading throws
 */
export async function explainNow(
  client: ZooKeeperClient,
  lock: LockNode,
  { ownerQuery, marks, signal, asksWatches = true }: ExplainOptions,
): Promise<LockExplanation> {
  const { cluster, path } = lock;
  const readAt = Date.now();
  const queue = queueOf(cluster.sightings.narrow(await readQueues(client, path, { signal })), lock);
  const facts = asksWatches
    ? await gatherOwnersAndWatches(cluster, client, ownerQuery, signal)
    : { owners: await gatherOwners(cluster, client, ownerQuery, signal) };
  const later = (await readQueues(client, path, { signal })).flatMap(({ contenders }) => contenders);
  if (signal.aborted) throw new CancelledError('Explain Lock');
  const others = loadedQueues(cluster).filter(each => each.path !== queue.path);
  return explainLock(queue, {
    ...facts,
    later,
    deadlocks: findDeadlocks([queue, ...others]),
    isLasting: edges => marks.cycleOf(cluster, edges).isLasting,
    cluster: cluster.profile.name,
    readAt,
    now: serverTime(lock, Date.now()),
  });
}

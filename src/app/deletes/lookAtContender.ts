import { escapeUnseen } from '../../base/displayText.ts';
import { lastSegment, parentPath } from '../../base/paths.ts';
import { deleteConsequences, type DeleteConsequences } from '../../inspector/deleteConsequences.ts';
import type { DeleteTarget } from '../../inspector/forceDelete.ts';
import type { OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import { readQueues } from '../../inspector/readQueues.ts';
import { RefusedDelete } from '../../inspector/refusedDelete.ts';
import { queueByWatches } from '../../inspector/queueByWatches.ts';
import { downgradedReaders, WaitWatches, withHolders } from '../../inspector/waitWatches.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { isZooKeeperError } from '../../zookeeper/errors.ts';
import type { ContenderNode } from '../clusters/clusterModel.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import { gatherOwnersAndWatches, type OwnerQueryOptions } from '../owners/gatherFacts.ts';

/** The node as it is now with the consequences of its delete; or why there is nothing to delete. */
export type ContenderLook =
  { kind: 'found'; target: DeleteTarget; consequences: DeleteConsequences } | { kind: 'already gone' | 'changed' };

/**
 * Reads the queue, the parent and the owner of a contender, since its row may be out of date.
 *
 * @param options.isOwn the node belongs to a test lock of this window
 * @param options.now epoch ms of the server's clock
 * @throws RefusedDelete if the node may not be read; what reading throws. Owner facts that cannot be read are left out
 */
export async function lookAtContender(
  client: ZooKeeperClient,
  { lock, contender }: ContenderNode,
  options: { ownerQuery: OwnerQueryOptions; isOwn: boolean; now: number; signal?: AbortSignal },
): Promise<ContenderLook> {
  const { signal, ownerQuery, isOwn, now } = options;
  const { path } = contender;
  const queuesReadAt = Date.now();
  const [queues, parentCzxid] = await Promise.all([
    readQueues(client, lock.path, signal && { signal }),
    czxidOf(client, parentPath(path)),
  ]);
  const seen = lock.cluster.sightings.narrow(queues);
  const queue = seen.find(({ contenders }) => contenders.some(each => each.path === path));
  const present = queue?.contenders.find(each => each.path === path);
  if (queue === undefined || present === undefined) return { kind: 'already gone' };
  if (present.isUnread === true) throw new RefusedDelete('unreadable', path);
  if (present.czxid !== contender.czxid) return { kind: 'changed' };
  // After the queue: a session that began in between would look dead.
  const facts = await gatherOwnersAndWatches(lock.cluster.profile, client, ownerQuery, signal);
  const watches = WaitWatches.from({ ...facts, queuesReadAt, now });
  const known = queueByWatches(queue, watches);
  const ownSessions = new Set(isOwn ? [present.ownerSession] : []);
  const consequences = deleteConsequences(withHolders(known, downgradedReaders(known, watches)), path, {
    now,
    ...facts,
    ownSessions,
  });
  if (consequences === undefined) return { kind: 'already gone' };
  const target: DeleteTarget = { path, czxid: present.czxid, ownerSession: present.ownerSession };
  if (parentCzxid !== undefined) target.parentCzxid = parentCzxid;
  return { kind: 'found', target, consequences };
}

/** @returns the czxid; `undefined` if it may not be read, and then it is not compared */
async function czxidOf(client: ZooKeeperClient, path: string): Promise<bigint | undefined> {
  try {
    return (await client.exists(path))?.czxid;
  } catch (error) {
    if (isZooKeeperError(error, 'NO_AUTH')) return undefined;
    throw error;
  }
}

/** Whether the owner of a node may be alive: one that is not known to be dead counts as alive, and so does one that no session shows. */
export function mayLive({ alive }: OwnerStatus): boolean {
  return alive !== 'no';
}

/** Whether a click is not enough to confirm: on production, and for owners that may be alive, a name must be typed. */
export function mustTypeName(
  { environment }: Pick<ClusterProfile, 'environment'>,
  owners: readonly OwnerStatus[],
): boolean {
  return environment === 'production' || owners.some(mayLive);
}

/** What to type: the lock's own name as the tree shows it, so that unseen characters can be typed as their codes. */
export function nameToType({ path, lockName }: DeleteConsequences['lock']): string {
  return escapeUnseen(lockName ?? lastSegment(path)).trim();
}

import { defaultMaxLength, escapeUnseen } from '../../base/displayText.ts';
import { lastSegment, parentPath } from '../../base/paths.ts';
import { deleteConsequences, type DeleteConsequences } from '../../inspector/deleteConsequences.ts';
import type { Contender } from '../../locks/lockQueue.ts';
import type { DeleteTarget } from '../../inspector/forceDelete.ts';
import type { OwnerStatus } from '../../inspector/owners/ownerFacts.ts';
import { readQueues } from '../../inspector/readQueues.ts';
import { RefusedDelete } from '../../inspector/refusedDelete.ts';
import { queueByWatches } from '../../inspector/queueByWatches.ts';
import { downgradedReaders, WaitWatches, withHolders } from '../../inspector/waitWatches.ts';
import type { Stat, ZooKeeperClient } from '../../zookeeper/client.ts';
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
 * @throws RefusedDelete if the node has children or may not be read; what reading throws. Owner facts that cannot be read are left out
 */
export async function lookAtContender(
  client: ZooKeeperClient,
  { lock, contender }: ContenderNode,
  options: { ownerQuery: OwnerQueryOptions; isOwn: boolean; now: number; signal?: AbortSignal },
): Promise<ContenderLook> {
  const { signal, ownerQuery, isOwn, now } = options;
  const { path } = contender;
  const queuesReadAt = Date.now();
  const [queues, parent, node] = await Promise.all([
    readQueues(client, lock.path, signal && { signal }),
    statOf(client, parentPath(path)),
    statOf(client, path),
  ]);
  const seen = lock.cluster.sightings.narrow(queues);
  const queue = seen.find(({ contenders }) => contenders.some(each => each.path === path));
  const present = queue?.contenders.find(each => each.path === path);
  if (queue === undefined || present === undefined) return { kind: 'already gone' };
  if (present.isUnread !== true && present.czxid !== contender.czxid) return { kind: 'changed' };
  refuseUndeletable(present, node);
  // After the queue: a session that began in between would look dead.
  const facts = await gatherOwnersAndWatches(lock.cluster, client, ownerQuery, signal);
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
  if (parent !== undefined) target.parentCzxid = parent.czxid;
  return { kind: 'found', target, consequences };
}

/** What would be refused after the question is refused before it. @throws RefusedDelete */
function refuseUndeletable({ path, isUnread }: Contender, stat: Stat | undefined): void {
  if (isUnread === true) throw new RefusedDelete('unreadable', path);
  if (stat !== undefined && stat.numChildren > 0) throw new RefusedDelete('has-children', path);
}

/** @returns `undefined` if the node is gone, or if its stat may not be read, and then nothing is compared with it */
async function statOf(client: ZooKeeperClient, path: string): Promise<Stat | undefined> {
  try {
    return await client.exists(path);
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

/** The name of a lock: its own, or that of its directory. */
export function nameOf({ path, lockName }: DeleteConsequences['lock']): string {
  return lockName ?? lastSegment(path);
}

/** What is typed to confirm a delete. */
export interface TypedName {
  text: string;
  /** `end`: the last characters of a name that is too long to be typed, or to be shown whole. */
  part: 'whole' | 'end';
}

/** @param name of the lock or cluster, foreign text: unseen characters are typed as their codes, as the tree shows them */
export function nameToType(name: string): TypedName {
  const shown = escapeUnseen(name).trim();
  if (shown.length <= defaultMaxLength) return { text: shown, part: 'whole' };
  return { text: Array.from(shown).slice(-typedEnd).join('').trim(), part: 'end' };
}

const typedEnd = 10;

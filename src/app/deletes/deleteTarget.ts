import { RefusedDelete } from '../../inspector/refusedDelete.ts';
import { guardPath } from '../../inspector/deleteGuards.ts';
import { deleteConsequences, type DeleteConsequences } from '../../inspector/deleteConsequences.ts';
import type { DeleteTarget } from '../../inspector/forceDelete.ts';
import { readQueues } from '../../inspector/readQueues.ts';
import { parentPath } from '../../base/paths.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { isZooKeeperError } from '../../zookeeper/errors.ts';
import type { ClusterProfile } from '../clusters/clusterProfile.ts';
import type { ContenderNode } from '../clusters/clusterModel.ts';
import { chrootOf, gatherOwners, type AskMeans } from '../owners/gatherFacts.ts';

/** Refuses before anything is asked or read. @throws RefusedDelete */
export function refuseGuarded(profile: ClusterProfile, path: string): void {
  const reason = guardPath(path, guardsOf(profile));
  if (reason !== undefined) throw new RefusedDelete(reason, path);
}

export function guardsOf(profile: ClusterProfile): { chroot: string; readOnly: boolean } {
  return { chroot: chrootOf(profile), readOnly: profile.readOnly === true };
}

/** The node as it is now, with everything that a person should know before it goes; or why there is nothing to ask. */
export type FreshTarget =
  { kind: 'found'; target: DeleteTarget; consequences: DeleteConsequences } | { kind: 'already gone' | 'changed' };

export interface FreshOptions {
  means: AskMeans;
  /** Whether the node belongs to a test lock of this window. */
  isOwn: boolean;
  /** Epoch ms. */
  now: number;
  signal?: AbortSignal;
}

/**
 * Reads queue, parent and owner anew: the row may be old.
 *
 * @throws what reading throws; the owner's facts never fail, they are only missing
 */
export async function readFresh(
  client: ZooKeeperClient,
  { lock, contender }: ContenderNode,
  options: FreshOptions,
): Promise<FreshTarget> {
  const { signal, means, isOwn, now } = options;
  const [queues, parent] = await Promise.all([
    readQueues(client, lock.path, signal && { signal }),
    statOf(client, parentPath(contender.path)),
  ]);
  const { path } = contender;
  const queue = queues.find(({ contenders }) => contenders.some(each => each.path === path));
  const present = queue?.contenders.find(each => each.path === path);
  if (queue === undefined || present === undefined) return { kind: 'already gone' };
  if (present.czxid !== contender.czxid) return { kind: 'changed' };
  // After the queue: a session that began in between would look dead.
  const owners = await gatherOwners(lock.cluster.profile, client, means, signal);
  const ownSessions = new Set(isOwn ? [present.ownerSession] : []);
  const consequences = deleteConsequences(queue, path, { now, owners, ownSessions });
  if (consequences === undefined) return { kind: 'already gone' };
  const target: DeleteTarget = { path, czxid: present.czxid, ownerSession: present.ownerSession };
  if (parent !== undefined) target.parentCzxid = parent;
  return { kind: 'found', target, consequences };
}

/** @returns the czxid; `undefined` if it may not be read, and then it is not compared */
async function statOf(client: ZooKeeperClient, path: string): Promise<bigint | undefined> {
  try {
    return (await client.exists(path))?.czxid;
  } catch (error) {
    if (isZooKeeperError(error, 'NO_AUTH')) return undefined;
    throw error;
  }
}

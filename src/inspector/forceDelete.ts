import { parentPath } from '../base/paths.ts';
import type { ChildNode } from '../locks/lockDirectory.ts';
import type { Contender } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { requireDeletable, type GuardOptions } from './deleteGuards.ts';
import { readNodes, requestFor, type NodeReading } from './readNodes.ts';
import { readQueues } from './readQueues.ts';
import { RefusedDelete } from './refusedDelete.ts';
import { removeNode, type DeleteOutcome, type Removal } from './removeNode.ts';

/** The node that the user saw. Every field that is given is compared with the tree right before the delete. */
export interface DeleteTarget {
  path: string;
  /** Distinguishes the node from any other that may have its name now. */
  czxid: bigint;
  /** 0n: it was not ephemeral. */
  ownerSession?: bigint;
  parentCzxid?: bigint;
}

/** How a delete is carried out. */
export interface DeleteOptions extends GuardOptions {
  signal?: AbortSignal;
  /** How long to look for the outcome after a lost reply, ms; default 15,000. */
  resolveWithinMs?: number;
}

/** The fields of a contender that prove the node to be part of a lock. */
export type RecognisedNode = Pick<Contender, 'path' | 'czxid'>;

/**
 * Deletes the node of a contender, and only that node: guarded paths and nodes that are no contender are refused, the node is
 * read again and compared, and it is removed with the version just read. A lost reply is resolved by reading; the delete is
 * never repeated. Reads one queue, and a second one only for a lock that is a single node.
 *
 * ZooKeeper has no conditional delete by czxid. What remains is the round trip between reading and deleting, and only where
 * the same name is created again within it: a fixed name, or the whole parent.
 *
 * @throws RefusedDelete if it must not be deleted or the server refused; NotConnectedError if nothing was sent;
 *   ZooKeeperError, ReplyLostError or CancelledError if reading before it failed
 */
export async function forceDelete(
  client: ZooKeeperClient,
  target: DeleteTarget,
  options: DeleteOptions = {},
): Promise<DeleteOutcome> {
  requireDeletable(target.path, options);
  const recognised = await findContender(client, target.path, options.signal);
  return (await deleteRecognised(client, target, recognised, options)).outcome;
}

/**
 * As `forceDelete`, for a node that was found in a queue before: no queue is read. The node and its parent are read again in one
 * request right before the delete.
 *
 * @param recognised the contender as it was read; a target with another path or czxid is refused
 */
export async function deleteRecognised(
  client: ZooKeeperClient,
  target: DeleteTarget,
  recognised: RecognisedNode | undefined,
  options: DeleteOptions = {},
): Promise<Removal> {
  const { path } = target;
  requireDeletable(path, options);
  const { node, parent } = await readWithParent(client, path, options.signal);
  if (node === 'unreadable') throw new RefusedDelete('unreadable', path);
  if (node === 'gone') return { outcome: 'already gone' };
  if (!isSame(target, node, parent)) return { outcome: 'changed' };
  if (recognised?.path !== path || recognised.czxid !== node.czxid) throw new RefusedDelete('not-a-contender', path);
  if (node.numChildren > 0) throw new RefusedDelete('has-children', path);
  return removeNode(client, { path, czxid: node.czxid, version: node.version }, 'has-children', options);
}

/** A contender is in a queue of its parent, or is itself the lock. */
async function findContender(
  client: ZooKeeperClient,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Contender | undefined> {
  for (const directory of [parentPath(path), path]) {
    const queues = await readQueues(client, directory, signal && { signal }).catch((error: unknown) => {
      // A directory that may not be listed has no recognisable contenders; the node itself may still be a lock.
      if (isZooKeeperError(error, 'NO_AUTH')) return [];
      throw error;
    });
    const contender = queues.flatMap(({ contenders }) => contenders).find(each => each.path === path);
    if (contender !== undefined) return contender;
  }
  return undefined;
}

/** @throws RefusedDelete `unreadable` if the parent must be compared and cannot be */
function isSame(target: DeleteTarget, node: ChildNode, parent: NodeReading): boolean {
  if (node.czxid !== target.czxid) return false;
  if (target.ownerSession !== undefined && node.ephemeralOwner !== target.ownerSession) return false;
  if (target.parentCzxid === undefined) return true;
  if (parent === 'unreadable') throw new RefusedDelete('unreadable', target.path);
  return parent !== 'gone' && parent.czxid === target.parentCzxid;
}

/** Reads a node and its parent in one request, after a `sync` in the same flush: the answer is not older than the call. */
async function readWithParent(
  client: ZooKeeperClient,
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ node: NodeReading; parent: NodeReading }> {
  const both = [path, parentPath(path)].map(requestFor);
  const [, [node = 'gone', parent = 'gone']] = await Promise.all([client.sync(path), readNodes(client, both, signal)]);
  return { node, parent };
}

import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import { parentPath } from '../base/paths.ts';
import type { Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { requireDeletable, type GuardOptions } from './deleteGuards.ts';
import { readQueues } from './readQueues.ts';
import { readTarget, type StatReading } from './readTarget.ts';
import { RefusedDelete } from './refusedDelete.ts';
import { removal, removeNode, type DeleteOutcome, type Removal } from './removeNode.ts';

/** The node that a person looked at. Everything given is compared with what is there right before the delete. */
export interface DeleteTarget {
  path: string;
  /** Its creation: tells it from any other node that may have the name now. */
  czxid: bigint;
  /** 0n: it was not ephemeral. */
  ownerSession?: bigint;
  parentCzxid?: bigint;
}

/** How a delete is carried out. */
export interface DeleteOptions extends GuardOptions {
  signal?: AbortSignal;
  /** How long an unclear outcome is looked into, ms; default 15,000. */
  resolveWithinMs?: number;
  /**
   * Writes the node's own data back first: the answer proves which node it is, and raises the version that the delete then asks
   * for, so that not even a node that takes over a fixed name within the last round trip can be hit. Needs WRITE on the node,
   * wakes whoever watches it, and would give a node that took the name over in that moment the old data
   * (docs/faults.md, 4.7). Names with sequence numbers do not need it: none comes back while the parent lives. Default
   * false.
   */
  claim?: boolean;
}

/** What became of a delete, for the report and the audit list. */
export interface DeleteReport extends Removal {
  path: string;
  /** The node as it was right before; absent if it was gone. */
  seen?: { czxid: bigint; ownerSession: bigint; version: number };
  /** The queue and the contender that it was recognised as; absent if it was gone or changed. */
  contender?: Contender;
  queue?: LockQueue;
}

/**
 * Deletes the node of a contender, and only that one: guarded paths and whatever is no contender are refused, the node is read
 * again and compared, and it is removed with the version just read. A lost reply is resolved by reading, never by repeating.
 *
 * There is no conditional delete by czxid in ZooKeeper: what remains is the one round trip between reading and deleting, and
 * only where a fixed name, or the whole parent, is made anew within it (`DeleteOptions.claim` closes it for fixed names).
 *
 * @throws RefusedDelete if it must not be deleted or the server refused; NotConnectedError if nothing was sent;
 *   ZooKeeperError, ReplyLostError or CancelledError if reading before it failed
 */
export async function forceDelete(
  client: ZooKeeperClient,
  target: DeleteTarget,
  options: DeleteOptions = {},
): Promise<DeleteOutcome> {
  return (await deleteContender(client, target, options)).outcome;
}

/** As `forceDelete`, and tells what was found. */
export async function deleteContender(
  client: ZooKeeperClient,
  target: DeleteTarget,
  options: DeleteOptions = {},
): Promise<DeleteReport> {
  const { path } = target;
  requireDeletable(path, options);
  const recognised = await recognise(client, path, options.signal);
  const { node, parent } = await readTarget(client, path, options.signal);
  if (node === 'unreadable') throw new RefusedDelete('unreadable', path);
  if (node === 'gone') return { path, ...removal('already gone') };
  const seen = { czxid: node.czxid, ownerSession: node.ephemeralOwner, version: node.version };
  if (!isSame(target, node, parent)) return { path, seen, ...removal('changed') };
  if (recognised?.contender.czxid !== node.czxid) throw new RefusedDelete('not-a-contender', path);
  if (node.numChildren > 0) throw new RefusedDelete('has-children', path);
  return { path, seen, ...recognised, ...(await removeCompared(client, path, node, options)) };
}

async function removeCompared(
  client: ZooKeeperClient,
  path: string,
  node: Stat,
  options: DeleteOptions,
): Promise<Removal> {
  const { czxid } = node;
  const version = options.claim === true ? await claim(client, path, czxid) : node.version;
  if (version === undefined) return removal('changed');
  return removeNode(client, { path, czxid, version }, 'has-children', {
    ...(options.signal && { signal: options.signal }),
    ...(options.resolveWithinMs !== undefined && { withinMs: options.resolveWithinMs }),
  });
}

/** A contender stands in a queue of its parent, or is itself the lock. */
async function recognise(
  client: ZooKeeperClient,
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ queue: LockQueue; contender: Contender } | undefined> {
  for (const directory of [parentPath(path), path]) {
    for (const queue of await queuesOrNone(client, directory, signal)) {
      const contender = queue.contenders.find(each => each.path === path);
      if (contender !== undefined) return { queue, contender };
    }
  }
  return undefined;
}

async function queuesOrNone(
  client: ZooKeeperClient,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<LockQueue[]> {
  try {
    return await readQueues(client, directory, signal && { signal });
  } catch (error) {
    // What may not be listed has no recognisable contenders; the node itself may still be a lock.
    if (isZooKeeperError(error, 'NO_AUTH')) return [];
    throw error;
  }
}

/** @throws RefusedDelete `unreadable` if the parent must be compared and cannot be */
function isSame(target: DeleteTarget, node: Stat, parent: StatReading): boolean {
  if (node.czxid !== target.czxid) return false;
  if (target.ownerSession !== undefined && node.ephemeralOwner !== target.ownerSession) return false;
  if (target.parentCzxid === undefined) return true;
  if (parent === 'unreadable') throw new RefusedDelete('unreadable', target.path);
  return parent !== 'gone' && parent.czxid === target.parentCzxid;
}

/** @returns the version to delete with; `undefined` if it is another node now */
async function claim(client: ZooKeeperClient, path: string, czxid: bigint): Promise<number | undefined> {
  try {
    const { data, stat } = await client.getData(path);
    if (stat.czxid !== czxid) return undefined;
    const claimed = await client.setData(path, data, stat.version);
    return claimed.czxid === czxid ? claimed.version : undefined;
  } catch (error) {
    if (isZooKeeperError(error, 'NO_NODE') || isZooKeeperError(error, 'BAD_VERSION')) return undefined;
    throw error;
  }
}

import { isMembershipDirectory } from '../locks/libraries/notLocks.ts';
import { textOf } from '../locks/nodeData.ts';
import type { Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { requireDeletable, type GuardOptions } from './deleteGuards.ts';
import { RefusedDelete } from './refusedDelete.ts';
import { removal, removeNode, type DeleteOutcome } from './removeNode.ts';

/** How an empty directory is removed. */
export interface RemoveEmptyOptions extends GuardOptions {
  signal?: AbortSignal;
  resolveWithinMs?: number;
  /** Of the directory that was looked at. */
  czxid?: bigint;
}

/**
 * Removes a lock directory that is empty at this moment. A contender that comes in between wins: the server refuses (NOT_EMPTY)
 * and its lock stays. An empty node cannot be recognised by names, so its past must speak: it is not ephemeral, it once had
 * children, it holds no content of its own (a semaphore's limit aside), and it is no list of members.
 *
 * @throws RefusedDelete; NotConnectedError if nothing was sent; ZooKeeperError or ReplyLostError if reading failed
 */
export async function removeEmptyLock(
  client: ZooKeeperClient,
  path: string,
  options: RemoveEmptyOptions = {},
): Promise<DeleteOutcome> {
  requireDeletable(path, options);
  const node = await read(client, path);
  if (node === undefined) return removal('already gone').outcome;
  const { stat, data } = node;
  if (options.czxid !== undefined && stat.czxid !== options.czxid) return removal('changed').outcome;
  if (stat.numChildren > 0) throw new RefusedDelete('not-empty', path);
  if (!wasLockDirectory(path, stat, data)) throw new RefusedDelete('not-a-lock-directory', path);
  const { czxid, version } = stat;
  const removed = await removeNode(client, { path, czxid, version }, 'not-empty', {
    ...(options.signal && { signal: options.signal }),
    ...(options.resolveWithinMs !== undefined && { withinMs: options.resolveWithinMs }),
  });
  return removed.outcome;
}

/** Whether an empty node may have been a lock, as `removeEmptyLock` judges it. */
export function wasLockDirectory(path: string, stat: Stat, data: Uint8Array): boolean {
  if (stat.ephemeralOwner !== 0n || isMembershipDirectory(path)) return false;
  // Creating and deleting a child each raise it: 0 means that there never was one (docs/dialects.md, 0.1).
  if (stat.cversion === 0) return false;
  return data.length === 0 || /^\d{1,9}$/.test(textOf(data));
}

async function read(client: ZooKeeperClient, path: string): Promise<{ data: Uint8Array; stat: Stat } | undefined> {
  try {
    const [, node] = await Promise.all([client.sync(path), client.getData(path)]);
    return node;
  } catch (error) {
    if (isZooKeeperError(error, 'NO_NODE')) return undefined;
    if (isZooKeeperError(error, 'NO_AUTH')) throw new RefusedDelete('unreadable', path);
    throw error;
  }
}

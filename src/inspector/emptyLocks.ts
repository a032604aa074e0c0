import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import { matchName } from '../locks/libraries/registry.ts';
import { isMembershipDirectory } from '../locks/libraries/notLocks.ts';
import { textOf } from '../locks/nodeData.ts';
import type { ReadResult, Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { requireDeletable } from './deleteGuards.ts';
import type { DeleteOptions } from './forceDelete.ts';
import { RefusedDelete } from './refusedDelete.ts';
import { removeNode, type Removal } from './removeNode.ts';

/** An empty directory that probably was a lock. */
export interface EmptyLock {
  path: string;
  czxid: bigint;
  /** Epoch ms of the server's clock. */
  createdAt: number;
}

/**
 * Finds lock directories that are empty now, next to locks that are in use (`wasLockDirectory` decides). Nodes that may not be
 * read are left out.
 *
 * @param parents directories that hold lock directories, for example the parents of what `findLocks` found
 * @throws NotConnectedError, ReplyLostError or CancelledError if reading fails
 */
export async function findEmptyLocks(
  client: ZooKeeperClient,
  parents: readonly string[],
  signal?: AbortSignal,
): Promise<EmptyLock[]> {
  const options = signal && { signal };
  const lists = await client.readMany(
    [...new Set(parents)].map(path => ({ op: 'getChildren', path })),
    options,
  );
  const paths = lists.flatMap(childrenOf).filter(path => path.slice(1).includes('/') && !isContender(path));
  const nodes = await client.readMany(
    paths.map(path => ({ op: 'getData', path })),
    options,
  );
  return nodes.flatMap(emptyLock);
}

function childrenOf(result: ReadResult): string[] {
  return result.op === 'getChildren' ? result.children.map(name => childPath(result.path, name)) : [];
}

function isContender(path: string): boolean {
  return matchName(lastSegment(path), { directoryPath: parentPath(path) }) !== undefined;
}

function emptyLock(result: ReadResult): EmptyLock[] {
  if (result.op !== 'getData' || result.stat.numChildren > 0) return [];
  if (!wasLockDirectory(result.path, result.stat, result.data)) return [];
  return [{ path: result.path, czxid: result.stat.czxid, createdAt: result.stat.ctime }];
}

/**
 * Whether an empty node may have been a lock directory: it is not ephemeral, once had children, has no data but perhaps a
 * semaphore's limit, and is no list of members.
 */
function wasLockDirectory(path: string, stat: Stat, data: Uint8Array): boolean {
  if (stat.ephemeralOwner !== 0n || isMembershipDirectory(path)) return false;
  // Creating and deleting a child each raise it: 0 means that there never was one (docs/dialects.md, 0.1).
  if (stat.cversion === 0) return false;
  return data.length === 0 || /^\d{1,9}$/.test(textOf(data));
}

/**
 * Removes a lock directory that is empty at this moment (`wasLockDirectory` decides). A contender that joins in between wins:
 * the server refuses (NOT_EMPTY) and its lock stays.
 *
 * @param target with the czxid of the directory that was seen
 * @throws RefusedDelete; NotConnectedError if nothing was sent; ZooKeeperError or ReplyLostError if reading failed
 */
export async function removeEmptyLock(
  client: ZooKeeperClient,
  { path, czxid }: { path: string; czxid?: bigint },
  options: DeleteOptions = {},
): Promise<Removal> {
  requireDeletable(path, options);
  const node = await read(client, path);
  if (node === undefined) return { outcome: 'already gone' };
  const { stat, data } = node;
  if (czxid !== undefined && stat.czxid !== czxid) return { outcome: 'changed' };
  if (stat.numChildren > 0) throw new RefusedDelete('not-empty', path);
  if (!wasLockDirectory(path, stat, data)) throw new RefusedDelete('not-a-lock-directory', path);
  return removeNode(client, { path, czxid: stat.czxid, version: stat.version }, 'not-empty', options);
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

import { matchName } from '../locks/libraries/registry.ts';
import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import type { ReadResult, ZooKeeperClient } from '../zookeeper/client.ts';
import { wasLockDirectory } from './removeEmptyLock.ts';

/** A directory that a lock left behind, as far as an empty node can tell. */
export interface EmptyLock {
  path: string;
  czxid: bigint;
  /** Epoch ms of the server's clock. */
  createdAt: number;
}

/**
 * Finds lock directories that are empty now, next to locks that are in use: an empty node says nothing of itself, so its
 * neighbours and its past must (`wasLockDirectory`). What may not be read is passed over.
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

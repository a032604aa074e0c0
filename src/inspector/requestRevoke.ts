import { isCuratorMutexName } from '../locks/libraries/curator.ts';
import type { Contender, LockQueue } from '../locks/lockQueue.ts';
import { textOf } from '../locks/nodeData.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, OutcomeUnknownError } from '../zookeeper/errors.ts';
import { guardPath, type GuardOptions } from './deleteGuards.ts';
import type { WatchFacts } from './owners/readWatchers.ts';
import { RefusedRevoke } from './refusedDelete.ts';

/** Whether the owner of a node listens for a request to release the lock. */
export type Listening = 'yes' | 'maybe' | 'no';

/**
 * Whether the owner listens for Curator's revoke request (docs/dialects.md, section 1). Only InterProcessMutex can; one that
 * does has an empty node, and its session watches that node.
 *
 * @param watches if every server listed them, the answer is certain; without them an empty node means `maybe`, since a mutex
 *   can also be created with empty data
 */
export function listensForRevoke(queue: LockQueue, contender: Contender, watches?: WatchFacts): Listening {
  if (queue.dialect !== 'curator' || !isCuratorMutexName(contender.name) || contender.ownerSession === 0n) return 'no';
  if (contender.identifier !== '') return 'no';
  if (watches?.watchers.get(contender.path)?.has(contender.ownerSession) === true) return 'yes';
  return watches?.isComplete === true ? 'no' : 'maybe';
}

/** `requested`: it is written; the queue shows whether the holder obeys. `unknown`: the reply was lost. */
export type RevokeOutcome = 'requested' | 'already requested' | 'already gone' | 'changed' | 'unknown';

const request = '__REVOKE__';

/**
 * Asks the owner of a Curator mutex to release it (Curator's Revoker): writes `__REVOKE__` into its node, with the version just
 * read. Nodes with data are left alone: their owners do not listen, and the data identify them.
 *
 * @param listening of the contender with that path and czxid, as `listensForRevoke` found it
 * @throws RefusedRevoke; NotConnectedError if nothing was sent; ZooKeeperError (NO_AUTH: WRITE on the node is missing)
 */
export async function requestRevoke(
  client: ZooKeeperClient,
  { path, czxid }: { path: string; czxid: bigint },
  listening: Listening,
  options: GuardOptions = {},
): Promise<RevokeOutcome> {
  const reason = guardPath(path, options);
  if (reason !== undefined) throw new RefusedRevoke(reason, path);
  try {
    return await writeRequest(client, { path, czxid }, listening);
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return 'unknown';
    if (isZooKeeperError(error, 'NO_NODE')) return 'already gone';
    if (isZooKeeperError(error, 'BAD_VERSION')) return 'changed';
    throw error;
  }
}

async function writeRequest(
  client: ZooKeeperClient,
  { path, czxid }: { path: string; czxid: bigint },
  listening: Listening,
): Promise<RevokeOutcome> {
  const [, { data, stat }] = await Promise.all([client.sync(path), client.getData(path)]);
  if (stat.czxid !== czxid) return 'changed';
  if (textOf(data) === request) return 'already requested';
  if (listening === 'no' || data.length > 0) throw new RefusedRevoke('does-not-listen', path);
  await client.setData(path, new TextEncoder().encode(request), stat.version);
  return 'requested';
}

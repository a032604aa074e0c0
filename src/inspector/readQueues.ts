import type { LockQueue } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { assembleQueues } from './assembleQueues.ts';
import { readDirectory } from './readDirectory.ts';

/** How a snapshot is read. */
export interface ReadQueuesOptions {
  signal?: AbortSignal;
}

/**
 * Reads who holds and who waits at `lockPath`, in bulk: one request for the list and a few for the nodes, however long the
 * queue is.
 *
 * A directory may hold several locks, or none; a path that does not exist holds none. A path that is itself the lock (an
 * ephemeral node such as `/controller`) gives its own queue. Children that vanish while it reads are simply gone, and no
 * waiter is shown as a holder because of them (`readDirectory` says how). Children that may not be read stay as strangers
 * under the hazard `unreadable`.
 *
 * @throws ZooKeeperError NO_AUTH if the children of `lockPath` may not be listed; NotConnectedError or ReplyLostError if
 *   the connection fails; CancelledError once `signal` is aborted
 */
export async function readQueues(
  client: ZooKeeperClient,
  lockPath: string,
  options: ReadQueuesOptions = {},
): Promise<LockQueue[]> {
  const reading = await readDirectory(client, lockPath, options.signal);
  return reading === undefined ? [] : assembleQueues(reading);
}

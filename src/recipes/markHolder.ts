import type { Stat, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { RemovedFromQueue, withNodesLeft } from './errors.ts';
import { cleanUpOwnNode, type OwnNode } from './ownNode.ts';

/** What stands in the node of a lease that is held (DistributedLock.NET's semaphore). */
export const holderMark: Uint8Array = Buffer.from('ACQUIRED');

/**
 * Marks the node of a lease as held: DistributedLock.NET tells the holders of a semaphore by their data, and the next one in
 * the queue waits for that mark alone.
 *
 * @throws what the attempt throws, RemovedFromQueue, LockTimeout, LockCancelled, SessionLost; no node is left then. NodeLeftBehind if one is
 */
export async function markHolder(
  client: ZooKeeperClient,
  attempt: Promise<OwnNode>,
  limits: AttemptLimits,
): Promise<OwnNode> {
  const node = await attempt;
  try {
    return await limits.untilAnswered(client, () => setMark(client, node));
  } catch (error) {
    throw withNodesLeft(error, [await cleanUpOwnNode(client, node, true)]);
  }
}

async function setMark(client: ZooKeeperClient, node: OwnNode): Promise<OwnNode> {
  for (let known = 0; ;) {
    try {
      const { version } = await client.setData(node.path, holderMark, known);
      return { ...node, version };
    } catch (error) {
      if (isZooKeeperError(error, 'NO_NODE')) throw new RemovedFromQueue(node.path);
      if (!isZooKeeperError(error, 'BAD_VERSION')) throw error;
    }
    // Written already: by us, with an answer that was lost, or by somebody else.
    const { data, stat } = await readOwn(client, node);
    if (Buffer.compare(data, holderMark) === 0) return { ...node, version: stat.version };
    known = stat.version;
  }
}

async function readOwn(client: ZooKeeperClient, node: OwnNode): Promise<{ data: Uint8Array; stat: Stat }> {
  try {
    const read = await client.getData(node.path);
    if (read.stat.czxid === node.czxid) return read;
  } catch (error) {
    if (!isZooKeeperError(error, 'NO_NODE')) throw error;
  }
  throw new RemovedFromQueue(node.path);
}

import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { RemovedFromQueue } from './errors.ts';
import { cleanUpOwnNode, type OwnNode } from './ownNode.ts';

const mark = Buffer.from('ACQUIRED');

/**
 * Marks the node of a lease as held: DistributedLock.NET tells the holders of a semaphore by their data.
 *
 * @throws what the attempt throws, RemovedFromQueue, LockTimeout, LockCancelled, SessionLost; no node is left then
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
    await cleanUpOwnNode(client, node, true);
    throw error;
  }
}

async function setMark(client: ZooKeeperClient, node: OwnNode): Promise<OwnNode> {
  try {
    const { version } = await client.setData(node.path, mark, 0);
    return { ...node, version };
  } catch (error) {
    if (isZooKeeperError(error, 'NO_NODE')) throw new RemovedFromQueue(node.path);
    // Written already: by us, with an answer that was lost, or by somebody who knows why.
    if (isZooKeeperError(error, 'BAD_VERSION')) return node;
    throw error;
  }
}

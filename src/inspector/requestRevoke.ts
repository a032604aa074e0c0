import { textOf } from '../locks/nodeData.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, OutcomeUnknownError } from '../zookeeper/errors.ts';
import { guardPath, type GuardOptions } from './deleteGuards.ts';
import { readQueues } from './readQueues.ts';
import { parentPath } from '../base/paths.ts';
import { RefusedRevoke } from './refusedRevoke.ts';
import { listensForRevoke } from './revocable.ts';

/** `requested`: it is written; whether the holder obeys shows in the queue. `unknown`: the reply was lost. */
export type RevokeOutcome = 'requested' | 'already requested' | 'already gone' | 'changed' | 'unknown';

const request = '__REVOKE__';

/**
 * Asks the owner of a Curator mutex to give it back (Curator's Revoker): writes `__REVOKE__` into its node, with the version just
 * read. Nodes with data are left alone: their owners do not listen, and the data say who they are.
 *
 * @throws RefusedRevoke; NotConnectedError if nothing was sent; ZooKeeperError (NO_AUTH: WRITE on the node is missing)
 */
export async function requestRevoke(
  client: ZooKeeperClient,
  target: { path: string; czxid: bigint },
  options: GuardOptions = {},
): Promise<RevokeOutcome> {
  const { path } = target;
  const reason = guardPath(path, options);
  if (reason !== undefined) throw new RefusedRevoke(reason, path);
  const queues = await readQueues(client, parentPath(path));
  const mayListen = queues.some(queue =>
    queue.contenders.some(each => each.czxid === target.czxid && listensForRevoke(queue, each) !== 'no'),
  );
  try {
    return await write(client, target, mayListen);
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return 'unknown';
    if (isZooKeeperError(error, 'NO_NODE')) return 'already gone';
    if (isZooKeeperError(error, 'BAD_VERSION')) return 'changed';
    throw error;
  }
}

async function write(
  client: ZooKeeperClient,
  { path, czxid }: { path: string; czxid: bigint },
  mayListen: boolean,
): Promise<RevokeOutcome> {
  const [, { data, stat }] = await Promise.all([client.sync(path), client.getData(path)]);
  if (stat.czxid !== czxid) return 'changed';
  if (textOf(data) === request) return 'already requested';
  if (!mayListen || data.length > 0) throw new RefusedRevoke('does-not-listen', path);
  await client.setData(path, new TextEncoder().encode(request), stat.version);
  return 'requested';
}

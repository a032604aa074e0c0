import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import type { NodeLeft } from './errors.ts';
import { askUntilAnswered } from './sessionState.ts';

/** A node that this session created. The czxid tells it from any later node of the same name. */
export interface OwnNode {
  path: string;
  czxid: bigint;
  /** Of its data, if it was written to since it was created. */
  version?: number;
}

/**
 * Deletes an own node until that is confirmed, the node is gone, or the session, which would take the node with it, is
 * over (Curator's guaranteed delete; L5, L7, L27 of docs/faults.md). Another node of that name is left alone (L30).
 *
 * @param isNameUnique a sequential name cannot come back while its parent lives, so the first delete needs no look
 * @throws ZooKeeperError when the server refuses for good, for example NO_AUTH
 */
export async function deleteOwnNode(client: ZooKeeperClient, node: OwnNode, isNameUnique: boolean): Promise<void> {
  let version = isNameUnique ? (node.version ?? 0) : undefined;
  await askUntilAnswered(client, async () => {
    for (;;) {
      const known = version ?? (await ownVersion(client, node));
      // Whatever comes of this try, the next one looks first: somebody may have written to it (a revoke request).
      version = undefined;
      if (known === undefined) return;
      try {
        await client.remove(node.path, known);
        return;
      } catch (error) {
        if (isZooKeeperError(error, 'NO_NODE')) return;
        if (!isZooKeeperError(error, 'BAD_VERSION')) throw error;
      }
    }
  });
}

/** @returns the version of the node if it is there and ours */
async function ownVersion(client: ZooKeeperClient, node: OwnNode): Promise<number | undefined> {
  const stat = await client.exists(node.path);
  return stat?.czxid === node.czxid && stat.ephemeralOwner === client.sessionId ? stat.version : undefined;
}

/**
 * Cleans up behind a failed attempt. While the session is connected the attempt waits for it; during an outage the
 * cleaning goes on in the background, so that a cancel is not held up by a dead network.
 *
 * @returns the node if the server refuses to delete it; never rejects
 */
export function cleanUpOwnNode(
  client: ZooKeeperClient,
  node: OwnNode,
  isNameUnique: boolean,
): Promise<NodeLeft | undefined> {
  return inBackgroundIfDisconnected(client, node.path, deleteOwnNode(client, node, isNameUnique));
}

/**
 * Waits for the deleting of an own node while the session is connected.
 *
 * @returns the node if the server refuses; never rejects
 */
export async function inBackgroundIfDisconnected(
  client: ZooKeeperClient,
  path: string,
  deleting: Promise<unknown>,
): Promise<NodeLeft | undefined> {
  const cleaning = deleting.then(
    () => undefined,
    (cause: unknown): NodeLeft => ({ path, cause }),
  );
  const outage = Promise.withResolvers<undefined>();
  const subscription = client.onState(({ state }) => {
    if (state !== 'connected') outage.resolve(undefined);
  });
  if (client.state !== 'connected') outage.resolve(undefined);
  try {
    return await Promise.race([cleaning, outage.promise]);
  } finally {
    subscription.dispose();
  }
}

import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { type NodeLeft, SessionLost } from './errors.ts';
import { askUntilAnswered, type AttemptLimits } from './attemptLimits.ts';
import { childPath } from '../base/paths.ts';

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

/** How often an attempt creates a parent that somebody else deletes again and again (L6). */
export const mostParentRetries = 5;

/** How a directory is made that is not there. */
export interface DirectoryPlan {
  /** For the directory itself, not for those above it. */
  data?: Uint8Array;
  /**
   * Containers, the default, vanish again when the last contender is gone (3.5.1+; plain nodes before). Some libraries look
   * for their directory only once and fail ever after when it vanishes: theirs must stay.
   */
  mode?: 'container' | 'persistent';
}

/**
 * Creates `path` and what is missing above it, from the leaf upward, so that rights on existing ancestors do not matter
 * (docs/faults.md, D25).
 */
export async function ensureParents(
  client: ZooKeeperClient,
  path: string,
  { data = new Uint8Array(0), mode = 'container' }: DirectoryPlan = {},
): Promise<void> {
  if (path === '/') return;
  try {
    await client.create(path, { mode, data });
  } catch (error) {
    if (isZooKeeperError(error, 'NODE_EXISTS')) return;
    const parent = path.slice(0, path.lastIndexOf('/'));
    // Directly below the root nothing can be missing but the chroot itself, which is not ours to create (D32).
    if (!isZooKeeperError(error, 'NO_NODE') || parent === '') throw error;
    await ensureParents(client, parent, { mode });
    await ensureParents(client, path, { data, mode });
  }
}

/** What must be known of a create whose reply was lost. */
export interface OrphanPlan {
  client: ZooKeeperClient;
  directory: string;
  prefix: (attemptId: string) => string;
  hasIdInName: boolean;
}

/**
 * Finds the node of a create whose reply was lost (CURATOR-45; docs/faults.md: L1-L5). The server is synced first,
 * since a lagging follower might not have the node yet (CURATOR-264), and only a node with our id *and* our session is
 * ours (CURATOR-498).
 */
export class OrphanSearch {
  private readonly plan: OrphanPlan;
  private readonly attemptId: string;

  constructor(plan: OrphanPlan, attemptId: string) {
    this.plan = plan;
    this.attemptId = attemptId;
  }

  /**
   * @returns the node, or `undefined` if the create did not happen
   * @throws LockTimeout, LockCancelled, SessionLost; the search then goes on in the background, and deletes what it finds
   */
  async find(limits: AttemptLimits): Promise<OwnNode | undefined> {
    const { client } = this.plan;
    try {
      return await limits.untilAnswered(client, () => this.look());
    } catch (error) {
      if (!(error instanceof SessionLost)) void this.deleteWhenFound();
      throw error;
    }
  }

  private async look(): Promise<OwnNode | undefined> {
    const { client, directory, prefix, hasIdInName } = this.plan;
    const own = prefix(this.attemptId);
    await client.sync(directory);
    const names = await this.list();
    const candidates = names.filter(name => name.startsWith(own));
    const answers = await client.readMany(
      candidates.map(name => ({ op: 'getData', path: childPath(directory, name) })),
    );
    for (const answer of answers) {
      if (answer.op !== 'getData' || answer.stat.ephemeralOwner !== client.sessionId) continue;
      const isOurs = hasIdInName || Buffer.from(answer.data).includes(dataId(this.attemptId));
      if (isOurs) return { path: answer.path, czxid: answer.stat.czxid };
    }
    return undefined;
  }

  private async list(): Promise<string[]> {
    try {
      return (await this.plan.client.getChildren(this.plan.directory)).children;
    } catch (error) {
      if (isZooKeeperError(error, 'NO_NODE')) return [];
      throw error;
    }
  }

  private async deleteWhenFound(): Promise<void> {
    const { client } = this.plan;
    try {
      const node = await askUntilAnswered(client, () => this.look());
      if (node !== undefined) await deleteOwnNode(client, node, true);
    } catch {
      // The server refuses to be asked; the session's end takes the node.
    }
  }
}

/**
 * The part of an attempt's id that stands in a node's data where the name holds none. Short, since people read it; together
 * with the owner session 32 bits are plenty.
 */
export function dataId(attemptId: string): string {
  return attemptId.slice(0, 8);
}

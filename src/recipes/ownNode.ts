import { randomUUID } from 'node:crypto';
import { childPath, parentPath } from '../base/paths.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, OutcomeUnknownError, unlessAnswered } from '../zookeeper/errors.ts';
import { isAnswerInDoubt, isConnectionTrouble, retryUntilOver, type AttemptLimits } from './attemptLimits.ts';
import type { NodeLeft } from './errors.ts';

/** A node that this session created. Its czxid distinguishes it from any later node of the same name. */
export interface OwnNode {
  path: string;
  czxid: bigint;
  /** Of its data, if it was written since the node was created. */
  version?: number;
}

/** What one recipe creates in one dialect. */
export interface OwnNodePlan {
  client: ZooKeeperClient;
  directory: string;
  mode: 'ephemeral' | 'ephemeral_sequential';
  /** The name, without the number that the server appends. @param attemptId a UUID, new for every create */
  name: (attemptId: string) => string;
  /** The node's data. @param attemptId as for `name` */
  data: (attemptId: string) => Uint8Array;
  /** Whether `name` contains the id; if not, `data` contains its `shortId`. */
  hasIdInName: boolean;
  /** How a missing directory is created. Default: as a container. */
  making?: DirectoryPlan;
}

/**
 * The part of an attempt's id that goes into a node's data where the name has none. Short, because people read it; together
 * with the owner session 32 bits are enough.
 */
export function shortId(attemptId: string): string {
  return attemptId.slice(0, 8);
}

/** A new own node, and a listing of its directory that was read after it was created, if there is one already. */
export interface Creation {
  node: OwnNode;
  names: string[] | undefined;
}

/**
 * Creates one own node, also when replies are lost (CURATOR-45; docs/faults.md: L1-L6).
 *
 * Each create carries a new id. After a lost reply the server is synced first, since a lagging follower might not have the node
 * yet (CURATOR-264), and only a node with this id *and* this session is adopted (CURATOR-498).
 */
export class OwnNodeCreator {
  private readonly plan: OwnNodePlan;
  private readonly limits: AttemptLimits;
  private parentRetries = 0;

  constructor(plan: OwnNodePlan, limits: AttemptLimits) {
    this.plan = plan;
    this.limits = limits;
  }

  /**
   * Creates the node, as often as it takes.
   *
   * @param withListing requests the children of the directory in the same flush. The server answers in order, so the listing
   *   contains the new node: an uncontended lock costs one round trip. Not so if the create was refused and sent again in another
   *   form (3.4 lacks `create2`): that listing is older than the node, proves nothing, and is not returned
   * @throws LockTimeout, LockCancelled, SessionLost, and the server's refusal, for example NODE_EXISTS
   */
  async create(withListing = false): Promise<Creation> {
    for (;;) {
      const created = await this.tryCreate(withListing);
      if (created !== undefined) return created;
    }
  }

  /** As `create`, but once. @returns `undefined` if there is no node and another try makes sense */
  async tryCreate(withListing = false): Promise<Creation | undefined> {
    const { client, directory, name, data, mode } = this.plan;
    this.limits.throwIfCancelled();
    await this.limits.untilConnected(client);
    const attemptId = randomUUID();
    const [created, listed] = await Promise.allSettled([
      client.create(childPath(directory, name(attemptId)), { mode, data: data(attemptId) }),
      withListing ? client.getChildren(directory) : undefined,
    ]);
    if (created.status === 'rejected') {
      const node = await this.recover(created.reason, attemptId);
      return node && { node, names: undefined };
    }
    const { path, stat } = created.value;
    const listing = listed.status === 'fulfilled' ? listed.value : undefined;
    const isNewer = listing !== undefined && listing.stat.pzxid >= stat.czxid;
    return { node: { path, czxid: stat.czxid }, names: isNewer ? listing.children : undefined };
  }

  /** @returns the node if it was created all the same; `undefined` if another try makes sense */
  private async recover(error: unknown, attemptId: string): Promise<OwnNode | undefined> {
    const { client, directory, making } = this.plan;
    if (error instanceof OutcomeUnknownError) return this.adopt(attemptId);
    if (isAnswerInDoubt(error)) {
      const node = await this.adopt(attemptId);
      if (node !== undefined) return node;
      throw error;
    }
    if (isZooKeeperError(error, 'NO_NODE') && this.parentRetries++ < mostParentRetries) {
      await this.limits.untilAnswered(client, () => ensureDirectory(client, directory, making));
    } else if (isConnectionTrouble(error)) await this.limits.afterTrouble(client, error);
    else throw error;
    return undefined;
  }

  /**
   * Finds the node of a create whose reply was lost, or leaves its outcome open. If the attempt ends before that, the search goes
   * on in the background and deletes what it finds.
   */
  private async adopt(attemptId: string): Promise<OwnNode | undefined> {
    const { client } = this.plan;
    try {
      return await this.limits.untilAnswered(client, () => findOwnNode(this.plan, attemptId));
    } catch (error) {
      void this.deleteOnceFound(attemptId);
      throw error;
    }
  }

  private async deleteOnceFound(attemptId: string): Promise<void> {
    const { client, mode, hasIdInName } = this.plan;
    let node: OwnNode | undefined;
    try {
      node = await retryUntilOver(client, () => findOwnNode(this.plan, attemptId));
      if (node !== undefined) await deleteOwnNode(client, node, hasIdInName || mode === 'ephemeral_sequential');
    } catch (cause) {
      // It goes when the session ends. If the server refuses the reading, it is not known whether there is one.
      if (node !== undefined) this.limits.onNodeLeft({ path: node.path, cause });
    }
  }
}

/**
 * Searches the node of one create, after a sync.
 *
 * @returns `undefined` if the create did not happen
 * @throws NotConnectedError, ReplyLostError, ZooKeeperError
 */
export async function findOwnNode(
  { client, directory, mode, name, hasIdInName }: Omit<OwnNodePlan, 'data' | 'making'>,
  attemptId: string,
): Promise<OwnNode | undefined> {
  const own = name(attemptId);
  await client.sync(directory);
  const listing = mode === 'ephemeral' ? undefined : await unlessAnswered(client.getChildren(directory), 'NO_NODE');
  const listed = listing?.children.filter(each => each.startsWith(own)) ?? [];
  const names = mode === 'ephemeral' ? [own] : listed;
  const answers = await client.readMany(names.map(each => ({ op: 'getData', path: childPath(directory, each) })));
  for (const answer of answers) {
    if (answer.op !== 'getData' || answer.stat.ephemeralOwner !== client.sessionId) continue;
    const isOurs = hasIdInName || Buffer.from(answer.data).includes(shortId(attemptId));
    if (isOurs) return { path: answer.path, czxid: answer.stat.czxid };
  }
  return undefined;
}

/** How often an attempt creates a directory that another client deletes again and again (L6). */
const mostParentRetries = 5;

/** How a missing directory is created. */
export interface DirectoryPlan {
  /** For the directory itself, not for those above it. */
  data?: Uint8Array;
  /**
   * Containers, the default, are deleted by the server after their last contender (3.5.1+; plain nodes before). Some libraries
   * look for their directory only once and fail for good when it vanishes: theirs must be persistent.
   */
  mode?: 'container' | 'persistent';
}

/**
 * Creates `path` and what is missing above it, from the leaf upward, so that rights on existing ancestors do not matter
 * (docs/faults.md, D25).
 *
 * @throws ZooKeeperError, and NO_NODE when the chroot itself is missing (D32); NotConnectedError, OutcomeUnknownError
 */
export async function ensureDirectory(
  client: ZooKeeperClient,
  path: string,
  { data = new Uint8Array(0), mode = 'container' }: DirectoryPlan = {},
): Promise<void> {
  if (path === '/') return;
  try {
    await client.create(path, { mode, data });
  } catch (error) {
    if (isZooKeeperError(error, 'NODE_EXISTS')) return;
    const parent = parentPath(path);
    if (!isZooKeeperError(error, 'NO_NODE') || parent === '/') throw error;
    await ensureDirectory(client, parent, { mode });
    await ensureDirectory(client, path, { data, mode });
  }
}

/**
 * Deletes an own node: tries until the delete is confirmed, the node is gone, or the session, which would take the node with
 * it, is over (Curator's guaranteed delete; L5, L7, L27 of docs/faults.md). Another node of that name is left alone (L30).
 *
 * @param isNameUnique a sequential name cannot come back while its parent lives, so the first delete needs no reading
 * @throws ZooKeeperError when the server refuses for good, for example NO_AUTH
 */
export async function deleteOwnNode(client: ZooKeeperClient, node: OwnNode, isNameUnique: boolean): Promise<void> {
  let version = isNameUnique ? (node.version ?? 0) : undefined;
  await retryUntilOver(client, async () => {
    for (;;) {
      const known = version ?? (await ownVersion(client, node));
      // Whatever comes of this try, the next one reads first: another client may have written to the node (a revoke request).
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

/** @returns the version of the node if it exists and is ours */
async function ownVersion(client: ZooKeeperClient, node: OwnNode): Promise<number | undefined> {
  const stat = await client.exists(node.path);
  return stat?.czxid === node.czxid && stat.ephemeralOwner === client.sessionId ? stat.version : undefined;
}

/**
 * Deletes the node of a failed attempt. Waits for it while the session is connected; during an outage the delete goes on in the
 * background, so that a dead network does not hold up a cancel.
 *
 * @returns the node if the server refuses to delete it; after an outage `limits.onNodeLeft` gets it; never rejects
 */
export async function cleanUpOwnNode(
  client: ZooKeeperClient,
  node: OwnNode,
  isNameUnique: boolean,
  { onNodeLeft }: Pick<AttemptLimits, 'onNodeLeft'>,
): Promise<NodeLeft | undefined> {
  const cleaning = deleteOwnNode(client, node, isNameUnique).then(
    () => undefined,
    (cause: unknown): NodeLeft => ({ path: node.path, cause }),
  );
  const outage = Promise.withResolvers<'outage'>();
  const subscription = client.onState(({ state }) => {
    if (state !== 'connected') outage.resolve('outage');
  });
  if (client.state !== 'connected') outage.resolve('outage');
  try {
    const end = await Promise.race([cleaning, outage.promise]);
    if (end !== 'outage') return end;
    void cleaning.then(left => left && onNodeLeft(left));
    return undefined;
  } finally {
    subscription.dispose();
  }
}

import { randomUUID } from 'node:crypto';
import { isZooKeeperError, OutcomeUnknownError } from '../zookeeper/errors.ts';
import { childPath } from '../base/paths.ts';
import { askUntilAnswered, type AttemptLimits, isConnectionTrouble } from './attemptLimits.ts';
import { ChildrenWait } from './watches.ts';
import { type NodeLeft, RemovedFromQueue, withNodesLeft, WrongDialect } from './errors.ts';
import type { Place } from './lock.ts';
import {
  cleanUpOwnNode,
  deleteOwnNode,
  ensureParents,
  inBackgroundIfDisconnected,
  mostParentRetries,
  OrphanSearch,
  type OwnNode,
} from './ownNode.ts';
import { QueueAttempt, type QueuePlan } from './queueAttempt.ts';
import type { Stat, ZooKeeperClient } from '../zookeeper/client.ts';

/** A kazoo semaphore at `P`: its queue is the sibling `P-__lock__`, its leases the children of `P`, whose data is the limit. */
export interface KazooSemaphorePlan {
  queue: QueuePlan;
  leases: string;
  maxLeases: number;
  identifier: string;
}

/**
 * One attempt to get a lease (kazoo/recipe/lock.py, Semaphore).
 *
 * The head of the queue creates a lease as soon as there are fewer than the limit, and then leaves the queue. Fairness: by the
 * queue. Lease names are random ids, so an unanswered create is found by name.
 */
export class KazooSemaphoreAttempt {
  private readonly plan: KazooSemaphorePlan;
  private readonly limits: AttemptLimits;
  private readonly tell: (place: Place) => void;
  /** A lease may exist, whether or not an answer said so. */
  private hasAsked = false;

  constructor(plan: KazooSemaphorePlan, limits: AttemptLimits, tell: (place: Place) => void) {
    this.plan = plan;
    this.limits = limits;
    this.tell = tell;
  }

  /** @returns the lease node; no other own node is left, and none at all if it throws what QueueAttempt throws */
  async run(): Promise<OwnNode> {
    const { client } = this.plan.queue;
    await this.limits.untilAnswered(client, () => this.checkLimit());
    const contender = await new QueueAttempt(this.plan.queue, this.limits, this.tell).run();
    const path = childPath(this.plan.leases, randomUUID().replaceAll('-', ''));
    let lease: OwnNode | undefined;
    try {
      const wait = new ChildrenWait(client, this.plan.leases, this.limits);
      const isTaken = async (names: readonly string[]): Promise<boolean> => {
        lease ??= await this.takeLease(path, names);
        return lease !== undefined;
      };
      await wait.until(isTaken, names =>
        this.tell({ path: undefined, ahead: names.length - this.plan.maxLeases + 1, waitsFor: undefined }),
      );
      this.limits.throwIfCancelled();
      await deleteOwnNode(client, contender, true);
      if (lease === undefined) throw new Error('The wait ended without a lease.');
      return lease;
    } catch (error) {
      const leaseLeft = this.hasAsked ? await this.deleteLease(path) : undefined;
      throw withNodesLeft(error, [leaseLeft, await cleanUpOwnNode(client, contender, true)]);
    }
  }

  /**
   * The limit stands in the directory's data; all takers must agree on it. kazoo makes the directory before it writes the
   * limit, and looks away from what is no number: so do we.
   */
  private async checkLimit(): Promise<void> {
    const { leases, maxLeases } = this.plan;
    const { client } = this.plan.queue;
    await ensureParents(client, leases, { data: Buffer.from(String(maxLeases)), mode: 'persistent' });
    const { data } = await client.getData(leases);
    const stored = Buffer.from(data).toString().trim();
    if (/^[+-]?\d+$/.test(stored) && Number(stored) !== maxLeases) {
      throw new WrongDialect(leases, { kind: 'limit', found: stored.slice(0, 20), wanted: maxLeases });
    }
  }

  private async takeLease(path: string, names: readonly string[]): Promise<OwnNode | undefined> {
    const { maxLeases, identifier, queue } = this.plan;
    const existing = names.includes(path.slice(path.lastIndexOf('/') + 1)) ? await this.findLease(path) : undefined;
    if (existing !== undefined) return existing;
    if (names.length >= maxLeases) return undefined;
    this.hasAsked = true;
    try {
      const { stat } = await queue.client.create(path, { mode: 'ephemeral', data: Buffer.from(identifier) });
      return { path, czxid: stat.czxid };
    } catch (error) {
      // Made by a create whose answer was lost. The name is a random id: nobody else has it.
      if (isZooKeeperError(error, 'NODE_EXISTS')) return this.findLease(path);
      throw error;
    }
  }

  /**
   * Deletes the lease wherever the attempt stopped; goes on in the background during an outage.
   *
   * @returns it if the server refuses
   */
  private deleteLease(path: string): Promise<NodeLeft | undefined> {
    const { client } = this.plan.queue;
    const deleting = askUntilAnswered(client, async () => {
      const lease = await this.findLease(path);
      if (lease !== undefined) await deleteOwnNode(client, lease, true);
    });
    return inBackgroundIfDisconnected(client, path, deleting);
  }

  private async findLease(path: string): Promise<OwnNode | undefined> {
    const { client } = this.plan.queue;
    await client.sync(path);
    const stat = await client.exists(path);
    return stat?.ephemeralOwner === client.sessionId ? { path, czxid: stat.czxid } : undefined;
  }
}

/** A semaphore of Curator's second kind at `P`: its queue is `P/locks`, its leases `P/leases`. */
export interface SemaphoreV2Plan {
  queue: QueuePlan;
  leases: string;
  maxLeases: number;
  identifier: string;
}

/**
 * One attempt to get a lease (Curator's InterProcessSemaphoreV2).
 *
 * Whoever is at the head of `locks` creates its lease first and then waits until no more than the limit exist; it leaves the
 * queue only after that. Fairness: by the queue. Own nodes: one contender while waiting, one lease.
 */
export class SemaphoreV2Attempt {
  private readonly plan: SemaphoreV2Plan;
  private readonly limits: AttemptLimits;
  private readonly tell: (place: Place) => void;

  constructor(plan: SemaphoreV2Plan, limits: AttemptLimits, tell: (place: Place) => void) {
    this.plan = plan;
    this.limits = limits;
    this.tell = tell;
  }

  /** @returns the lease node; no other own node is left, and none at all if it throws what QueueAttempt throws */
  async run(): Promise<OwnNode> {
    const { client } = this.plan.queue;
    const contender = await new QueueAttempt(this.plan.queue, this.limits, this.tell).run();
    let lease: OwnNode | undefined;
    try {
      lease = await this.createLease(client);
      await this.untilWithinLimit(client, lease);
      this.limits.throwIfCancelled();
      await deleteOwnNode(client, contender, true);
      return lease;
    } catch (error) {
      const leaseLeft = lease === undefined ? undefined : await cleanUpOwnNode(client, lease, true);
      throw withNodesLeft(error, [leaseLeft, await cleanUpOwnNode(client, contender, true)]);
    }
  }

  private async createLease(client: ZooKeeperClient): Promise<OwnNode> {
    const { leases, identifier } = this.plan;
    for (let parentRetries = 0; ;) {
      await this.limits.untilConnected(client);
      const attemptId = randomUUID();
      const prefix = (id: string): string => `_c_${id}-lease-`;
      try {
        const made = await client.create(childPath(leases, prefix(attemptId)), {
          mode: 'ephemeral_sequential',
          data: Buffer.from(identifier),
        });
        return { path: made.path, czxid: made.stat.czxid };
      } catch (error) {
        if (isZooKeeperError(error, 'NO_NODE') && parentRetries++ < mostParentRetries) {
          await this.limits.untilAnswered(client, () => ensureParents(client, leases));
        } else if (error instanceof OutcomeUnknownError) {
          const search = new OrphanSearch({ client, directory: leases, prefix, hasIdInName: true }, attemptId);
          const orphan = await search.find(this.limits);
          if (orphan !== undefined) return orphan;
        } else if (isConnectionTrouble(error)) await this.limits.afterTrouble(client, error);
        else throw error;
      }
    }
  }

  private async untilWithinLimit(client: ZooKeeperClient, lease: OwnNode): Promise<void> {
    const { leases, maxLeases } = this.plan;
    const wait = new ChildrenWait(client, leases, this.limits);
    const isEnough = (names: readonly string[]): boolean => {
      if (!names.includes(lease.path.slice(leases.length + 1))) throw new RemovedFromQueue(lease.path);
      return names.length <= maxLeases;
    };
    await wait.until(isEnough, names =>
      this.tell({ path: lease.path, ahead: names.length - maxLeases, waitsFor: undefined }),
    );
  }
}

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

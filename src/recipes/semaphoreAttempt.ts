import { randomUUID } from 'node:crypto';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { childPath } from '../base/paths.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { ChildrenWait } from './childrenWait.ts';
import { withNodesLeft, WrongDialect, type NodeLeft } from './errors.ts';
import type { Place } from './lock.ts';
import { cleanUpOwnNode, deleteOwnNode, inBackgroundIfDisconnected, type OwnNode } from './ownNode.ts';
import { askUntilAnswered } from './sessionState.ts';
import { ensureParents } from './parents.ts';
import { QueueAttempt, type QueuePlan } from './queueAttempt.ts';

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

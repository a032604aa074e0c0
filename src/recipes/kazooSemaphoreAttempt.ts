import { randomUUID } from 'node:crypto';
import { isZooKeeperError, OutcomeUnknownError } from '../zookeeper/errors.ts';
import { childPath } from '../zookeeper/paths.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { ChildrenWait } from './childrenWait.ts';
import { WrongDialect } from './errors.ts';
import type { Place } from './lock.ts';
import { cleanUpOwnNode, deleteOwnNode, type OwnNode } from './ownNode.ts';
import { isConnectionTrouble } from './sessionState.ts';
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

  constructor(plan: KazooSemaphorePlan, limits: AttemptLimits, tell: (place: Place) => void) {
    this.plan = plan;
    this.limits = limits;
    this.tell = tell;
  }

  /** @returns the lease node; no other own node is left, and none at all if it throws what QueueAttempt throws */
  async run(): Promise<OwnNode> {
    const { client } = this.plan.queue;
    await this.limits.untilConnected(client);
    await this.checkLimit();
    const contender = await new QueueAttempt(this.plan.queue, this.limits, this.tell).run();
    const path = childPath(this.plan.leases, randomUUID().replaceAll('-', ''));
    let lease: OwnNode | undefined;
    try {
      const wait = new ChildrenWait(client, this.plan.leases, this.limits);
      await wait.until(async names => {
        lease ??= await this.takeLease(path, names);
        return lease !== undefined;
      });
      this.limits.throwIfCancelled();
      await deleteOwnNode(client, contender, true);
      if (lease === undefined) throw new Error('The wait ended without a lease.');
      return lease;
    } catch (error) {
      lease ??= await this.findLease(path).catch(() => undefined);
      if (lease !== undefined) await cleanUpOwnNode(client, lease, true);
      await cleanUpOwnNode(client, contender, true);
      throw error;
    }
  }

  /** The limit stands in the directory's data; all takers must agree on it. */
  private async checkLimit(): Promise<void> {
    const { leases, maxLeases } = this.plan;
    const { client } = this.plan.queue;
    await ensureParents(client, leases, Buffer.from(String(maxLeases)));
    const { data } = await client.getData(leases);
    const stored = Buffer.from(data).toString().trim();
    if (stored !== String(maxLeases)) {
      throw new WrongDialect(leases, `its limit is "${stored.slice(0, 20)}", not ${maxLeases}. Give the same limit.`);
    }
  }

  private async takeLease(path: string, names: readonly string[]): Promise<OwnNode | undefined> {
    const { maxLeases, identifier, queue } = this.plan;
    const existing = names.includes(path.slice(path.lastIndexOf('/') + 1)) ? await this.findLease(path) : undefined;
    if (existing !== undefined) return existing;
    if (names.length >= maxLeases) {
      this.tell({ path: undefined, ahead: names.length - maxLeases + 1, waitsFor: undefined });
      return undefined;
    }
    try {
      const { stat } = await queue.client.create(path, { mode: 'ephemeral', data: Buffer.from(identifier) });
      return { path, czxid: stat.czxid };
    } catch (error) {
      if (error instanceof OutcomeUnknownError || isZooKeeperError(error, 'NODE_EXISTS')) {
        await this.limits.untilConnected(queue.client);
        return this.findLease(path);
      }
      throw error;
    }
  }

  private async findLease(path: string): Promise<OwnNode | undefined> {
    const { client } = this.plan.queue;
    try {
      await client.sync(path);
      const stat = await client.exists(path);
      return stat?.ephemeralOwner === client.sessionId ? { path, czxid: stat.czxid } : undefined;
    } catch (error) {
      if (isConnectionTrouble(error)) return undefined;
      throw error;
    }
  }
}

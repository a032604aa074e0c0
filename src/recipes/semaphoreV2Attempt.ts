import { randomUUID } from 'node:crypto';
import { isZooKeeperError, OutcomeUnknownError } from '../zookeeper/errors.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { childPath } from '../base/paths.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { ChildrenWait } from './childrenWait.ts';
import { RemovedFromQueue, withNodesLeft } from './errors.ts';
import type { Place } from './lock.ts';
import { OrphanSearch } from './orphanSearch.ts';
import { cleanUpOwnNode, deleteOwnNode, type OwnNode } from './ownNode.ts';
import { isConnectionTrouble } from './sessionState.ts';
import { ensureParents, mostParentRetries } from './parents.ts';
import { QueueAttempt, type QueuePlan } from './queueAttempt.ts';

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

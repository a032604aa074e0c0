import { randomUUID } from 'node:crypto';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, OutcomeUnknownError } from '../zookeeper/errors.ts';
import { askUntilAnswered, type AttemptLimits, isConnectionTrouble } from './attemptLimits.ts';
import { cleanUpOwnNode, dataId, ensureParents, mostParentRetries, type OwnNode } from './ownNode.ts';
import { WrongDialect } from './errors.ts';
import type { Place } from './lock.ts';
import { WakeUp } from './watches.ts';

/** What the one node says of its maker. */
export interface ExclusivePlan {
  client: ZooKeeperClient;
  /** The node itself. */
  path: string;
  /** @param attemptId tells our node from another of the same name */
  data: (attemptId: string) => Uint8Array;
}

/**
 * One attempt to create the single ephemeral node of an exclusive lock (docs/recipes.md, R1).
 *
 * Fairness: none. Each release wakes everybody who waits, and the fastest wins. On an unknown outcome the node is read: it is
 * ours if it has our session and our id.
 */
export class ExclusiveAttempt {
  private readonly plan: ExclusivePlan;
  private readonly limits: AttemptLimits;
  private readonly tell: (place: Place) => void;
  private readonly attemptId = randomUUID();
  private parentRetries = 0;

  constructor(plan: ExclusivePlan, limits: AttemptLimits, tell: (place: Place) => void) {
    this.plan = plan;
    this.limits = limits;
    this.tell = tell;
  }

  /** @throws LockTimeout, LockCancelled, SessionLost, WrongDialect, ZooKeeperError; no own node is left behind then */
  async run(): Promise<OwnNode> {
    for (;;) {
      this.limits.throwIfCancelled();
      const node = await this.limits.untilAnswered(this.plan.client, () => this.tryCreate());
      if (node !== undefined) return node;
      await this.waitWhileTaken();
    }
  }

  private async tryCreate(): Promise<OwnNode | undefined> {
    const { client, path, data } = this.plan;
    try {
      const { stat } = await client.create(path, { mode: 'ephemeral', data: data(this.attemptId) });
      return { path, czxid: stat.czxid };
    } catch (error) {
      if (isZooKeeperError(error, 'NODE_EXISTS')) return undefined;
      // A create without an answer may have made the node, and the limits may end before it is read.
      if (error instanceof OutcomeUnknownError) return this.adopt();
      if (!isZooKeeperError(error, 'NO_NODE') || this.parentRetries++ >= mostParentRetries) throw error;
      await ensureParents(client, path.slice(0, Math.max(1, path.lastIndexOf('/'))));
      return undefined;
    }
  }

  /** Looks whether an unanswered create has happened; goes on in the background if the attempt ends before it is known. */
  private async adopt(): Promise<OwnNode | undefined> {
    try {
      return await this.limits.untilAnswered(this.plan.client, () => this.readOwn());
    } catch (error) {
      void this.deleteWhenFound();
      throw error;
    }
  }

  private async readOwn(): Promise<OwnNode | undefined> {
    const { client, path } = this.plan;
    await client.sync(path);
    try {
      const { data, stat } = await client.getData(path);
      const isOurs = stat.ephemeralOwner === client.sessionId && Buffer.from(data).includes(dataId(this.attemptId));
      return isOurs ? { path, czxid: stat.czxid } : undefined;
    } catch (error) {
      if (isZooKeeperError(error, 'NO_NODE')) return undefined;
      throw error;
    }
  }

  private async deleteWhenFound(): Promise<void> {
    const { client } = this.plan;
    try {
      const node = await askUntilAnswered(client, () => this.readOwn());
      if (node !== undefined) await cleanUpOwnNode(client, node, false);
    } catch {
      // The server refuses to be asked; the session's end takes the node.
    }
  }

  /** Waits for a change of the node that stands in the way. */
  private async waitWhileTaken(): Promise<void> {
    const { client, path } = this.plan;
    const wakeUp = new WakeUp();
    try {
      // Whoever may not wait needs not be told.
      const { stat } = await client.getData(path, this.limits.triesOnce ? {} : { watch: wakeUp.ring });
      if (stat.ephemeralOwner === 0n && stat.numChildren > 0) {
        throw new WrongDialect(path, { kind: 'directory' });
      }
    } catch (error) {
      if (isZooKeeperError(error, 'NO_NODE') || isConnectionTrouble(error)) return;
      throw error;
    }
    if (this.limits.triesOnce) throw this.limits.timedOut();
    this.tell({ path: undefined, ahead: 1, waitsFor: path });
    await wakeUp.wait(this.limits, client);
  }
}

import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { childPath } from '../base/paths.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { dataId } from './dataId.ts';
import { SessionLost } from './errors.ts';
import { deleteOwnNode, type OwnNode } from './ownNode.ts';
import { askUntilAnswered } from './sessionState.ts';

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

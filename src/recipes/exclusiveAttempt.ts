import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { lastSegment, parentPath } from '../base/paths.ts';
import { isConnectionTrouble, type AttemptLimits } from './attemptLimits.ts';
import { WrongDialect } from './errors.ts';
import type { Place } from './lock.ts';
import { OwnNodeCreator, shortId, type OwnNode } from './ownNode.ts';
import { WakeUp } from './watches.ts';

/**
 * One attempt to create the single node of an exclusive lock (docs/recipes.md, R1).
 *
 * Layout: one ephemeral node, whose data says who holds it. Fairness: none; each release wakes every waiter, and the fastest
 * wins. On disconnect after a create the node is read: it is ours if it has our session and our id. Source: the simple lock of
 * ZooKeeper's recipes page, and of many services that write it by hand.
 */
export class ExclusiveAttempt {
  private readonly client: ZooKeeperClient;
  private readonly path: string;
  private readonly limits: AttemptLimits;
  private readonly report: (place: Place) => void;
  private readonly creator: OwnNodeCreator;

  /** @param identifier goes into the node's data, with an id that distinguishes our node from another of the same name */
  constructor(
    { client, path, identifier }: { client: ZooKeeperClient; path: string; identifier: string },
    limits: AttemptLimits,
    report: (place: Place) => void,
  ) {
    this.client = client;
    this.path = path;
    this.limits = limits;
    this.report = report;
    this.creator = new OwnNodeCreator(
      {
        client,
        directory: parentPath(path),
        mode: 'ephemeral',
        name: () => lastSegment(path),
        data: attemptId => Buffer.from(`${identifier} #${shortId(attemptId)}`),
        hasIdInName: false,
      },
      limits,
    );
  }

  /** @throws LockTimeout, LockCancelled, SessionLost, WrongDialect, ZooKeeperError; no own node is left behind then */
  async run(): Promise<OwnNode> {
    for (;;) {
      try {
        return (await this.creator.create()).node;
      } catch (error) {
        if (!isZooKeeperError(error, 'NODE_EXISTS')) throw error;
      }
      await this.waitWhileTaken();
    }
  }

  /** Waits for a change of the node that is in the way. */
  private async waitWhileTaken(): Promise<void> {
    const { client, path } = this;
    const wakeUp = new WakeUp();
    try {
      // An attempt that may not wait needs no watch.
      const { stat } = await client.getData(path, this.limits.triesOnce ? {} : { watch: wakeUp.ring });
      if (stat.ephemeralOwner === 0n && stat.numChildren > 0) throw new WrongDialect(path, { kind: 'directory' });
    } catch (error) {
      if (isZooKeeperError(error, 'NO_NODE') || isConnectionTrouble(error)) return;
      throw error;
    }
    if (this.limits.triesOnce) throw this.limits.timedOut();
    this.report({ path: undefined, ahead: 1, waitsFor: path });
    await wakeUp.wait(this.limits, client);
  }
}

import { isZooKeeperError } from '../../src/zookeeper/errors.ts';
import { toBytes, pause, type DemoQueue, type Member } from './demoQueue.ts';
import { ensurePath, removeIfThere } from './nodes.ts';

/** The creator of the one node holds the lock; the other contenders have no node. */
export class SingleNodeLock implements DemoQueue {
  readonly path: string;
  private readonly parent: string;
  private readonly members: readonly Member[];
  private turn = 0;

  constructor(parent: string, name: string, members: readonly Member[]) {
    this.parent = parent;
    this.path = `${parent}/${name}`;
    this.members = members;
  }

  async fill(): Promise<void> {
    await ensurePath(this.members[0]!.client, this.parent);
    await this.take();
  }

  async handOver(): Promise<void> {
    const { client } = this.holder();
    const stat = await client.exists(this.path);
    if (stat !== undefined && stat.ephemeralOwner !== client.sessionId) return;
    await removeIfThere(client, this.path);
    this.turn++;
    await pause(100, 500);
    await this.take();
  }

  private holder(): Member {
    return this.members[this.turn % this.members.length]!;
  }

  private async take(): Promise<void> {
    const { client, host } = this.holder();
    try {
      await client.create(this.path, { data: toBytes(host), mode: 'ephemeral' });
    } catch (error) {
      // A test lock of the viewer was quicker: try again at the next turn.
      if (!isZooKeeperError(error, 'NODE_EXISTS')) throw error;
    }
  }
}

import { toBytes, type DemoQueue, type Member } from './demoQueue.ts';
import { ensurePath, watchNode } from './nodes.ts';

/** A lock whose holder died long ago and left a persistent node, which Curator never makes: nothing moves until it is deleted. */
export class StaleLock implements DemoQueue {
  readonly path: string;
  private readonly members: readonly Member[];

  constructor(path: string, members: readonly Member[]) {
    this.path = path;
    this.members = members;
  }

  async fill(): Promise<void> {
    await ensurePath(this.members[0]!.client, this.path);
    let before: string | undefined;
    for (const [index, { client, host }] of this.members.entries()) {
      const { path } = await client.create(`${this.path}/_c_${crypto.randomUUID()}-lock-`, {
        data: toBytes(index === 0 ? 'importer-1 (crashed)' : host),
        mode: index === 0 ? 'persistent_sequential' : 'ephemeral_sequential',
      });
      await watchNode(client, before);
      before = path;
    }
  }

  handOver(): Promise<void> {
    return Promise.resolve();
  }
}

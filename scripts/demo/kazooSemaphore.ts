import { pause, toBytes, type DemoQueue, type Member } from './demoQueue.ts';
import { ensurePath, removeIfThere, watchNode } from './nodes.ts';

const hex32 = () => crypto.randomUUID().replaceAll('-', '');

interface Place {
  member: Member;
  path: string;
}

/** kazoo's semaphore: leases are the children of the path, the queue for them is the sibling `<path>-__lock__`. */
export class KazooSemaphore implements DemoQueue {
  readonly path: string;
  private readonly members: readonly Member[];
  private readonly maxLeases: number;
  private readonly leases: Place[] = [];
  private readonly queue: Place[] = [];

  /** @param members who queues up, in order; one that is named several times takes several places */
  constructor(path: string, members: readonly Member[], maxLeases: number) {
    this.path = path;
    this.members = members;
    this.maxLeases = maxLeases;
  }

  async fill(): Promise<void> {
    const { client } = this.members[0]!;
    await ensurePath(client, this.path);
    await client.setData(this.path, toBytes(String(this.maxLeases)), 0);
    await ensurePath(client, `${this.path}-__lock__`);
    for (const member of this.members) await this.join(member);
    for (let count = 0; count < this.maxLeases; count++) await this.promote();
  }

  async handOver(): Promise<void> {
    const leaving = this.leases.shift();
    if (leaving === undefined) return;
    await removeIfThere(leaving.member.client, leaving.path);
    await pause(100, 400);
    const { children } = await leaving.member.client.getChildren(this.path);
    if (children.length < this.maxLeases) await this.promote();
    await pause(200, 1_500);
    await this.join(leaving.member);
  }

  /** The head of the queue takes a lease and leaves the queue. */
  private async promote(): Promise<void> {
    const head = this.queue.shift();
    if (head === undefined) return;
    const { client, host } = head.member;
    const { path } = await client.create(`${this.path}/${hex32()}`, { data: toBytes(host), mode: 'ephemeral' });
    this.leases.push({ member: head.member, path });
    await removeIfThere(client, head.path);
  }

  private async join(member: Member): Promise<void> {
    const { path } = await member.client.create(`${this.path}-__lock__/${hex32()}__lock__`, {
      // kazoo writes Python's notation of the bytes here.
      data: toBytes(`b'${member.host}'`),
      mode: 'ephemeral_sequential',
    });
    await watchNode(member.client, this.queue.at(-1)?.path);
    this.queue.push({ member, path });
  }
}

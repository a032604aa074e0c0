import { toBytes, pause, type DemoQueue, type Member } from './demoQueue.ts';
import { ensurePath, removeIfThere, watchNode } from './nodes.ts';

export interface SequentialLayout {
  /** Name before the number, and content, for one attempt of a member. */
  node(member: Member, index: number): { prefix: string; data: Uint8Array };
}

interface Place {
  member: Member;
  index: number;
  path: string;
}

function sequenceOf(path: string): number {
  return Number(path.slice(-10));
}

/** A queue of numbered nodes in which the lowest number holds: the layout of nearly all lock libraries. */
export class SequentialQueue implements DemoQueue {
  readonly path: string;
  private readonly layout: SequentialLayout;
  private readonly members: readonly Member[];
  private places: Place[] = [];

  constructor(path: string, layout: SequentialLayout, members: readonly Member[]) {
    this.path = path;
    this.layout = layout;
    this.members = members;
  }

  async fill(): Promise<void> {
    await ensurePath(this.members[0]!.client, this.path);
    for (const [index, member] of this.members.entries()) await this.join(member, index);
  }

  async handOver(): Promise<void> {
    const head = this.places[0];
    if (head === undefined || !(await this.isFirst(head))) return;
    this.places.shift();
    await removeIfThere(head.member.client, head.path);
    await pause(200, 1_500);
    await this.join(head.member, head.index);
  }

  /** The viewer of the demo may have joined the queue with a test lock: then its turn comes first. */
  private async isFirst(place: Place): Promise<boolean> {
    const { children } = await place.member.client.getChildren(this.path);
    return children.every(name => sequenceOf(name) >= sequenceOf(place.path));
  }

  private async join(member: Member, index: number): Promise<void> {
    const { prefix, data } = this.layout.node(member, index);
    const { path } = await member.client.create(`${this.path}/${prefix}`, { data, mode: 'ephemeral_sequential' });
    await watchNode(member.client, this.places.at(-1)?.path);
    this.places.push({ member, index, path });
  }
}

const hex32 = () => crypto.randomUUID().replaceAll('-', '');

/** Curator signs with the address of the host. */
const address = (member: Member) => toBytes(`10.0.4.${10 + Number(/\d+$/.exec(member.host)?.[0] ?? 0)}`);

export const curatorMutex: SequentialLayout = {
  node: member => ({ prefix: `_c_${crypto.randomUUID()}-lock-`, data: address(member) }),
};

export const curatorReadWrite: SequentialLayout = {
  node: (member, index) => ({
    prefix: `_c_${crypto.randomUUID()}-${index % 3 === 2 ? '__WRIT__' : '__READ__'}`,
    data: address(member),
  }),
};

export const kazooLock: SequentialLayout = {
  node: member => ({ prefix: `${hex32()}__lock__`, data: toBytes(member.host) }),
};

export const goZookeeper: SequentialLayout = {
  node: () => ({ prefix: `_c_${hex32()}-lock-`, data: new Uint8Array(0) }),
};

export const zooKeeperWriteLock: SequentialLayout = {
  node: member => ({
    prefix: `x-${String(member.client.sessionId)}-`,
    data: Uint8Array.of(0x12, 0x34),
  }),
};

export const hostReadWrite: SequentialLayout = {
  node: (member, index) => ({ prefix: `${member.host}-${index % 2 === 0 ? 'R' : 'W'}-`, data: new Uint8Array(0) }),
};

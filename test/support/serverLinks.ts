import { freePorts } from '../../scripts/zookeeper/ports.ts';
import { startTcpProxy, type TcpProxy } from './tcpProxy.ts';

/** Where the other members reach a member of an ensemble. */
export interface PeerPorts {
  /** Followers dial the leader's, for all data. */
  quorum: number;
  /** Elections. */
  election: number;
}

/**
 * How servers lose each other. `black-hole`: bytes stay away both ways, connections stay open, new ones get no answer. `reset`:
 * connections break, new ones are refused. `sends-lost` and `receives-lost`: only what the member sends, or only what is sent to
 * it, stays away.
 */
export type LinkCut = 'black-hole' | 'reset' | 'sends-lost' | 'receives-lost';

interface Link {
  /** The member that dials. */
  from: number;
  to: number;
  ports: PeerPorts;
  proxies: readonly TcpProxy[];
}

/**
 * The network between the members of an ensemble: for each ordered pair a proxy of the quorum port and one of the election port.
 *
 * The member with the larger id refuses an election connection and dials back to the address that the other one sent
 * (`QuorumCnxManager`, 3.5 and later): the proxy replaces that address by the proxy of the way back.
 */
export class ServerLinks {
  private readonly links: readonly Link[];

  constructor(links: readonly Link[]) {
    this.links = links;
  }

  /** The ports at which member `from` finds member `to`; indices as in `ensemble.servers`. */
  ports(from: number, to: number): PeerPorts {
    return this.links.find(link => link.from === from && link.to === to)!.ports;
  }

  /** Cuts one member off from all others. */
  async cutOff(index: number, how: LinkCut = 'black-hole'): Promise<void> {
    const others = new Set(this.links.map(({ to }) => to).filter(to => to !== index));
    for (const other of others) await this.cutBetween(index, other, how);
  }

  /** Cuts two members off from each other; one-way cuts are those of member `a`. */
  async cutBetween(a: number, b: number, how: LinkCut = 'black-hole'): Promise<void> {
    for (const link of this.links) {
      if (link.from === a && link.to === b) await cut(link, how, 'up');
      if (link.from === b && link.to === a) await cut(link, how, 'down');
    }
  }

  /** Members of the same group reach each other, others do not. */
  async partition(groups: readonly (readonly number[])[], how: LinkCut = 'black-hole'): Promise<void> {
    for (const [number, group] of groups.entries()) {
      const others = groups.slice(number + 1).flat();
      for (const a of group) for (const b of others) await this.cutBetween(a, b, how);
    }
  }

  /** Everything passes again, late bytes first. */
  async heal(): Promise<void> {
    const proxies = this.links.flatMap(link => link.proxies);
    for (const proxy of proxies) proxy.blackHole('none');
    await Promise.all(proxies.map(proxy => proxy.setAccepting(true)));
  }

  async close(): Promise<void> {
    await Promise.all(this.links.flatMap(link => link.proxies.map(proxy => proxy.close())));
  }
}

/** @param sends the direction of this link in which the bytes of the member go that is cut off */
async function cut({ proxies }: Link, how: LinkCut, sends: 'up' | 'down'): Promise<void> {
  const receives = sends === 'up' ? 'down' : 'up';
  for (const proxy of proxies) {
    switch (how) {
      case 'reset':
        await proxy.setAccepting(false);
        proxy.cut();
        break;
      case 'black-hole':
        proxy.blackHole('both');
        break;
      case 'sends-lost':
        proxy.blackHole(sends);
        break;
      case 'receives-lost':
        proxy.blackHole(receives);
    }
  }
}

/** @param members where each member really listens, on 127.0.0.1 */
export async function startServerLinks(members: readonly PeerPorts[]): Promise<ServerLinks> {
  const pairs = members.flatMap((_, from) => members.map((_member, to) => ({ from, to }))).filter(isPair);
  const free = await freePorts(pairs.length * 2);
  const ports = pairs.map((_, index) => ({ quorum: free[2 * index]!, election: free[2 * index + 1]! }));
  const starting = pairs.map(async ({ from, to }, index): Promise<Link> => {
    const own = Buffer.from(`127.0.0.1:${members[from]!.election}`);
    const wayBack = ports[pairs.findIndex(pair => pair.from === to && pair.to === from)]!;
    const proxied = Buffer.from(`127.0.0.1:${wayBack.election}`);
    const proxies = await Promise.all([
      startTcpProxy(members[to]!.quorum, { traffic: 'servers', port: ports[index]!.quorum }),
      startTcpProxy(members[to]!.election, {
        traffic: 'servers',
        port: ports[index]!.election,
        rewrite: chunk => replaced(chunk, own, proxied),
      }),
    ]);
    return { from, to, ports: ports[index]!, proxies };
  });
  return new ServerLinks(await Promise.all(starting));
}

function isPair({ from, to }: { from: number; to: number }): boolean {
  return from !== to;
}

/** Both of one length: ports of tests have five digits. */
function replaced(chunk: Buffer, address: Buffer, other: Buffer): Buffer {
  const at = chunk.indexOf(address);
  if (at < 0) return chunk;
  const copy = Buffer.from(chunk);
  other.copy(copy, at);
  return copy;
}

import { createLock } from '../../../src/recipes/createLock.ts';
import type { Lease } from '../../../src/recipes/lock.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { eventually } from '../../support/eventually.ts';

/** A service with one session, which takes locks in the names of kazoo. */
export class Service {
  readonly name: string;
  readonly client: ZooKeeperClient;
  private readonly leases = new Map<string, Promise<Lease>>();
  private readonly leaving = new AbortController();

  private constructor(name: string, client: ZooKeeperClient) {
    this.name = name;
    this.client = client;
  }

  static async start(connectString: string, name: string): Promise<Service> {
    return new Service(name, await connect(connectString));
  }

  /** Its session, as texts show it. */
  get session(): string {
    return `0x${BigInt.asUintN(64, this.client.sessionId).toString(16)}`;
  }

  /** Takes a lock that is free. */
  async hold(path: string): Promise<void> {
    await this.queueUp(path);
    await this.leases.get(path);
  }

  /** Waits for a lock, in the background. Its node is there when this returns. */
  async queueUp(path: string): Promise<void> {
    const lock = createLock(this.client, path, { recipe: 'mutex', dialect: 'kazoo', identifier: this.name });
    const lease = lock.acquire({ signal: this.leaving.signal });
    // The test ends while it waits.
    lease.catch(() => undefined);
    this.leases.set(path, lease);
    await eventually(async () => {
      const { children } = await this.client.getChildren(path);
      const stats = await Promise.all(children.map(child => this.client.exists(`${path}/${child}`)));
      if (!stats.some(stat => stat?.ephemeralOwner === this.client.sessionId))
        throw new Error(`${this.name} is not in ${path}.`);
    });
  }

  /** Gives a lock back that it holds. */
  async release(path: string): Promise<void> {
    const lease = await this.leases.get(path);
    this.leases.delete(path);
    await lease?.release();
  }

  /** Ends its session: all its nodes go. */
  async stop(): Promise<void> {
    this.leaving.abort();
    await this.client.close();
  }
}

/** Locks that services keep from each other. */
export interface BlockedServices {
  /** By name. */
  readonly all: ReadonlyMap<string, Service>;
  of(name: string): Service;
  stop(): Promise<void>;
}

/**
 * A chain over three locks (`billing` keeps /shop/orders from `checkout`, which keeps /shop/stock from `mailing` and `pricing`, and `mailing`
 * keeps /shop/mail from `search`), and `ledger`, which keeps /shop/tax from `refunds`.
 */
export async function startBlockedServices(connectString: string): Promise<BlockedServices> {
  const all = new Map<string, Service>();
  for (const name of ['billing', 'checkout', 'mailing', 'pricing', 'search', 'ledger', 'refunds']) {
    all.set(name, await Service.start(connectString, name));
  }
  const of = (name: string): Service => {
    const service = all.get(name);
    if (service === undefined) throw new Error(`There is no service ${name}.`);
    return service;
  };
  for (const [name, path] of [
    ['billing', '/shop/orders'],
    ['checkout', '/shop/stock'],
    ['mailing', '/shop/mail'],
    ['ledger', '/shop/tax'],
  ] as const) {
    await of(name).hold(path);
  }
  for (const [name, path] of [
    ['checkout', '/shop/orders'],
    ['mailing', '/shop/stock'],
    ['pricing', '/shop/stock'],
    ['search', '/shop/mail'],
    ['refunds', '/shop/tax'],
  ] as const) {
    await of(name).queueUp(path);
  }
  return {
    all,
    of,
    stop: async () => {
      for (const service of all.values()) await service.stop();
    },
  };
}

/** Two services that wait for each other: `east` keeps /shop/east, `west` keeps /shop/west. */
export async function startCircle(connectString: string): Promise<Service[]> {
  const east = await Service.start(connectString, 'east');
  const west = await Service.start(connectString, 'west');
  await east.hold('/shop/east');
  await west.hold('/shop/west');
  await east.queueUp('/shop/west');
  await west.queueUp('/shop/east');
  return [east, west];
}

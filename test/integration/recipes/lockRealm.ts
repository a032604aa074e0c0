import { afterEach, beforeEach, expect } from 'vitest';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect, type ConnectOptions } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { connectInformed } from '../../support/informedSession.ts';
import { useTestRealm, type TestRealm } from '../../support/freshChroot.ts';
import type { ObservedNode, Observer } from '../../support/observer.ts';
import { SpiedClient } from '../../support/spiedClient.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';

/** Every ephemeral node below `path`. */
export async function ephemerals(observer: Observer, path = '/'): Promise<ObservedNode[]> {
  const children = await observer.ls(path);
  const deeper = await Promise.all(
    children.filter(child => child.numChildren > 0).map(child => ephemerals(observer, child.path)),
  );
  return [...children.filter(child => child.ephemeralOwner > 0n), ...deeper.flat()];
}

/** What a test left behind: nodes of its sessions, listeners on its clients. `[]` is what every test must end with. */
export async function leftovers(observer: Observer, clients: readonly SpiedClient[]): Promise<string[]> {
  const owners = new Set(clients.map(({ sessionId }) => sessionId));
  const nodes = (await ephemerals(observer)).filter(({ ephemeralOwner }) => owners.has(ephemeralOwner));
  const listening = clients.filter(({ listeners }) => listeners > 0);
  return [
    ...nodes.map(({ path }) => `node ${path}`),
    ...listening.map(({ listeners }) => `${listeners} listeners on a client`),
  ];
}

/**
 * Nothing of `client` is left by its failed attempt. Once its limit is over it waits for its clean-up for up to a second
 * (`cleanUpGraceMs`): one that took no longer has left, and only on a busy machine a moment later is early enough.
 *
 * @param tookMs from the cancel, or from the start, until it failed
 */
export async function expectLeft(observer: Observer, client: SpiedClient, tookMs: number): Promise<void> {
  const look = async (): Promise<void> => expect(await leftovers(observer, [client])).toEqual([]);
  await (tookMs < 900 ? look() : eventually(look));
}

export interface LockRealm extends TestRealm {
  /** Opens a session that ends with the test; nothing of it may be left by then. */
  open(options?: ConnectOptions): Promise<SpiedClient>;
  /** Opens a session by way of a faulty network of its own. */
  openBehindProxy(options?: ConnectOptions): Promise<{ client: SpiedClient; proxy: TcpProxy }>;
  /** Starts a faulty network that ends with the test. */
  proxy(): Promise<TcpProxy>;
  openVia(network: TcpProxy, options?: ConnectOptions): Promise<SpiedClient>;
}

/** A test realm for recipes: sessions on demand, and a guard after each test that nothing was left behind. */
export function useLockRealm(): LockRealm {
  const realm = useTestRealm();
  let clients: SpiedClient[] = [];
  let proxies: TcpProxy[] = [];
  beforeEach(() => {
    clients = [];
    proxies = [];
  });
  afterEach(async () => {
    try {
      // A failed attempt may still be cleaning up after an outage.
      await eventually(async () => expect(await leftovers(realm.observer, clients)).toEqual([]));
    } finally {
      await Promise.all(clients.map(client => client.close()));
      await Promise.all(proxies.map(proxy => proxy.close()));
    }
  });
  const own = async (connecting: Promise<ZooKeeperClient>): Promise<SpiedClient> => {
    const client = new SpiedClient(await connecting);
    clients.push(client);
    return client;
  };
  const proxy = async (): Promise<TcpProxy> => {
    const started = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]));
    proxies.push(started);
    return started;
  };
  const openVia = (network: TcpProxy, options?: ConnectOptions): Promise<SpiedClient> =>
    own(connectInformed(network.connectString + realm.chroot, options));
  const further: Omit<LockRealm, keyof TestRealm> = {
    open: options => own(connect(realm.connectString, options)),
    proxy,
    openVia,
    async openBehindProxy(options) {
      const network = await proxy();
      return { client: await openVia(network, options), proxy: network };
    },
  };
  // The realm's fields change with every test: they must stay getters.
  return Object.defineProperties(further, Object.getOwnPropertyDescriptors(realm)) as LockRealm;
}

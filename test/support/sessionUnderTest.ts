import type { SessionState, SessionStateChange, ZooKeeperClient } from '../../src/zookeeper/client.ts';
import type { ConnectOptions } from '../../src/zookeeper/connect.ts';
import { connectInformed } from './informedSession.ts';
import { startTcpProxy, type TcpProxy } from './tcpProxy.ts';

interface TimedChange extends SessionStateChange {
  /** Monotonic ms. */
  at: number;
}

/** A session behind one faulty network per server, with everything that it ever said about its state. */
export class SessionUnderTest {
  readonly client: ZooKeeperClient;
  readonly proxies: readonly TcpProxy[];
  readonly changes: TimedChange[] = [];

  constructor(client: ZooKeeperClient, proxies: readonly TcpProxy[]) {
    this.client = client;
    this.proxies = proxies;
    client.onState(change => this.changes.push({ ...change, at: performance.now() }));
  }

  get states(): SessionState[] {
    return this.changes.map(change => change.state);
  }

  /** The proxy of the first server. */
  get proxy(): TcpProxy {
    return this.proxies[0]!;
  }

  /** The proxy through which the session runs now. */
  get attached(): TcpProxy {
    const used = this.proxies.find(proxy => proxy.connectString === this.client.server);
    if (used === undefined) throw new Error('The session is not attached.');
    return used;
  }

  /** When the session first said `state`, monotonic ms; `undefined` if it has not. */
  saidAt(state: SessionState): number | undefined {
    return this.changes.find(change => change.state === state)?.at;
  }
}

/**
 * Runs `run` with a session that reaches each of `ports` through a proxy of its own; ends everything afterwards.
 *
 * @param ports of servers on 127.0.0.1; the same one twice looks like two servers
 */
export async function withSession(
  ports: readonly number[],
  options: ConnectOptions & { chroot?: string },
  run: (session: SessionUnderTest) => Promise<void>,
): Promise<void> {
  const proxies = await Promise.all(ports.map(port => startTcpProxy(port)));
  const { chroot = '', ...rest } = options;
  try {
    const client = await connectInformed(proxies.map(proxy => proxy.connectString).join(',') + chroot, rest);
    try {
      await run(new SessionUnderTest(client, proxies));
    } finally {
      for (const proxy of proxies) {
        proxy.blackHole('none');
        proxy.forwardAll();
      }
      await client.close();
    }
  } finally {
    await Promise.all(proxies.map(proxy => proxy.close()));
  }
}

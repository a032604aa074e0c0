import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { unlessAnswered } from '../../../src/zookeeper/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { allCases, begin, lockOf, rivalOf, type RecipeCase } from './cases.ts';

/** A server that carries out one request at a time, and refuses what has waited for longer than 1 ms (3.7+). */
let server: ZooKeeperEnsemble;
let proxy: TcpProxy;
let refusals = 0;
const clients: ZooKeeperClient[] = [];

beforeAll(async () => {
  server = await startZooKeeper({
    systemProperties: {
      'zookeeper.request_throttle_max_requests': '1',
      'zookeeper.throttled_op_wait_time': '1',
      'zookeeper.request_throttle_stall_time': '5',
    },
  });
  proxy = await startTcpProxy(server.ports[0]!);
});
beforeEach(() => {
  refusals = 0;
  proxy.onReply(({ error }) => {
    if (error === -127) refusals++;
    return 'forward';
  });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()));
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
});

async function open(): Promise<ZooKeeperClient> {
  const client = await connect(proxy.connectString, { sessionTimeoutMs: 20_000 });
  clients.push(client);
  return client;
}

async function ephemerals(client: ZooKeeperClient, path: string): Promise<string[]> {
  const listing = await unlessAnswered(client.getChildren(path), 'NO_NODE');
  if (listing === undefined) return [];
  const { children, stat } = listing;
  const below = await Promise.all(children.map(child => ephemerals(client, `${path}/${child}`)));
  return [...(stat.ephemeralOwner === 0n ? [] : [path]), ...below.flat()];
}

/** A write that was refused is not repeated by the session, since nothing says that its user still wants it. */
async function untilTaken<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await unlessAnswered(
      write().then(value => ({ value })),
      'THROTTLED_OP',
    );
    if (done !== undefined) return done.value;
  }
}

/** After each burst the server has time for others: a slow machine would refuse everything for ever. */
const idleMs = 10;

/** Keeps the server busy in bursts, so that requests of others have to wait. */
function load(client: ZooKeeperClient): { stop(): Promise<void> } {
  let isOn = true;
  const busy = async (): Promise<void> => {
    while (isOn) {
      const write = () => client.setData('/load', Buffer.alloc(10), 0).catch(() => undefined);
      await Promise.all(Array.from({ length: 20 }, write));
      await new Promise(resolve => setTimeout(resolve, idleMs));
    }
  };
  const running = busy();
  return {
    stop: () => {
      isOn = false;
      return running;
    },
  };
}

async function takeTurns(kind: RecipeCase): Promise<void> {
  const one = { ...kind, limit: 1 };
  const path = `/locks/${one.title.replaceAll(/\W+/g, '-')}`;
  const [first, second] = await Promise.all([open(), open()]);
  const holder = await rivalOf(first, one, path).acquire({ timeoutMs: 60_000 });
  const waiting = begin(lockOf(second, one, path), { timeoutMs: 60_000 });
  await Promise.race([waiting.waits, waiting.taking]);
  await holder.release();
  const lease = await waiting.taking;
  expect(lease.state).toBe('held');
  await lease.release();
  await expect(ephemerals(first, path)).resolves.toEqual([]);
}

describe('F24 an overloaded server that answers THROTTLED_OP', { timeout: 120_000 }, () => {
  let loading: { stop(): Promise<void> } | undefined;
  beforeAll(async () => {
    const client = await connect(server.connectString);
    await untilTaken(() => client.create('/load'));
    await untilTaken(() => client.create('/locks'));
    const busy = load(client);
    loading = { stop: () => busy.stop().then(() => client.close()) };
  });
  afterAll(() => loading?.stop());

  it('makes attempts slower: none fails, none leaves a node, in any recipe and dialect', async () => {
    // No attempt may fail, however often it takes until one is refused.
    do await Promise.all(allCases.map(takeTurns));
    while (refusals === 0);
  });

  it('makes readings slower, and they find everything', async () => {
    const client = await open();
    const lock = '/locks/long';
    await untilTaken(() => client.create(lock));
    const names = Array.from({ length: 50 }, () => `${lock}/lock-`);
    await Promise.all(names.map(name => untilTaken(() => client.create(name, { mode: 'ephemeral_sequential' }))));
    refusals = 0;
    await eventually(async () => {
      const [queue] = await readQueues(client, lock);
      expect(queue?.contenders).toHaveLength(names.length);
      expect(refusals).toBeGreaterThan(0);
    }, 60_000);
  });

  it('leaves a lease held, and a node that goes is noticed', async () => {
    const [holder, other] = await Promise.all([open(), open()]);
    const lease = await lockOf(holder, allCases[0]!, '/locks/held').acquire({ timeoutMs: 30_000 });
    const end = performance.now() + 2_000;
    while (performance.now() < end) {
      await other.exists('/locks');
      expect(lease.state).toBe('held');
    }
    await untilTaken(() => other.remove(lease.path, 0));
    await eventually(() => expect(lease.state).toBe('lost'));
  });
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Disposable } from '../../../src/base/disposable.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { holders } from '../../support/contenderNames.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';

// docs/faults.md, L36. A session that ends takes all its nodes in one transaction, and each deletion is an event of its own. Over a
// slow network the events come one by one, and between two of them the rest of the nodes looks alive.

const realm = useTestRealm();
let proxy: TcpProxy;
let client: ZooKeeperClient;
let watch: Disposable | undefined;
/** The numbers of all holders that were reported, in the order of their first report. */
let seen: Set<number>;
/** How many contenders were reported last. */
let present: number;

beforeEach(async () => {
  const [host] = realm.serverConnectString.split(',');
  proxy = await startTcpProxy(Number(host!.split(':')[1]));
  client = await connect(proxy.connectString + realm.chroot);
  seen = new Set();
  present = 0;
});
afterEach(async () => {
  watch?.dispose();
  proxy.forwardAll();
  await client.close();
  await proxy.close();
});

async function start(path: string): Promise<void> {
  watch = await watchQueues(client, path, queues => {
    for (const name of queues.flatMap(holders)) seen.add(Number(name.slice(-10)));
    present = queues.flatMap(({ contenders }) => contenders).length;
  });
  proxy.trickle('down', { bytes: 100, everyMs: 10 });
}

it('no node is shown as holder that goes together with the holder', async () => {
  const place = { path: `/lock/${'a'.repeat(32)}__lock__`, ephemeral: true, sequence: true };
  await realm.observer.ensure('/lock');
  const ended = await realm.observer.openSession();
  await ended.createMany(Array.from({ length: 12 }, () => place));
  await realm.observer.createMany([place, place]);
  await start('/lock');
  await ended.closeSession();
  await eventually(() => expect([...seen]).toContain(12));
  expect([...seen]).toEqual([0, 12]);
});

it('nor is the lease of a client that goes while it waits with the mutex of the semaphore', async () => {
  const id = '_c_01234567-89ab-cdef-0123-456789abcdef';
  const lease = { path: `/lock/leases/${id}-lease-`, ephemeral: true, sequence: true };
  const mutex = { path: `/lock/locks/${id}-lock-`, ephemeral: true, sequence: true };
  for (const directory of ['/lock/leases', '/lock/locks']) await realm.observer.ensure(directory);
  await realm.observer.createMany([lease]);
  await start('/lock');
  // The order of the events is that of a hash table of the server: now and then the mutex goes first.
  for (let round = 0; round < 8; round++) {
    const waiting = await realm.observer.openSession();
    await waiting.createMany([mutex, lease]);
    await eventually(() => expect(present).toBe(2));
    await waiting.closeSession();
    await eventually(() => expect(present).toBe(1));
  }
  expect([...seen]).toEqual([0]);
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { CancelledError } from '../../../src/zookeeper/errors.ts';
import { curatorMutex } from '../../support/contenderNames.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startKazooContenders } from '../../support/kazooContenders.ts';
import { longQueue } from '../../support/longQueue.ts';

const realm = useTestRealm();
let client: ZooKeeperClient;
beforeEach(async () => {
  client = await connect(realm.connectString);
});
afterEach(() => client.close());

async function medianMs(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < times; run += 1) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)]!;
}

/** Printed, not asserted: a loaded machine must not turn a test red. */
function print(text: string): void {
  process.stdout.write(`    ${text}\n`);
}

it("a queue of 10,000: the same names as kazoo's contenders(), far sooner", { timeout: 120_000 }, async () => {
  const made = await longQueue(realm.observer, '/long', 10_000);
  const kazoo = startKazooContenders(realm.serverConnectString);
  try {
    await kazoo.start({ contender: 'reader', recipe: 'lock', path: `${realm.chroot}/other` });
    const { count, seconds } = await kazoo.timeContenders('reader', `${realm.chroot}/long`);
    const [queue] = await readQueues(client, '/long');
    expect(count).toBe(10_000);
    expect(queue?.contenders.map(contender => contender.path)).toEqual(made);
    expect(queue?.contenders.filter(contender => contender.role === 'holder')).toHaveLength(1);
    const ours = await medianMs(15, () => readQueues(client, '/long'));
    const ratio = (seconds * 1000) / ours;
    print(
      `10,000 contenders: kazoo ${(seconds * 1000).toFixed(0)} ms, readQueues ${ours.toFixed(0)} ms, 1/${ratio.toFixed(0)}`,
    );
  } finally {
    await kazoo.stop();
  }
});

it('finds every lock in a tree of thousands of nodes, and only those', { timeout: 120_000 }, async () => {
  const { observer } = realm;
  const plain = Array.from({ length: 200 }, (_, index) => `/config/app${index}`);
  const locks = Array.from({ length: 100 }, (_, index) => `/services/s${index}/lock`);
  for (const path of ['/config', '/services']) await observer.ensure(path);
  await observer.createMany(plain.map(path => ({ path })));
  await observer.createMany(
    plain.flatMap(path => Array.from({ length: 10 }, (_, at) => ({ path: `${path}/key${at}` }))),
  );
  await observer.createMany(locks.map(path => ({ path: path.slice(0, -5) })));
  await observer.createMany(locks.map(path => ({ path })));
  await observer.createMany(
    locks.flatMap(path => [1, 2].map(number => ({ path: `${path}/${curatorMutex(number)}`, ephemeral: true }))),
  );
  const start = performance.now();
  const found = await findLocks(client, '/');
  print(`findLocks: ${found.visited} nodes listed in ${(performance.now() - start).toFixed(0)} ms`);
  expect(found).toMatchObject({ truncated: false, denied: [], visited: 1 + 2 + 200 + 2_000 + 100 + 100 });
  expect(found.locks.map(lock => lock.path).sort()).toEqual([...locks].sort());
  expect(found.locks.every(lock => lock.dialect === 'curator' && lock.contenders === 2)).toBe(true);

  const abort = new AbortController();
  const search = findLocks(client, '/', { signal: abort.signal, onProgress: () => abort.abort() });
  await expect(search).rejects.toBeInstanceOf(CancelledError);
  expect((await findLocks(client, '/services/s7')).locks).toHaveLength(1);
});

it('semaphores, elections and single nodes are found once each; a locked branch is reported', async () => {
  const { observer } = realm;
  const sequential = { ephemeral: true, sequence: true };
  const id = '01234567-89ab-cdef-0123-456789abcdef';
  await observer.create(`/curator/locks/_c_${id}-lock-`, sequential);
  await observer.create(`/curator/leases/_c_${id}-lease-`, sequential);
  await observer.create(`/curator/leases/_c_${id}-lease-`, {
    ...sequential,
    data: 'pending, since its session heads the queue',
  });
  await observer.create('/kazoo', { data: '2' });
  await observer.create(`/kazoo/${'b'.repeat(32)}`, { ephemeral: true });
  await observer.create(`/kazoo-__lock__/${'c'.repeat(32)}__lock__`, sequential);
  await observer.create('/kafka/controller', { ephemeral: true, data: '{"brokerid":1}' });
  await observer.create('/plain/controller/config');
  await observer.create('/idle/leader');
  await observer.create(`/secret/lock/${'c'.repeat(32)}__lock__`, sequential);
  await observer.addAuth('digest', 'owner:secret');
  await observer.setAcl('/secret', [{ scheme: 'auth', id: '', permissions: 'cdrwa' }]);
  const { locks, denied } = await findLocks(client, '/');
  expect(denied).toEqual(['/secret']);
  expect(locks.map(({ path, dialect, contenders }) => `${path} ${dialect} ${contenders}`).sort()).toEqual([
    '/curator curator-semaphore 2',
    '/kafka/controller kafka-controller 1',
    '/kazoo kazoo-semaphore 2',
  ]);
});

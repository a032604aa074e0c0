import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startKazooContenders, type KazooContenders, type KazooRecipe } from '../../support/kazooContenders.ts';
import { compareWithTruth, type Scenario } from './recipeTruth.ts';

const realm = useTestRealm();
let contenders: KazooContenders;
let client: ZooKeeperClient;

beforeAll(() => {
  contenders = startKazooContenders(realm.serverConnectString);
});
afterAll(() => contenders.stop());
beforeEach(async () => {
  client = await connect(realm.connectString);
});
afterEach(() => client.close());

// kazoo 2.8.0 lets a reader wait for the highest writer, a later one too (docs/dialects.md, section 3): where a writer
// comes after a reader, it joins when that reader has the lock already.
const scenarios: Scenario<KazooRecipe>[] = [
  {
    title: 'lock',
    dialect: 'kazoo',
    join: [
      ['a', 'lock'],
      ['b', 'lock'],
      ['c', 'lock'],
    ],
    holders: [['a'], ['b'], ['c'], []],
    releases: ['a', 'b', 'c'],
    exclusive: true,
  },
  {
    title: 'election',
    dialect: 'kazoo',
    join: [
      ['a', 'election'],
      ['b', 'election'],
    ],
    holders: [['a'], ['b'], []],
    releases: ['a', 'b'],
    exclusive: true,
  },
  {
    title: 'readers behind a writer',
    dialect: 'kazoo',
    join: [
      ['w', 'write'],
      ['r1', 'read'],
      ['r2', 'read'],
    ],
    holders: [['w'], ['r1', 'r2'], ['r2'], []],
    releases: ['w', 'r1', 'r2'],
  },
  {
    title: 'a writer behind readers',
    dialect: 'kazoo',
    join: [
      ['r1', 'read'],
      ['r2', 'read'],
      ['w', 'write'],
    ],
    holders: [['r1', 'r2'], ['r2'], ['w'], []],
    releases: ['r1', 'r2', 'w'],
  },
  {
    title: 'semaphore of two',
    dialect: 'kazoo-semaphore',
    maxLeases: 2,
    join: [
      ['a', 'semaphore'],
      ['b', 'semaphore'],
      ['c', 'semaphore'],
      ['d', 'semaphore'],
    ],
    holders: [['a', 'b'], ['b', 'c'], ['c', 'd'], ['d'], []],
    releases: ['a', 'b', 'c', 'd'],
  },
];

it.each(scenarios)('$title ($dialect)', async scenario => {
  await compareWithTruth({ contenders, client, observer: realm.observer, chroot: realm.chroot }, scenario);
});

it('lease: a persistent node says who holds', async () => {
  const path = `${realm.chroot}/lease`;
  for (const contender of ['a', 'b']) {
    await contenders.start({ contender, recipe: 'lease', path, identifier: `host-${contender}` });
  }
  const seen: LockQueue[][] = [];
  const watch = await watchQueues(client, '/lease', queues => void seen.push(queues));
  try {
    await contenders.acquire('a');
    await contenders.begin('b');
    const expected = [{ role: 'holder', identifier: 'host-a', ownerSession: 0n }];
    await eventually(async () => {
      const [queue] = await readQueues(client, '/lease');
      expect(queue).toMatchObject({ dialect: 'kazoo-lease', contenders: expected });
      expect(await contenders.holders()).toEqual(['a']);
    });
    await eventually(() => expect(seen.at(-1)?.[0]).toMatchObject({ dialect: 'kazoo-lease', contenders: expected }));
  } finally {
    watch.dispose();
    for (const contender of ['a', 'b']) await contenders.end(contender);
  }
});

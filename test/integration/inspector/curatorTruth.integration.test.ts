import { afterAll, afterEach, beforeAll, beforeEach, it } from 'vitest';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../../support/curatorContenders.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { compareWithTruth, type Scenario } from './recipeTruth.ts';

const realm = useTestRealm();
let contenders: Contenders<CuratorRecipe>;
let client: ZooKeeperClient;

beforeAll(() => {
  contenders = startCuratorContenders(realm.serverConnectString);
});
afterAll(() => contenders.stop());
beforeEach(async () => {
  client = await connect(realm.connectString);
});
afterEach(() => client.close());

/** Three contenders of a recipe that only one may hold. */
function oneAfterTheOther(recipe: CuratorRecipe, dialect: Scenario<CuratorRecipe>['dialect']): Scenario<CuratorRecipe> {
  return {
    title: recipe,
    dialect,
    join: [
      ['a', recipe],
      ['b', recipe],
      ['c', recipe],
    ],
    holders: [['a'], ['b'], ['c'], []],
    releases: ['a', 'b', 'c'],
    exclusive: true,
  };
}

const scenarios: Scenario<CuratorRecipe>[] = [
  oneAfterTheOther('mutex', 'curator'),
  oneAfterTheOther('latch', 'curator-latch'),
  oneAfterTheOther('selector', 'curator'),
  oneAfterTheOther('semaphoreMutex', 'curator-semaphore'),
  oneAfterTheOther('zooKeeperWriteLock', 'zookeeper-writelock'),
  oneAfterTheOther('leaderElectionSupport', 'zookeeper-election'),
  {
    title: 'readers share, a writer waits for all of them',
    dialect: 'curator',
    join: [
      ['r1', 'read'],
      ['r2', 'read'],
      ['w', 'write'],
      ['r3', 'read'],
    ],
    holders: [['r1', 'r2'], ['r2'], ['w'], ['r3'], []],
    releases: ['r1', 'r2', 'w', 'r3'],
  },
  {
    title: 'writers between readers',
    dialect: 'curator',
    join: [
      ['w1', 'write'],
      ['r', 'read'],
      ['w2', 'write'],
    ],
    holders: [['w1'], ['r'], ['w2'], []],
    releases: ['w1', 'r', 'w2'],
    exclusive: true,
  },
  {
    title: 'a writer that takes the read lock too',
    dialect: 'curator',
    join: [
      ['d', 'writeThenRead'],
      ['w', 'write'],
    ],
    holders: [['d'], ['w'], []],
    releases: ['d', 'w'],
    exclusive: true,
  },
  {
    title: 'semaphore of two',
    dialect: 'curator-semaphore',
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

import { expect, it } from 'vitest';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../../support/curatorContenders.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { describeWithGo, startGoContenders, type GoRecipe } from '../../support/goContenders.ts';
import { startKazooContenders, type KazooRecipe } from '../../support/kazooContenders.ts';

const realm = useTestRealm();

/** Lets `first` hold and `second` wait behind it; then hands over. */
async function handsOver<Recipe extends string>(
  contenders: Contenders<Recipe>,
  first: Recipe,
  second: Recipe,
  folder: string,
): Promise<string[]> {
  await contenders.start({ contender: 'a', recipe: first, path: '/q', identifier: 'host-a' });
  await contenders.start({ contender: 'b', recipe: second, path: '/q', identifier: 'host-b' });
  await contenders.acquire('a');
  await contenders.begin('b');
  const names = await eventually(async () => {
    const nodes = await realm.observer.ls(folder);
    expect(nodes.map(node => node.ephemeralOwner)).toContain(contenders.sessionId('b'));
    return nodes.map(node => node.name);
  });
  expect(await contenders.holders()).toEqual(['a']);
  await contenders.release('a');
  // WriteLock sets no watch on a predecessor that has just gone, and sleeps (L8): it is asked again, as its users must.
  const askAgain = async (): Promise<void> => {
    await contenders.begin('b');
    await contenders.holds('b', 500);
  };
  await (second === 'zooKeeperWriteLock' ? eventually(askAgain) : contenders.holds('b'));
  expect(await contenders.holders()).toEqual(['b']);
  return names;
}

const curator: { first: CuratorRecipe; second: CuratorRecipe; folder?: string; name: RegExp }[] = [
  { first: 'mutex', second: 'mutex', name: /^_c_[0-9a-f-]{36}-lock-\d{10}$/ },
  { first: 'selector', second: 'selector', name: /-lock-\d{10}$/ },
  { first: 'write', second: 'read', name: /-__(WRIT|READ)__\d{10}$/ },
  { first: 'writeThenRead', second: 'write', name: /-__(WRIT|READ)__\d{10}$/ },
  { first: 'semaphore', second: 'semaphore', folder: '/q/locks', name: /-lock-\d{10}$/ },
  { first: 'semaphoreMutex', second: 'semaphoreMutex', folder: '/q/leases', name: /-lease-\d{10}$/ },
  { first: 'semaphoreV1', second: 'semaphoreV1', name: /-lock-\d{10}$/ },
  { first: 'latch', second: 'latch', name: /-latch-\d{10}$/ },
  { first: 'zooKeeperWriteLock', second: 'zooKeeperWriteLock', name: /^x-\d+-\d{10}$/ },
  { first: 'leaderElectionSupport', second: 'leaderElectionSupport', name: /^n_\d{10}$/ },
];

it.each(curator)(
  'Curator or ZooKeeper: $first hands over to $second',
  async ({ first, second, folder = '/q', name }) => {
    const contenders = startCuratorContenders(realm.connectString);
    try {
      for (const child of await handsOver(contenders, first, second, folder)) expect(child).toMatch(name);
    } finally {
      await contenders.stop();
    }
  },
);

const kazoo: { first: KazooRecipe; second: KazooRecipe; folder?: string; name: RegExp }[] = [
  { first: 'lock', second: 'lock', name: /^[0-9a-f]{32}__lock__\d{10}$/ },
  { first: 'write', second: 'read', name: /^[0-9a-f]{32}__r?lock__\d{10}$/ },
  { first: 'semaphore', second: 'semaphore', folder: '/q-__lock__', name: /^[0-9a-f]{32}__lock__\d{10}$/ },
  { first: 'election', second: 'election', name: /^[0-9a-f]{32}__lock__\d{10}$/ },
];

it.each(kazoo)('kazoo: $first hands over to $second', async ({ first, second, folder = '/q', name }) => {
  const contenders = startKazooContenders(realm.connectString);
  try {
    for (const child of await handsOver(contenders, first, second, folder)) expect(child).toMatch(name);
  } finally {
    await contenders.stop();
  }
});

it('kazoo: a lease is taken by one and refused to the other', async () => {
  const contenders = startKazooContenders(realm.connectString);
  try {
    await contenders.start({ contender: 'a', recipe: 'lease', path: '/lease', identifier: 'host-a' });
    await contenders.start({ contender: 'b', recipe: 'lease', path: '/lease', identifier: 'host-b' });
    await contenders.acquire('a');
    await contenders.begin('b');
    const holder = await realm.observer.get('/lease/lease_holder');
    expect(JSON.parse(holder!.data.toString())).toMatchObject({ holder: 'host-a' });
    await eventually(async () => expect(await contenders.holders()).toEqual(['a']));
  } finally {
    await contenders.stop();
  }
});

/** Two contenders of one session queue and the first hands over; then the third leaves the queue. */
async function sharesSession<Recipe extends string>(contenders: Contenders<Recipe>, recipe: Recipe): Promise<void> {
  for (const contender of ['a', 'b', 'c']) {
    await contenders.start({ contender, recipe, path: '/q', session: 'shared' });
  }
  await contenders.start({ contender: 'other', recipe, path: '/other' });
  expect(contenders.sessionId('b')).toBe(contenders.sessionId('a'));
  expect(contenders.sessionId('other')).not.toBe(contenders.sessionId('a'));
  await contenders.acquire('a');
  for (const [at, contender] of ['b', 'c'].entries()) {
    await contenders.begin(contender);
    await eventually(async () => {
      const owners = (await realm.observer.ls('/q')).map(node => node.ephemeralOwner);
      expect(owners).toEqual(Array(at + 2).fill(contenders.sessionId('a')));
    });
  }
  await contenders.release('a');
  await contenders.holds('b');
  await contenders.cancel('c');
  await eventually(async () => expect(await realm.observer.ls('/q')).toHaveLength(1));
  expect(await contenders.holders()).toEqual(['b']);
  await contenders.end('b');
  expect(await realm.observer.ls('/q')).toEqual([]);
  await contenders.acquire('other');
}

it('Curator: threads share a session', async () => {
  const contenders = startCuratorContenders(realm.connectString);
  try {
    await sharesSession(contenders, 'mutex');
  } finally {
    await contenders.stop();
  }
});

it('kazoo: threads share a session', async () => {
  const contenders = startKazooContenders(realm.connectString);
  try {
    await sharesSession(contenders, 'lock');
  } finally {
    await contenders.stop();
  }
});

it('Curator: a downgrade takes the read lock and gives back the write lock', async () => {
  const contenders = startCuratorContenders(realm.connectString);
  try {
    await contenders.start({ contender: 'a', recipe: 'downgrade', path: '/q' });
    await contenders.acquire('a');
    const names = async () => (await realm.observer.ls('/q')).map(({ name }) => /__[A-Z]+__/.exec(name)?.[0]);
    for (const expected of [['__WRIT__'], ['__WRIT__', '__READ__'], ['__READ__']]) {
      expect(await names()).toEqual(expected);
      expect(await contenders.holders()).toEqual(['a']);
      await contenders.release('a');
    }
    expect(await names()).toEqual([]);
    expect(await contenders.holders()).toEqual([]);
  } finally {
    await contenders.stop();
  }
});

describeWithGo('go-zookeeper', () => {
  it.each<GoRecipe>(['lock', 'lockOfToday'])('%s: goroutines share a session and hand over', async recipe => {
    const contenders = startGoContenders(realm.serverConnectString);
    try {
      for (const contender of ['a', 'b']) {
        await contenders.start({ contender, recipe, path: `${realm.chroot}/q`, session: 'shared' });
      }
      await contenders.acquire('a');
      await contenders.begin('b');
      const nodes = await eventually(async () => {
        const found = await realm.observer.ls('/q');
        expect(found).toHaveLength(2);
        return found;
      });
      for (const { name, ephemeralOwner } of nodes) {
        expect(name).toMatch(/^_c_[0-9a-f]{32}-lock-\d{10}$/);
        expect(ephemeralOwner).toBe(contenders.sessionId('a'));
      }
      expect(await contenders.holders()).toEqual(['a']);
      await contenders.release('a');
      await contenders.holds('b');
      await contenders.end('b');
      expect(await realm.observer.ls('/q')).toEqual([]);
    } finally {
      await contenders.stop();
    }
  });
});

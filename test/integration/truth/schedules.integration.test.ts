import { expect, it } from 'vitest';
import { describeWithGo } from '../../support/goContenders.ts';
import { curator, go, kazoo } from './programs.ts';
import { playAll, type Schedule } from './schedules.ts';
import { curatorSemaphore, game, kazooReadWrite, kazooSemaphore } from './layouts.ts';
import { useTheatre } from './theatre.ts';

const theatre = useTheatre();

it('Curator: mutex and elections', async () => {
  const isExclusive = true;
  await playAll(theatre, [
    { path: '/mutex', dialects: ['curator'], parts: curator('mutex'), isExclusive, ...game },
    { path: '/latch', dialects: ['curator-latch'], parts: curator('latch'), isExclusive, ...game },
    { path: '/selector', dialects: ['curator'], parts: curator('selector'), isExclusive, ...game },
  ]);
});

it('Curator: readers and writers', async () => {
  await playAll(theatre, [{ path: '/rw', dialects: ['curator'], parts: curator('read', 'write', 'read'), ...game }]);
});

it('Curator: semaphores', async () => {
  await playAll(theatre, [
    { path: '/semaphore-2', ...curatorSemaphore, parts: curator('semaphore'), maxLeases: 2, ...game },
    { path: '/semaphore-3', ...curatorSemaphore, parts: curator('semaphore'), maxLeases: 3, ...game },
    { path: '/semaphore-mutex', ...curatorSemaphore, parts: curator('semaphoreMutex'), isExclusive: true, ...game },
  ]);
});

it("ZooKeeper's own recipes", async () => {
  const lock = { dialects: ['zookeeper-writelock'], parts: curator('zooKeeperWriteLock') } as const;
  const election = { dialects: ['zookeeper-election'], parts: curator('leaderElectionSupport') } as const;
  await playAll(theatre, [
    // A WriteLock that gave up while it waited joins again when the node goes that it watched.
    { path: '/lock', ...lock, isExclusive: true, canCancel: false, ...game },
    { path: '/election', ...election, isExclusive: true, ...game },
  ]);
});

it('kazoo', async () => {
  await playAll(theatre, [
    { path: '/lock', dialects: ['kazoo'], parts: kazoo('lock'), isExclusive: true, ...game },
    { path: '/rw', ...kazooReadWrite, parts: kazoo('read', 'write', 'read'), ...game },
    { path: '/election', dialects: ['kazoo'], parts: kazoo('election'), isExclusive: true, ...game },
    { path: '/semaphore-2', ...kazooSemaphore, parts: kazoo('semaphore'), maxLeases: 2, ...game },
    { path: '/semaphore-3', ...kazooSemaphore, parts: kazoo('semaphore'), maxLeases: 3, ...game },
  ]);
});

it('kazoo beside Curator, under names that both count', async () => {
  const parts = [...kazoo('curatorNamedLock'), ...curator('mutex')];
  await playAll(theatre, [{ path: '/both', dialects: ['curator', 'generic'], parts, isExclusive: true, ...game }]);
});

describeWithGo('go-zookeeper', () => {
  it('alone, beside Curator, and beside kazoo under names that both count', async () => {
    const isExclusive = true;
    const besideCurator = [...go('lock'), ...curator('mutex')];
    const besideKazoo = [...go('lock'), ...kazoo('curatorNamedLock')];
    const dialects: Schedule['dialects'] = ['go-zookeeper', 'curator', 'generic'];
    await playAll(theatre, [
      { path: '/2018', dialects: ['go-zookeeper'], parts: go('lock'), isExclusive, ...game },
      { path: '/today', dialects: ['go-zookeeper'], parts: go('lockOfToday'), isExclusive, ...game },
      { path: '/curator', dialects, parts: besideCurator, isExclusive, ...game },
      { path: '/kazoo', dialects, parts: besideKazoo, isExclusive, ...game },
    ]);
  });
});

it('at least 300 steps were compared, each in all ways', () => {
  const { steps, trees, foretold, marks } = theatre.tally;
  process.stdout.write(`${steps} steps, ${trees} trees, ${foretold} next holders, ${marks} looks for marks: 0 wrong\n`);
  expect(steps).toBeGreaterThanOrEqual(300);
  expect(foretold).toBeGreaterThanOrEqual(100);
});

import { it } from 'vitest';
import { describeWithGo } from '../../support/goContenders.ts';
import { curatorSemaphore, game, kazooReadWrite, kazooSemaphore } from './layouts.ts';
import { curator, go, kazoo } from './programs.ts';
import { playAll, type Schedule } from './schedules.ts';
import { useTheatre } from './theatre.ts';

// Threads of a program share its session, so several nodes of a queue have one owner: the ordinary case.

const theatre = useTheatre();
const crowded = { ...game, crowd: 7, sessions: 2 };

it('Curator: mutexes, latches and selectors of the same programs', async () => {
  const isExclusive = true;
  await playAll(theatre, [
    { path: '/mutex', dialects: ['curator'], parts: curator('mutex'), isExclusive, ...crowded },
    { path: '/latch', dialects: ['curator-latch'], parts: curator('latch'), isExclusive, ...crowded },
    { path: '/selector', dialects: ['curator'], parts: curator('selector'), isExclusive, ...crowded },
    { path: '/election', dialects: ['zookeeper-election'], parts: curator('leaderElectionSupport'), ...crowded },
  ]);
});

it('Curator: readers and writers of the same programs, and writers that read too', async () => {
  const dialects: Schedule['dialects'] = ['curator'];
  await playAll(theatre, [
    { path: '/rw', dialects, parts: curator('read', 'write', 'read'), ...crowded },
    { path: '/both', dialects, parts: curator('writeThenRead', 'read', 'write'), ...game },
  ]);
});

it('Curator: semaphores of the same programs', async () => {
  await playAll(theatre, [
    { path: '/semaphore', ...curatorSemaphore, parts: curator('semaphore'), maxLeases: 3, ...crowded },
    { path: '/semaphore-mutex', ...curatorSemaphore, parts: curator('semaphoreMutex'), ...crowded },
  ]);
});

it('kazoo: threads', async () => {
  await playAll(theatre, [
    { path: '/lock', dialects: ['kazoo'], parts: kazoo('lock'), isExclusive: true, ...crowded },
    { path: '/rw', ...kazooReadWrite, parts: kazoo('read', 'write', 'read'), ...crowded },
    { path: '/election', dialects: ['kazoo'], parts: kazoo('election'), isExclusive: true, ...crowded },
    { path: '/semaphore', ...kazooSemaphore, parts: kazoo('semaphore'), maxLeases: 3, ...crowded },
  ]);
});

describeWithGo('go-zookeeper', () => {
  it('goroutines', async () => {
    const isExclusive = true;
    await playAll(theatre, [
      { path: '/2018', dialects: ['go-zookeeper'], parts: go('lock'), isExclusive, ...crowded },
      { path: '/today', dialects: ['go-zookeeper'], parts: go('lockOfToday'), isExclusive, ...crowded },
    ]);
  });
});

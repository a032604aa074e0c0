import { describe, expect, it } from 'vitest';
import { findDeadlocks } from '../../../src/inspector/findDeadlocks.ts';
import type { WaitEdge } from '../../../src/inspector/waitForGraph.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { lockOf, neverFinishing, onCycles, queuesOf, randomLocks, type RandomLock } from './diagnosisBruteForce.ts';
import { curatorQueue, plainQueue, semaphoreQueue } from './diagnosisQueues.ts';

const sessionOf = (id: string): bigint => BigInt(id.replace('session ', ''));
const sorted = (ids: Iterable<bigint>): bigint[] => [...ids].sort((a, b) => Number(a - b));

function expectRealCycle(cycle: readonly WaitEdge[], locks: readonly RandomLock[]): void {
  expect(cycle.length).toBeGreaterThan(1);
  for (const [at, edge] of cycle.entries()) {
    expect(edge.to).toBe(cycle[(at + 1) % cycle.length]!.from);
    const members = locks.find(({ path }) => path === edge.lock.path)!.members.map(({ owner }) => owner);
    expect(members.indexOf(edge.blocker.ownerSession)).toBeLessThan(members.indexOf(edge.waiter.ownerSession));
  }
}

describe('random waits', () => {
  it('agrees with trying every order in 500 cases', () => {
    const random = seededRandom(20_261_121);
    let deadlocked = 0;
    for (let round = 0; round < 500; round++) {
      const sessions = 3 + random.below(4);
      const locks = randomLocks(random, sessions, 2 + random.below(3));
      const { deadlocks, waitingBehind } = findDeadlocks(queuesOf(locks));
      const members = deadlocks.flatMap(deadlock => deadlock.members.map(sessionOf));
      const stuck = neverFinishing(locks, sessions);
      expect(sorted([...members, ...waitingBehind.map(sessionOf)]), `round ${round}`).toEqual(sorted(stuck));
      expect(sorted(members), `round ${round}`).toEqual(sorted(onCycles(locks, stuck, sessions)));
      for (const { cycles } of deadlocks) for (const cycle of cycles) expectRealCycle(cycle, locks);
      if (deadlocks.length > 0) deadlocked++;
    }
    // Neither kind of case is rare: the comparison means something.
    expect(deadlocked).toBeGreaterThan(100);
    expect(deadlocked).toBeLessThan(400);
  });

  it('raises no alarm in 500 cases where everybody takes the locks in one order', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 500; round++) {
      const sessions = 2 + random.below(12);
      const blocked = new Set<bigint>();
      const locks: RandomLock[] = [];
      for (let at = 0; at < 5; at++) {
        // Whoever waits for an earlier lock is not yet at this one.
        const owners = Array.from({ length: sessions }, (_, index) => BigInt(index + 1)).filter(
          owner => !blocked.has(owner) && random.next() < 0.5,
        );
        const lock = lockOf(random, `/locks/l${at}`, owners);
        locks.push(lock);
        for (const queue of queuesOf([lock])) {
          for (const { role, ownerSession } of queue.contenders) if (role === 'waiter') blocked.add(ownerSession);
        }
      }
      expect(findDeadlocks(queuesOf(locks)), `round ${round}`).toEqual({ deadlocks: [], waitingBehind: [] });
    }
  });
});

describe('deadlocks by hand', () => {
  const mutex = (path: string, ...owners: bigint[]) =>
    curatorQueue(
      path,
      owners.map(owner => ({ kind: 'exclusive', owner })),
    );

  it('names locks and sessions of two mutexes taken in opposite order, and who waits behind', () => {
    const report = findDeadlocks([mutex('/l/a', 1n, 2n, 3n), mutex('/l/b', 2n, 1n)]);
    expect(report.waitingBehind).toEqual(['session 0x3']);
    expect(report.deadlocks).toMatchObject([
      { members: ['session 0x1', 'session 0x2'], locks: [{ path: '/l/a' }, { path: '/l/b' }] },
    ]);
    const [cycle] = report.deadlocks[0]!.cycles;
    expect(cycle!.map(({ from, to }) => `${from} > ${to}`)).toEqual([
      'session 0x1 > session 0x2',
      'session 0x2 > session 0x1',
    ]);
  });

  it('sees every reader that a writer waits for, not only its predecessor', () => {
    const shared = curatorQueue('/l/rw', [
      { kind: 'read', owner: 1n },
      { kind: 'read', owner: 2n },
      { kind: 'write', owner: 3n },
    ]);
    expect(findDeadlocks([shared, mutex('/l/b', 3n, 1n)]).deadlocks).toMatchObject([
      { members: ['session 0x1', 'session 0x3'] },
    ]);
  });

  it.each([
    ['one of two leases can still come back', [1n, 4n, 2n], []],
    ['no lease can come back', [1n, 3n, 2n], ['session 0x1', 'session 0x2', 'session 0x3']],
  ])('of a semaphore: %s', (_, owners, members) => {
    // Session 2 has the mutex, and 1 and 3 want it; 4 wants nothing more.
    const queues = [semaphoreQueue('/l/s', owners, 2), mutex('/l/b', 2n, 1n, 3n)];
    expect(findDeadlocks(queues).deadlocks.flatMap(deadlock => deadlock.members)).toEqual(members);
  });

  it('counts a lock that is given twice once, and nodes without a session by themselves', () => {
    const persistent = plainQueue('/l/p', 'kazoo', [{ ownerSession: 0n }, { ownerSession: 0n }]);
    const twice = [mutex('/l/a', 1n, 2n), mutex('/l/a', 1n, 2n), persistent];
    expect(findDeadlocks(twice)).toEqual({ deadlocks: [], waitingBehind: [] });
  });

  it('does not take a session that waits for itself for a deadlock: threads of one program look like that', () => {
    expect(findDeadlocks([mutex('/l/a', 1n, 1n)])).toEqual({ deadlocks: [], waitingBehind: [] });
  });

  it.each([
    ['a mutex', mutex('/l/a', 1n, 2n, 1n, 2n, 3n, 1n)],
    [
      'readers and writers',
      curatorQueue('/l/rw', [
        { kind: 'read', owner: 1n },
        { kind: 'write', owner: 2n },
        { kind: 'read', owner: 1n },
        { kind: 'write', owner: 2n },
      ]),
    ],
    [
      'readers behind the write lock of their own session, which may have been downgraded',
      curatorQueue('/l/rw', [
        { kind: 'write', owner: 1n },
        { kind: 'write', owner: 2n },
        { kind: 'read', owner: 1n },
        { kind: 'read', owner: 1n },
      ]),
    ],
    ['a semaphore', semaphoreQueue('/l/s', [1n, 2n, 3n, 1n, 2n], 2)],
  ])(
    'takes programs whose threads queue up for %s for no deadlock: each of them goes on when its turn has come',
    (_, queue) => {
      expect(findDeadlocks([queue])).toEqual({ deadlocks: [], waitingBehind: [] });
    },
  );

  it('sees two programs with several threads wait for each other over two locks', () => {
    const report = findDeadlocks([mutex('/l/a', 1n, 2n, 1n, 3n), mutex('/l/b', 2n, 1n, 2n)]);
    expect(report.waitingBehind).toEqual(['session 0x3']);
    expect(report.deadlocks).toMatchObject([
      { members: ['session 0x1', 'session 0x2'], locks: [{ path: '/l/a' }, { path: '/l/b' }] },
    ]);
  });

  it('sees two readers that want to write before they have given back what they read', () => {
    const kinds = ['read', 'read', 'write', 'write'] as const;
    const shared = curatorQueue(
      '/l/rw',
      kinds.map((kind, at) => ({ kind, owner: BigInt(1 + (at % 2)) })),
    );
    expect(findDeadlocks([shared]).deadlocks).toMatchObject([{ members: ['session 0x1', 'session 0x2'] }]);
  });

  it('is quick where ten thousand wait behind a deadlock', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => BigInt(at + 3));
    const before = performance.now();
    const report = findDeadlocks([mutex('/l/a', 1n, 2n, ...many), mutex('/l/b', 2n, 1n)]);
    expect(report.waitingBehind).toHaveLength(10_000);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

import { describe, expect, it } from 'vitest';
import { findDeadlocks } from '../../../src/inspector/findDeadlocks.ts';
import type { WaitEdge } from '../../../src/inspector/waitForGraph.ts';
import type { Contender, LockQueue } from '../../../src/locks/lockQueue.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import {
  lockOf,
  neverEnding,
  onCycles,
  queuesOf,
  randomLocks,
  type RandomLock,
  type Wait,
} from './diagnosisBruteForce.ts';
import { curatorQueue, plainQueue, semaphoreQueue } from './diagnosisQueues.ts';

const sessionOf = (id: string): bigint => BigInt(id.replace('session ', ''));
const idOf = (session: bigint): string => `session 0x${session.toString(16)}`;
const none = { deadlocks: [], possible: [], waitingBehind: [] };
const ownersOf = (waits: readonly Wait[]): bigint[] => sorted(new Set(waits.map(({ member }) => member.owner)));
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
      // A session with several threads may be part of several deadlocks.
      const members = new Set(deadlocks.flatMap(deadlock => deadlock.members.map(sessionOf)));
      const stuck = neverEnding(locks);
      expect(sorted([...members, ...waitingBehind.map(sessionOf)]), `round ${round}`).toEqual(ownersOf(stuck));
      expect(sorted(members), `round ${round}`).toEqual(ownersOf(onCycles(stuck)));
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
        const lock = lockOf(random, `/locks/l${at}`, owners, 1 + at * sessions);
        locks.push(lock);
        for (const queue of queuesOf([lock])) {
          for (const { role, ownerSession } of queue.contenders) if (role === 'waiter') blocked.add(ownerSession);
        }
      }
      expect(findDeadlocks(queuesOf(locks)), `round ${round}`).toEqual(none);
    }
  });
});

/** What several queues hold, written as `lock owner`, in the order in which they joined; `r` reads, `w` writes, `l` leads or would. */
function queues(...joins: string[]): LockQueue[] {
  const kinds = new Map<string, Contender['kind']>([
    ['r', 'read'],
    ['w', 'write'],
    ['l', 'candidate'],
  ]);
  const members = joins.map((join, at) => {
    const [lock = '', owner = '', mark = ''] = join.split(' ');
    const kind = kinds.get(mark) ?? 'exclusive';
    return { lock, member: { owner: BigInt(owner), kind, czxid: BigInt(at + 1) } };
  });
  return [...Map.groupBy(members, ({ lock }) => lock)].map(([lock, of]) =>
    curatorQueue(
      `/l/${lock}`,
      of.map(({ member }) => member),
    ),
  );
}

describe('deadlocks by hand', () => {
  it('names locks and sessions of two mutexes taken in opposite order, and who waits behind', () => {
    const all = queues('a 1', 'b 2', 'a 2', 'a 3', 'b 1');
    const report = findDeadlocks(all);
    expect(report.waitingBehind).toEqual(['session 0x3']);
    expect(report.deadlocks).toMatchObject([
      { members: ['session 0x1', 'session 0x2'], locks: [{ path: '/l/a' }, { path: '/l/b' }] },
    ]);
    const [cycle] = report.deadlocks[0]!.cycles;
    expect(cycle!.map(({ from, to }) => `${from} > ${to}`)).toEqual([
      'session 0x1 > session 0x2',
      'session 0x2 > session 0x1',
    ]);
    const places = all.flatMap(({ contenders }) => contenders).filter(({ ownerSession }) => ownerSession !== 3n);
    expect([...report.deadlocks[0]!.places].map(({ path }) => path).sort()).toEqual(places.map(({ path }) => path));
  });

  it('sees every reader that a writer waits for, not only its predecessor', () => {
    expect(findDeadlocks(queues('rw 1 r', 'rw 2 r', 'b 3', 'rw 3 w', 'b 1')).deadlocks).toMatchObject([
      { members: ['session 0x1', 'session 0x3'] },
    ]);
  });

  it.each([
    ['one of two leases can still come back', [1n, 4n, 2n], []],
    ['no lease can come back', [1n, 3n, 2n], ['session 0x1', 'session 0x2', 'session 0x3']],
  ])('of a semaphore: %s', (_, owners, members) => {
    // Session 2 has the mutex, and 1 and 3 want it; 4 wants nothing more.
    const semaphore = semaphoreQueue('/l/s', owners, 2, [1n, 2n, 4n]);
    const mutex = [2n, 1n, 3n].map((owner, at) => ({ kind: 'exclusive' as const, owner, czxid: [3n, 5n, 6n][at]! }));
    const found = findDeadlocks([semaphore, curatorQueue('/l/b', mutex)]);
    expect(found.deadlocks.flatMap(deadlock => deadlock.members)).toEqual(members);
  });

  it('counts a lock that is given twice once, and nodes without a session by themselves', () => {
    const persistent = plainQueue('/l/p', 'kazoo', [{ ownerSession: 0n }, { ownerSession: 0n }]);
    expect(findDeadlocks([...queues('a 1', 'a 2'), ...queues('a 1', 'a 2'), persistent])).toEqual(none);
  });

  it('does not take a session that waits for itself for a deadlock: threads of one program look like that', () => {
    expect(findDeadlocks(queues('a 1', 'a 1'))).toEqual(none);
    expect(findDeadlocks(queues('rw 1 r', 'rw 1 w', 'rw 2 w'))).toEqual(none);
    expect(findDeadlocks([semaphoreQueue('/l/s', [1n, 1n, 1n], 2)])).toEqual(none);
  });

  it.each([
    ['a mutex', queues('a 1', 'a 2', 'a 1', 'a 2', 'a 3', 'a 1')],
    ['readers and writers', queues('rw 1 r', 'rw 2 w', 'rw 1 r', 'rw 2 w')],
    [
      'readers behind the write lock of their own session, which may have been downgraded',
      queues('rw 1 w', 'rw 2 w', 'rw 1 r', 'rw 1 r'),
    ],
    ['a semaphore with a lease that comes back', [semaphoreQueue('/l/s', [1n, 3n, 1n, 2n], 2)]],
  ])(
    'takes programs whose threads queue up for %s for no deadlock: each of them goes on when its turn has come',
    (_, all) => {
      expect(findDeadlocks(all)).toEqual(none);
    },
  );

  it('sees two programs with several threads wait for each other over two locks', () => {
    const report = findDeadlocks(queues('a 1', 'b 2', 'a 2', 'b 1', 'a 1', 'a 3', 'b 2'));
    expect(report.waitingBehind).toEqual(['session 0x3']);
    expect(report.deadlocks).toMatchObject([
      { members: ['session 0x1', 'session 0x2'], locks: [{ path: '/l/a' }, { path: '/l/b' }] },
    ]);
  });

  it('sees a circle that leads through a reader and a writer of one session', () => {
    // Session 1 reads with one thread; another one has the mutex and wants to write.
    const report = findDeadlocks(queues('rw 1 r', 'rw 2 r', 'b 1', 'rw 1 w', 'b 2'));
    expect(report.deadlocks).toMatchObject([{ members: ['session 0x1', 'session 0x2'] }]);
  });

  it('is quick where ten thousand wait behind a deadlock', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `a ${at + 3}`);
    for (const waiting of [many, many.map((_, at) => `a ${3 + (at % 2)}`)]) {
      const all = queues('a 1', 'b 2', 'a 2', 'b 1', ...waiting);
      const before = performance.now();
      const report = findDeadlocks(all);
      expect(report.waitingBehind).toHaveLength(new Set(waiting).size);
      expect(performance.now() - before).toBeLessThan(2_000);
    }
  });
});

describe('what is no deadlock', () => {
  it('the candidates of an election: they wait without a thread', () => {
    expect(findDeadlocks(queues('leader 1 l', 'm 2', 'leader 2 l', 'm 1'))).toEqual(none);
  });

  it('a wait that began before its session got what it blocks: another thread has got that, and goes on', () => {
    // A LeaderSelector's names are those of a mutex: session 2 stands by, then takes what the leader wants.
    expect(findDeadlocks(queues('leader 1', 'leader 2', 'm 2', 'm 1'))).toEqual(none);
  });

  it('a wait that began before its session got what it queued for earlier: another thread has got that', () => {
    const [a, b] = queues('a 1', 'b 2', 'a 2', 'b 1');
    const holderSince = (earliest: number): LockQueue[] => {
      const [holder, ...waiters] = a!.contenders;
      return [{ ...a!, contenders: [{ ...holder!, heldSince: { earliest } }, ...waiters] }, b!];
    };
    const waitBegan = b!.contenders[1]!.createdAt;
    expect(findDeadlocks(holderSince(waitBegan)).deadlocks).toHaveLength(1);
    expect(findDeadlocks(holderSince(waitBegan + 1))).toEqual(none);
  });

  it('a contender that may hold, by what is known of its library', () => {
    const [a, b] = queues('a 1', 'b 2', 'a 2', 'b 1');
    const [holder, waiter] = a!.contenders;
    expect(findDeadlocks([{ ...a!, contenders: [holder!, { ...waiter!, mayHold: true }] }, b!])).toEqual(none);
  });

  it('a place that waits itself while its session waits elsewhere: two threads', () => {
    // Session 2 gets the lock a when session 1 gives it back, whatever its other thread does.
    expect(findDeadlocks(queues('a 1', 'b 3', 'a 2', 'b 2', 'a 3'))).toEqual(none);
  });
});

describe('what is only possible, since programs with threads look the same and go on', () => {
  it.each([
    ['two sessions that have a lease of two each and want another', [1n, 2n, 1n, 2n], 2],
    ['three sessions that have all leases and want another', [1n, 2n, 3n, 3n, 1n, 2n], 3],
  ])('%s', (_, owners, limit) => {
    const queue = semaphoreQueue('/l/s', owners, limit);
    const report = findDeadlocks([queue]);
    expect(report.deadlocks).toEqual([]);
    expect(report.possible.map(({ members }) => members)).toEqual([[...new Set(owners)].map(idOf)]);
    expect(report.possible).toMatchObject([{ locks: [{ path: '/l/s' }] }]);
  });

  it('readers that want to write before they have given back what they read', () => {
    const report = findDeadlocks(queues('rw 1 r', 'rw 2 r', 'rw 1 w', 'rw 2 w'));
    expect(report).toMatchObject({ deadlocks: [], possible: [{ members: ['session 0x1', 'session 0x2'] }] });
  });

  it('not what is part of a deadlock anyway', () => {
    const report = findDeadlocks(queues('rw 1 r', 'rw 2 r', 'b 1', 'rw 1 w', 'rw 2 w', 'b 2'));
    expect(report.deadlocks).toHaveLength(1);
    expect(report.possible).toEqual([]);
  });
});

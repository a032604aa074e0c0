import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../../src/base/interruptible.ts';
import { BlockerIndex } from '../../../../src/inspector/blockers/blockerIndex.ts';
import {
  longestWaitMs,
  rankBlockers,
  summedWaitMs,
  type RankedBlocker,
} from '../../../../src/inspector/blockers/rankBlockers.ts';
import { waiterId } from '../../../../src/inspector/waitForGraph.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { byMembers, NaiveBlockers, plainBlocker } from '../../../support/naiveBlockers.ts';
import { seededRandom, type SeededRandom } from '../../../support/seededRandom.ts';
import { curatorQueue, plainQueue, semaphoreQueue } from '../diagnosisQueues.ts';
import { randomQueue, randomQueues } from './randomQueues.ts';

function indexOf(queues: readonly LockQueue[]): BlockerIndex {
  const index = new BlockerIndex();
  atOnce(index.update(queues));
  return index;
}

const rank = (...queues: LockQueue[]): RankedBlocker[] => atOnce(rankBlockers(indexOf(queues))).blockers;

/** Each blocker as `kind: members > direct of all`. */
const brief = (...queues: LockQueue[]): string[] =>
  rank(...queues).map(({ kind, members, direct, waiting }) => {
    const ids = members.map(id => id.replace('session 0x', ''));
    return `${kind} ${ids.join(',')} > ${direct}/${waiting}`;
  });

/** A mutex: `[session, czxid]` in the order of the queue. */
const mutex = (path: string, ...members: [number, number][]): LockQueue =>
  curatorQueue(
    path,
    members.map(([owner, czxid]) => ({ owner: BigInt(owner), czxid: BigInt(czxid), kind: 'exclusive' })),
  );

const shared = (path: string, ...members: [number, 'read' | 'write'][]): LockQueue =>
  curatorQueue(
    path,
    members.map(([owner, kind]) => ({ owner: BigInt(owner), kind })),
  );

describe('roots', () => {
  it('are at the beginning of a chain over three locks', () => {
    const queues = [mutex('/l/a', [1, 10], [2, 20]), mutex('/l/b', [2, 11], [3, 21]), mutex('/l/c', [3, 12], [4, 22])];
    expect(brief(...queues)).toEqual(['root 1 > 1/3']);
    const [root] = rank(...queues);
    expect(root!.places.map(({ queue }) => queue.path)).toEqual(['/l/a']);
    expect(root!.isAtLeast).toBe(false);
  });

  it('have all their locks in one row', () => {
    expect(brief(mutex('/l/a', [1, 10], [2, 20]), mutex('/l/b', [1, 11], [2, 21], [3, 22]))).toEqual(['root 1 > 2/2']);
  });

  it('are none without waiters', () => {
    expect(brief(mutex('/l/a', [1, 10]), mutex('/l/b', [2, 10]))).toEqual([]);
    expect(brief()).toEqual([]);
  });

  it('do not chain by a lock that was taken after the wait began: another thread has it', () => {
    const queues = [mutex('/l/a', [1, 10], [2, 20]), mutex('/l/b', [2, 30], [3, 40])];
    expect(brief(...queues).sort()).toEqual(['root 1 > 1/1', 'root 2 > 1/1']);
  });

  it('may be behind another one with a lock of another time', () => {
    const queues = [
      mutex('/l/a', [1, 10], [2, 20]),
      mutex('/l/b', [2, 15], [3, 40]),
      mutex('/l/c', [2, 30], [4, 40], [5, 50]),
    ];
    expect(brief(...queues).sort()).toEqual(['root 1 > 1/2', 'root 2 > 2/2']);
  });

  it('are nodes without an owner, each of its own', () => {
    const queue = mutex('/l/a', [0, 10], [2, 20]);
    const [root] = rank(queue);
    expect(root).toMatchObject({ members: [`node ${queue.contenders[0]!.path}`], waiting: 1 });
    expect(rank(mutex('/l/a', [1, 10], [0, 20], [0, 30]))).toMatchObject([{ waiting: 2, direct: 2 }]);
  });

  it('know sessions by their ids, negative ones too', () => {
    const queue = curatorQueue('/l/a', [
      { owner: -1n, kind: 'exclusive' },
      { owner: 2n, kind: 'exclusive' },
    ]);
    expect(rank(queue)).toMatchObject([{ members: ['session 0xffffffffffffffff'] }]);
    expect(indexOf([queue]).party('session 0xffffffffffffffff')?.sources.length).toBe(1);
  });
});

describe('the rules of the libraries', () => {
  it('readers hold together, and keep a writer with all behind it waiting', () => {
    const queue = shared('/l/a', [1, 'read'], [2, 'read'], [3, 'write'], [4, 'read']);
    expect(brief(queue).sort()).toEqual(['root 1 > 2/2', 'root 2 > 2/2']);
    expect(brief(shared('/l/a', [1, 'read'], [2, 'read'], [3, 'read']))).toEqual([]);
    expect(brief(shared('/l/a', [1, 'write'], [2, 'read'], [3, 'read']))).toEqual(['root 1 > 2/2']);
  });

  it('each holder of a semaphore blocks those that wait', () => {
    const queue = semaphoreQueue('/l/a', [1n, 2n, 3n, 4n, 5n], 2);
    expect(brief(queue).sort()).toEqual(['root 1 > 3/3', 'root 2 > 3/3']);
    expect(brief(semaphoreQueue('/l/a', [1n, 2n], 2))).toEqual([]);
  });

  it('who may hold a lease is one of those that block', () => {
    const queue = plainQueue('/l/a', 'zk-ruby-semaphore', [
      { kind: 'lease' },
      { kind: 'lease', mayHold: true },
      { kind: 'lease' },
    ]);
    expect(brief(queue).sort()).toEqual(['root 1 > 1/1', 'root 2 > 1/1']);
  });

  it('a session does not block itself', () => {
    expect(brief(mutex('/l/a', [1, 10], [1, 20]))).toEqual([]);
    expect(brief(mutex('/l/a', [1, 10], [1, 20], [2, 30]))).toEqual(['root 1 > 1/1']);
    expect(brief(shared('/l/a', [1, 'write'], [1, 'read'], [2, 'read']))).toEqual(['root 1 > 1/1']);
  });

  it('candidates of elections block no one', () => {
    const queue = curatorQueue('/l/a', [
      { owner: 1n, kind: 'candidate' },
      { owner: 2n, kind: 'candidate' },
    ]);
    expect(queue.contenders[1]!.role).toBe('waiter');
    expect(brief(queue)).toEqual([]);
  });

  it('a waiter that may hold is not known to wait, and blocks those behind it', () => {
    const queue = plainQueue('/l/a', 'generic', [{}, { mayHold: true }, {}]);
    expect(brief(queue).sort()).toEqual(['root 1 > 1/1', 'root 2 > 1/1']);
  });

  it('a queue without a holder has its head for one', () => {
    const queue = plainQueue('/l/a', 'generic', [{ role: 'waiter' }, {}, {}]);
    expect(brief(queue)).toEqual(['root 1 > 2/2']);
  });
});

describe('circles', () => {
  const circle = [mutex('/l/a', [1, 10], [2, 20]), mutex('/l/b', [2, 11], [1, 21])];

  it('are one row, alone and with others behind', () => {
    expect(brief(...circle)).toEqual(['cycle 1,2 > 0/0']);
    expect(brief(...circle, mutex('/l/c', [2, 12], [3, 22]))).toEqual(['cycle 1,2 > 0/1']);
    expect(brief(mutex('/l/a', [1, 10], [2, 20], [4, 30]), circle[1]!)).toEqual(['cycle 1,2 > 1/1']);
  });

  it('are no row of their own behind a root or another circle', () => {
    const behindRoot = mutex('/l/c', [5, 1], [1, 15]);
    expect(brief(...circle, mutex('/l/c', [5, 1], [1, 30]))).toEqual(['root 5 > 1/2']);
    expect(brief(...circle, behindRoot)).toEqual(['root 5 > 1/2']);
    const second = [mutex('/l/x', [3, 10], [4, 20]), mutex('/l/y', [4, 11], [3, 21])];
    expect(brief(...circle, ...second, mutex('/l/z', [1, 9], [3, 25]))).toEqual(['cycle 1,2 > 0/2']);
  });
});

describe('since when', () => {
  it('is the first wait of each, those that may not be read left out', () => {
    const [one, two] = [mutex('/l/a', [1, 10], [2, 20], [3, 30]), mutex('/l/b', [1, 11], [2, 21])];
    const times = [0, 700, 0];
    const unread = { ...one, contenders: one.contenders.map((each, at) => ({ ...each, createdAt: times[at]! })) };
    const other = { ...two, contenders: two.contenders.map(each => ({ ...each, createdAt: 500 })) };
    const [root] = rank(unread, other);
    expect(root).toMatchObject({ waiting: 2, since: { count: 1, sum: 500, earliest: 500 } });
    expect([summedWaitMs(root!, 800), longestWaitMs(root!, 800)]).toEqual([300, 300]);
  });

  it('is never in the future, and none where nothing is known', () => {
    const queue = mutex('/l/a', [1, 10], [2, 20]);
    const unknown = { ...queue, contenders: queue.contenders.map(each => ({ ...each, createdAt: 0 })) };
    const [root] = rank(unknown);
    expect([summedWaitMs(root!, 800), longestWaitMs(root!, 800)]).toEqual([0, 0]);
    expect(summedWaitMs(rank(queue)[0]!, 5)).toBe(0);
  });

  it('decides between blockers of as many', () => {
    const [a, b] = [mutex('/l/a', [1, 10], [3, 20]), mutex('/l/b', [2, 10], [4, 20])];
    const older = { ...b, contenders: b.contenders.map(each => ({ ...each, createdAt: 5 })) };
    expect(brief(a, older)).toEqual(['root 2 > 1/1', 'root 1 > 1/1']);
    expect(brief(older, a)).toEqual(['root 2 > 1/1', 'root 1 > 1/1']);
  });
});

describe('an index that is kept', () => {
  it('takes a session that comes back under its id for that session, and forgets one that left', () => {
    const index = indexOf([mutex('/l/a', [1, 10], [2, 20])]);
    atOnce(index.update([mutex('/l/a', [2, 20])]));
    expect(index.party('session 0x1')).toBeUndefined();
    atOnce(index.update([mutex('/l/a', [2, 20], [1, 30])]));
    expect(atOnce(rankBlockers(index)).blockers).toMatchObject([{ members: ['session 0x2'], waiting: 1 }]);
  });

  it('keeps no party that neither waits nor blocks', () => {
    const index = indexOf([shared('/l/a', [1, 'read'], [2, 'read'], [2, 'write']), mutex('/l/b', [7, 1], [7, 2])]);
    expect(index.party('session 0x7')).toBeUndefined();
    expect(index.party('session 0x1')).toBeDefined();
  });

  it('says whether anything is new', () => {
    const queue = mutex('/l/a', [1, 10]);
    const index = new BlockerIndex();
    expect([atOnce(index.update([queue])), atOnce(index.update([queue])), atOnce(index.update([]))]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('random cases', () => {
  it('500 agree with a reference that follows every edge', () => {
    const random = seededRandom(22);
    const seen = { root: 0, cycle: 0, chained: 0 };
    for (let round = 0; round < 500; round++) {
      const queues = randomQueues(random);
      const ranked = rank(...queues);
      const expected = byMembers(new NaiveBlockers(queues).ranking());
      expect(byMembers(ranked.map(plainBlocker)), `round ${round}`).toEqual(expected);
      // The members of a cycle wait, too.
      const costs = ranked.map(({ kind, waiting, members }) => waiting + (kind === 'cycle' ? members.length : 0));
      expect(costs).toEqual(costs.toSorted((one, other) => other - one));
      for (const { kind, waiting, direct } of ranked) {
        seen[kind]++;
        if (waiting > direct) seen.chained++;
      }
    }
    // No kind of case is rare: the comparison means something.
    expect(Math.min(seen.root, seen.cycle, seen.chained), JSON.stringify(seen)).toBeGreaterThan(40);
  });

  /** Some of its contenders go, others come behind them; the objects of those that stay are the same. */
  function changedQueue(random: SeededRandom, former: LockQueue): LockQueue {
    const stayed = former.contenders.filter(() => random.below(4) > 0);
    const paths = new Set(stayed.map(({ path }) => path));
    const came = randomQueue(random, former.path, 3).contenders.filter(({ path }) => !paths.has(path));
    return { ...former, contenders: [...stayed, ...came] };
  }

  /** The lock goes, is another one, or is the same with other contenders. */
  function nextQueue(random: SeededRandom, path: string, former: LockQueue | undefined): LockQueue | undefined {
    if (random.below(5) === 0) return undefined;
    return former === undefined || random.below(2) === 0 ? randomQueue(random, path, 8) : changedQueue(random, former);
  }

  it(
    '2,000 steps of an index that takes only what changed give what one from scratch gives',
    { timeout: 30_000 },
    () => {
      const random = seededRandom(23);
      const index = new BlockerIndex();
      const queues = new Map<string, LockQueue>();
      for (let step = 0; step < 2_000; step++) {
        const path = `/locks/l${random.below(8)}`;
        const next = nextQueue(random, path, queues.get(path));
        if (next === undefined) queues.delete(path);
        else queues.set(path, next);
        const now = [...queues.values()];
        atOnce(index.update(now));
        const fresh = indexOf(now);
        const [kept, built] = [index, fresh].map(each => atOnce(rankBlockers(each)).blockers.map(plainBlocker));
        expect(kept, `step ${step}`).toEqual(built);
        if (step % 10 > 0) continue;
        const ids = ['session 0x0', ...Array.from({ length: 9 }, (_, at) => `session 0x${at}`)];
        const nodes = now.flatMap(({ contenders }) => contenders.map(waiterId));
        for (const id of [...ids, ...nodes]) {
          const [one, other] = [index.party(id), fresh.party(id)];
          expect([one?.waits.length, one?.sources.length], `step ${step} ${id}`).toEqual([
            other?.waits.length,
            other?.sources.length,
          ]);
        }
      }
    },
  );
});

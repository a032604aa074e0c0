import { describe, expect, it } from 'vitest';
import { deleteConsequences } from '../../../src/inspector/deleteConsequences.ts';
import { explainLock } from '../../../src/inspector/explainLock.ts';
import { findStale } from '../../../src/inspector/findStale.ts';
import { holdersWithout } from '../../../src/inspector/turnsWithout.ts';
import { queueByWatches } from '../../../src/inspector/queueByWatches.ts';
import { WaitWatches, type ServerFacts } from '../../../src/inspector/waitWatches.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { brief } from '../locks/directory.ts';
import { curatorName, onlyQueue } from './diagnosisQueues.ts';

const readAt = 1_800_000_000_000;

/** @param watched pairs of places: the first one's session watches the second one's node */
function factsOf({ contenders }: LockQueue, watched: readonly (readonly [number, number])[]): ServerFacts {
  const watchers = new Map<string, Set<bigint>>();
  for (const [from, to] of watched) {
    const { path } = contenders[to]!;
    watchers.set(path, new Set([...(watchers.get(path) ?? []), contenders[from]!.ownerSession]));
  }
  const connection = { address: 'a:1', server: 's:2181' };
  const connections = new Map(contenders.map(({ ownerSession }) => [ownerSession, connection]));
  return {
    queuesReadAt: readAt,
    owners: { connections, live: undefined, sources: [], askedAt: readAt },
    watches: { watchers, isComplete: true, sources: [], askedAt: readAt },
    now: readAt,
  };
}

function seen(queue: LockQueue, watched: readonly (readonly [number, number])[]): LockQueue {
  return queueByWatches(queue, WaitWatches.from(factsOf(queue, watched)));
}

/** Roles in one word each: `!` holds, `>n` waits for place n, `?` behind it: or holds. */
function roles({ contenders }: LockQueue): string {
  return contenders
    .map(({ role, waitsFor, mayHold }) => {
      const at = contenders.findIndex(({ name }) => name === waitsFor);
      return (role === 'holder' ? '!' : `>${at}`) + (mayHold === true ? '?' : '');
    })
    .join(' ');
}

describe("Curator's names of a mutex", () => {
  const queueOf = (...owners: number[]): LockQueue =>
    onlyQueue(
      '/l/a',
      owners.map((owner, at) => ({ name: curatorName('lock-', at), owner: BigInt(owner) })),
    );
  const numbered = (...numbers: number[]): LockQueue =>
    onlyQueue(
      '/l/a',
      numbers.map(number => ({ name: curatorName('lock-', number), owner: BigInt(number + 1) })),
    );
  const four = queueOf(1, 2, 3, 4);

  it('carry no doubt without watches', () => {
    expect(roles(four)).toBe('! >0 >1 >2');
    expect(four.hazards).toEqual([]);
    expect(queueByWatches(four, undefined)).toBe(four);
  });

  it.each<[string, LockQueue, [number, number][], string, number | undefined]>([
    ['a mutex', four, [[1, 0], [2, 1], [3, 2]], '! >0 >1 >2', undefined],
    ['a revocable mutex', four, [[0, 0], [1, 1], [1, 0], [2, 1], [3, 2]], '! >0 >1 >2', undefined],
    ['a mutex with a node that was left behind', four, [[2, 1], [3, 2]], '! >0 >1 >2', undefined],
    ['a mutex whose last node was left behind', four, [[1, 0], [2, 1]], '! >0 >1 >2', undefined],
    ['a semaphore of two', four, [[2, 0], [3, 1]], '! ! >0 >1', 2],
    ['a semaphore of three', four, [[3, 0]], '! ! ! >0', 3],
    // The second of the two holders has left: who watches the first is not woken.
    ['a release out of order', numbered(0, 2, 3), [[1, 0], [2, 0]], '! >0 >0', 2],
    ['releases out of order of three', numbered(0, 1, 3, 4, 5, 6), [[2, 0], [3, 1], [4, 1], [5, 2]], '! ! >0 >1 >1 >2', 3],
    ['a limit between two and four', numbered(0, 2, 4), [[2, 0]], '! ! >0', undefined],
    ['a semaphore of two with a node that was left behind', numbered(0, 1, 2, 3), [[2, 0]], '! ! >0 >-1', 2],
    ['threads of one mutex', queueOf(1, 1, 1, 1), [[3, 0], [3, 1], [3, 2]], '! >0 >1 >2', undefined],
  ])('%s', (_, queue, watched, expected, limit) => {
    const known = seen(queue, watched);
    expect([roles(known), known.maxLeases]).toEqual([expected, limit]);
    expect(known.hazards).toEqual(queue.hazards);
    expect(findStale([queue], factsOf(queue, watched)).filter(({ contender }) => roleIn(known, contender.name) === 'holder')).toEqual([]);
  }); // prettier-ignore

  it.each<[string, LockQueue, [number, number][], string]>([
    ['threads of one semaphore', queueOf(1, 1, 1, 1), [[3, 0], [3, 1]], '! >0? >1? >2?'],
    ['a thread that the release of another did not wake', queueOf(1, 1, 2), [[1, 0], [2, 0]], '! >0? >1'],
    ['threads of two programs', queueOf(1, 2, 1, 2, 1), [[2, 0], [4, 2], [3, 1]], '! >0? >1? >2? >3?'],
  ])('leave open who holds: %s', (_, queue, watched, expected) => {
    const known = seen(queue, watched);
    expect([roles(known), known.maxLeases]).toEqual([expected, undefined]);
    expect(known.hazards.map(({ kind }) => kind)).toEqual(['limit-unknown']);
    expect(holdersWithout(known, known.contenders[0]!).succession).toBe('limit-unknown');
    expect(findStale([queue], factsOf(queue, watched))).toEqual([]);
  }); // prettier-ignore

  function roleIn({ contenders }: LockQueue, name: string): string | undefined {
    return contenders.find(each => each.name === name)?.role;
  }

  it('may be those of a semaphore: an explanation says so as long as no watches show it', () => {
    const facts = { cluster: 'c', readAt, now: readAt };
    expect(explainLock(four, facts).mayBeSemaphore).toBe(true);
    expect(explainLock(four, { ...facts, ...factsOf(four, [[1, 0], [2, 1], [3, 2]]) }).mayBeSemaphore).toBe(false); // prettier-ignore
    expect(explainLock(queueOf(1), facts).mayBeSemaphore).toBe(false);
  });

  it('may all hold if none waits by its watches: the limit is unknown, and none is stale', () => {
    const queue = queueOf(1, 2, 3);
    const known = seen(queue, []);
    expect(roles(known)).toBe('! >0? >1?');
    expect(known.hazards).toEqual([{ kind: 'limit-unknown', names: [1, 2].map(at => curatorName('lock-', at)) }]);
    expect(findStale([queue], factsOf(queue, []))).toEqual([]);
  });

  it('hold within the bounds of the limit only once they had the time to set a watch', () => {
    const queue = numbered(0, 2, 4, 5);
    const contenders = queue.contenders.map((each, at) => (at === 3 ? { ...each, createdAt: readAt - 100 } : each));
    const within = [[1, 0], [2, 0]] as const; // prettier-ignore
    expect(roles(seen(queue, within))).toBe('! >0 >0 >-1');
    const wide = numbered(0, 9, 18, 19);
    expect(roles(seen(wide, [[2, 0]]))).toBe('! ! >0 !');
    const fresh = {
      ...wide,
      contenders: wide.contenders.map((each, at) => ({ ...each, createdAt: contenders[at]!.createdAt })),
    };
    expect(roles(seen(fresh, [[2, 0]]))).toBe('! ! >0 >-1');
  });

  it('leave open whether the second one holds, if one between it and the next waiter may have left', () => {
    const queue = numbered(0, 1, 3);
    const known = seen(queue, [[2, 1]]);
    expect(roles(known)).toBe('! >0? >1');
    expect(known.hazards).toEqual([{ kind: 'limit-unknown', names: [curatorName('lock-', 1)] }]);
    expect(findStale([queue], factsOf(queue, [[2, 1]]))).toEqual([]);
  });

  it('are not doubted before a new contender can have set its watch', () => {
    const queue = queueOf(1, 2);
    const contenders = queue.contenders.map(each => ({ ...each, createdAt: readAt - 100 }));
    const fresh = { ...queue, contenders };
    expect(seen(fresh, [])).toBe(fresh);
  });

  it('pass a lease on to who watches the node that goes, if its turn has come', () => {
    const known = seen(four, [
      [2, 0],
      [3, 1],
    ]);
    const next = (at: number) =>
      deleteConsequences(known, four.contenders[at]!.path, { now: readAt })?.nextHolders.map(({ name }) =>
        four.contenders.findIndex(each => each.name === name),
      );
    expect([next(0), next(1), next(2), next(3)]).toEqual([[2], [], [], []]);
  });

  it('are explained by the watches, unless the queue has changed meanwhile', () => {
    const facts = { ...factsOf(four, [[2, 0], [3, 1]]), cluster: 'c', readAt }; // prettier-ignore
    const explained = explainLock(four, facts);
    expect(explained.holders.map(({ position }) => position)).toEqual([1, 2]);
    expect(explained.queue.maxLeases).toBe(2);
    expect(explained.waiters.flatMap(({ staleReasons }) => staleReasons)).toEqual([]);
    const later = four.contenders.slice(1);
    expect(explainLock(four, { ...facts, later }).holders).toHaveLength(1);
  });
});

describe('kazoo beside go-zookeeper', () => {
  const hex = (n: number): string => String(n).repeat(32);
  const go = (n: number): string => `_c_${hex(n)}-lock-000000000${n}`;
  const kazoo = (n: number): string => `${hex(n)}__lock__000000000${n}`;
  const queue = onlyQueue('/l/a', [go(0), kazoo(1), go(2), kazoo(3)]);

  it('is in doubt without watches', () => {
    expect(roles(queue)).toBe('! >0? >1 >2');
    expect(queue.hazards).toEqual([{ kind: 'sight-unknown', names: [kazoo(1)] }]);
  });

  it('waits if it watches a contender of the other', () => {
    const known = seen(queue, [
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    expect([roles(known), known.hazards]).toEqual(['! >0 >1 >2', []]);
  });

  it('does not see the other if it watches one of its own in front of it', () => {
    const among = onlyQueue('/l/a', [kazoo(0), go(1), kazoo(2)]);
    const known = seen(among, [
      [1, 0],
      [2, 0],
    ]);
    expect(roles(known)).toBe('! >0 >0');
    expect(known.hazards).toEqual([{ kind: 'mixed-dialects', names: [kazoo(2)] }]);
  });

  it('holds beside it if it watches nothing: that is the hazard of libraries that do not see each other', () => {
    const watched = [[2, 1], [3, 1]] as const; // prettier-ignore
    const known = seen(queue, watched);
    expect(roles(known)).toBe('! ! >1 >1');
    expect(known.hazards).toEqual([{ kind: 'mixed-dialects', names: [kazoo(1), kazoo(3)] }]);
    expect(findStale([queue], factsOf(queue, watched))).toEqual([]);
    expect(brief(known.contenders)[1]).toBe(`${kazoo(1)}!`);
  });
});

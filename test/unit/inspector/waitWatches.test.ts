import { describe, expect, it } from 'vitest';
import { findStale } from '../../../src/inspector/findStale.ts';
import type { OwnerFacts } from '../../../src/inspector/owners/ownerFacts.ts';
import type { WatchFacts } from '../../../src/inspector/owners/readWatchers.ts';
import { downgradedReaders, isUnchanged, WaitWatches, withHolders } from '../../../src/inspector/waitWatches.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { curatorName, curatorQueue, onlyQueue } from './diagnosisQueues.ts';

// What the watches that servers report say about waiters. Contenders are named by their place in the queue.

/** Of nodes, long after they were created. */
const now = 1_700_000_100_000;

function ownersOf(sessions: Iterable<bigint>, askedAt = 20): OwnerFacts {
  const connections = new Map(Array.from(sessions, id => [id, { address: '10.0.0.1:1', server: 'zk1:2181' }]));
  return { connections, live: undefined, sources: [], askedAt };
}

/** @param watched places, each with the sessions that watch it */
function watchesOf(queue: LockQueue, watched: readonly [at: number, ...sessions: bigint[]][]): WatchFacts {
  const watchers = new Map(watched.map(([at, ...ids]) => [queue.contenders[at]!.path, new Set(ids)]));
  return { watchers, isComplete: true, sources: [], askedAt: 20 };
}

type Facts = Parameters<typeof findStale>[1];

function factsOf(queue: LockQueue, watched: readonly [number, ...bigint[]][], more: Partial<Facts> = {}): Facts {
  const owners = ownersOf(queue.contenders.map(({ ownerSession }) => ownerSession));
  return { queuesReadAt: 10, now, owners, watches: watchesOf(queue, watched), ...more };
}

/** The places that no event will wake. */
function neverWoken(queue: LockQueue, watched: readonly [number, ...bigint[]][], more: Partial<Facts> = {}): number[] {
  const findings = findStale([queue], factsOf(queue, watched, more));
  for (const { reasons } of findings) expect(reasons).toEqual([{ reason: 'never-woken', confidence: 'likely' }]);
  return findings.map(({ contender }) => queue.contenders.indexOf(contender)).sort();
}

const mutex = (...ids: bigint[]): LockQueue =>
  curatorQueue(
    '/l/a',
    ids.map(owner => ({ kind: 'exclusive', owner })),
  );
const latches = (...ids: bigint[]): LockQueue =>
  curatorQueue(
    '/l/a',
    ids.map(owner => ({ kind: 'candidate', owner })),
  );

describe('a waiter that watches nothing', () => {
  it('is found where every server listed its watches', () => {
    expect(neverWoken(mutex(1n, 2n, 3n), [[0, 2n]])).toEqual([2]);
    expect(neverWoken(latches(1n, 2n, 3n), [[0, 2n]])).toEqual([2]);
  });

  it('is not found without complete facts that are younger than the queue', () => {
    const queue = mutex(1n, 2n, 3n);
    const watches = watchesOf(queue, [[0, 2n]]);
    expect(neverWoken(queue, [], { watches: undefined })).toEqual([]);
    expect(neverWoken(queue, [], { watches: { ...watches, isComplete: false } })).toEqual([]);
    expect(neverWoken(queue, [], { watches: { ...watches, askedAt: 9 } })).toEqual([]);
    expect(neverWoken(queue, [[0, 2n]], { owners: undefined })).toEqual([]);
    expect(neverWoken(queue, [[0, 2n]], { owners: ownersOf([3n], 9) })).toEqual([]);
  });

  it('is not called so while its session has no connection: its watches are registered with the next one', () => {
    expect(neverWoken(mutex(1n, 2n, 3n), [[0, 2n]], { owners: ownersOf([1n, 2n]) })).toEqual([]);
  });

  it('is not called so when it has just come: the watch follows the create', () => {
    const queue = mutex(1n, 2n, 3n);
    expect(neverWoken(queue, [[0, 2n]], { now: queue.contenders[2]!.createdAt + 1_000 })).toEqual([]);
  });

  it('is none where the session watches any node of the directory', () => {
    expect(neverWoken(mutex(1n, 2n, 3n), [[0, 2n, 3n]])).toEqual([]);
    const stranger = { ...watchesOf(mutex(1n), []), watchers: new Map([['/l/a/other', new Set([2n])]]) };
    expect(neverWoken(latches(1n, 2n), [], { watches: stranger })).toEqual([]);
  });

  it('is found though it watches its own node, as the owner of a revocable mutex does', () => {
    const queue = mutex(1n, 2n, 3n);
    expect(neverWoken(queue, [[0, 2n], [2, 3n]])).toEqual([2]); // prettier-ignore
  });

  it('is none where it is not known that it waits: beside equal numbers, and of kazoo beside Go', () => {
    const latch = curatorName('latch-', 2_147_483_647);
    const equal = onlyQueue('/l/a', [
      { name: latch, owner: 1n },
      { name: latch.replace('_c_0', '_c_f'), owner: 2n },
    ]);
    const besideGo = onlyQueue('/l/a', [
      { name: `_c_${'0'.repeat(32)}-lock-0000000000`, owner: 1n },
      { name: `${'1'.repeat(32)}__lock__0000000001`, owner: 2n },
    ]);
    for (const queue of [equal, besideGo]) {
      expect(queue.contenders[1]).toMatchObject({ role: 'waiter', waitsFor: queue.contenders[0]!.name });
      expect(neverWoken(queue, [])).toEqual([]);
    }
  });

  it.each(['lock-', 'ticket-', 'n_', 'app_lock_', 'lock-12345678-'])(
    'is none among names that hand-written recipes have, which may poll or watch the directory: %s',
    stem => {
      const queue = onlyQueue('/app/locks', [
        { name: `${stem}0000000000`, owner: 1n },
        { name: `${stem}0000000001`, owner: 2n },
      ]);
      expect(neverWoken(queue, [])).toEqual([]);
    },
  );
});

describe('threads that share a session', () => {
  it.each([
    ['without facts', {}],
    ['with the watches of all of them', { watched: true }],
  ])('are no stale nodes and no hazard, %s', (_, { watched = false }: { watched?: boolean }) => {
    const ids = [1n, 2n, 3n, 1n, 2n, 3n, 1n, 2n, 3n];
    for (const queue of [mutex(...ids), latches(...ids)]) {
      const watching = ids.slice(1).map((id, at): [number, bigint] => [at, id]);
      const { owners, watches, ...rest } = factsOf(queue, watching);
      expect(findStale([queue], watched ? { ...rest, owners, watches } : rest)).toEqual([]);
      expect(queue.hazards).toEqual([]);
    }
  });

  it('are judged together: which of them set a watch is not known', () => {
    expect(neverWoken(mutex(1n, 2n, 3n, 2n), [[0, 2n], [1, 3n]])).toEqual([]); // prettier-ignore
  });

  it('are found when none of them watches anything', () => {
    const queue = mutex(1n, 2n, 3n, 1n);
    expect(neverWoken(queue, [[0, 2n], [1, 3n]])).toEqual([3]); // prettier-ignore
  });
});

describe("a mutex of Curator's that may be a semaphore", () => {
  it('has no stale heads: the first n watch nothing, the others the node n places ahead', () => {
    expect(neverWoken(mutex(1n, 2n, 3n, 4n, 5n), [[0, 4n], [1, 5n]])).toEqual([]); // prettier-ignore
    expect(neverWoken(mutex(1n, 2n, 3n), [])).toEqual([]);
  });

  it('is a mutex once a waiter watches the node right before it', () => {
    const prove = (queue: LockQueue, watched: [number, ...bigint[]][]) =>
      WaitWatches.from(factsOf(queue, watched))?.proveMutex(queue);
    expect(prove(mutex(1n, 2n, 3n), [[0, 2n]])).toBe(true);
    expect(prove(mutex(1n, 2n, 3n), [[0, 3n]])).toBe(false);
    expect(prove(mutex(1n, 2n, 3n), [])).toBe(false);
    // With a limit of two, one that stood between them may have left: the second one holds and watches nothing.
    const left = { ...mutex(1n, 2n, 3n), contenders: mutex(1n, 2n, 9n, 3n).contenders.toSpliced(2, 1) };
    expect(prove(left, [[1, 3n]])).toBe(false);
    expect(neverWoken(left, [[1, 3n]])).toEqual([]);
    // With a limit of two, the same session could stand in both places.
    expect(prove(mutex(1n, 2n, 2n), [[0, 2n]])).toBe(false);
  });
});

describe('a reader behind the writers (Curator up to 5.4)', () => {
  const queue = curatorQueue('/l/a', [
    { kind: 'write', owner: 2n },
    { kind: 'read', owner: 1n },
    { kind: 'read', owner: 3n },
  ]);
  const readers = (watched: [number, ...bigint[]][], of = queue) =>
    downgradedReaders(of, WaitWatches.from(factsOf(of, watched))).map(each => of.contenders.indexOf(each));

  it('holds if it watches nothing, and is not stale', () => {
    expect(readers([[0, 3n]])).toEqual([1]);
    expect(neverWoken(queue, [[0, 3n]])).toEqual([]);
    const [, reader] = withHolders(queue, [queue.contenders[1]!]).contenders;
    expect(reader).toMatchObject({ role: 'holder', ownerSession: 1n });
    expect(reader).not.toHaveProperty('waitsFor');
  });

  it('waits if it watches, and is not judged without facts', () => {
    expect(readers([[0, 1n, 3n]])).toEqual([]);
    expect(downgradedReaders(queue, undefined)).toEqual([]);
  });

  it('is another matter than a writer, which always watches', () => {
    const writers = curatorQueue('/l/a', [
      { kind: 'read', owner: 1n },
      { kind: 'write', owner: 2n },
    ]);
    expect(readers([], writers)).toEqual([]);
    expect(neverWoken(writers, [])).toEqual([1]);
  });

  it('may hold, as its names say, while the writer of its session does', () => {
    const below = curatorQueue('/l/a', [
      { kind: 'write', owner: 1n },
      { kind: 'read', owner: 1n },
      { kind: 'read', owner: 2n },
    ]);
    expect(below.contenders.map(({ role, mayHold }) => [role, mayHold])).toEqual([
      ['holder', undefined],
      ['waiter', true],
      ['waiter', undefined],
    ]);
  });
});

it('one that moved while the servers were asked is no longer the same', () => {
  const [, second] = mutex(1n, 2n).contenders;
  expect(isUnchanged(second!, mutex(1n, 2n).contenders[1])).toBe(true);
  const next = onlyQueue('/l/a', [{ name: curatorName('lock-', 1), owner: 2n, czxid: second!.czxid }]);
  expect(isUnchanged(second!, next.contenders[0])).toBe(false);
  expect(isUnchanged(second!, undefined)).toBe(false);
});

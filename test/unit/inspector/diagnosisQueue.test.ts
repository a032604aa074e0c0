import { describe, expect, it } from 'vitest';
import { deleteConsequences } from '../../../src/inspector/deleteConsequences.ts';
import { staleChoices } from '../../../src/app/deletes/lookForStale.ts';
import { findOwnerless, findStale, isLongHeld, staleSigns } from '../../../src/inspector/findStale.ts';
import type { OwnerFacts } from '../../../src/inspector/owners/ownerFacts.ts';
import type { WatchFacts } from '../../../src/inspector/owners/readWatchers.ts';
import type { ServerFacts } from '../../../src/inspector/waitWatches.ts';
import {
  findMutualWaits,
  findReadersBehindWriters,
  herdOf,
  suspectMutualWaits,
} from '../../../src/inspector/queueRisks.ts';
import { listensForRevoke } from '../../../src/inspector/requestRevoke.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { profileNamed } from '../extension/fixtures.ts';
import { curatorName, curatorQueue, onlyQueue, plainQueue, semaphoreQueue } from './diagnosisQueues.ts';

const now = 1_700_000_100_000;
const owners = (live: bigint[], more: Partial<OwnerFacts> = {}): OwnerFacts => ({
  connections: new Map(),
  live: { ids: new Set(live), listedBy: 'leader', server: 'zk1:2181' },
  sources: [],
  askedAt: 20,
  ...more,
});
const watches = (entries: [string, bigint[]][], isComplete = true): WatchFacts => ({
  watchers: new Map(entries.map(([path, ids]) => [path, new Set(ids)])),
  isComplete,
  sources: [],
  askedAt: 20,
});
const mutex = (...ids: bigint[]): LockQueue =>
  curatorQueue(
    '/l/a',
    ids.map(owner => ({ kind: 'exclusive', owner })),
  );
const longHeld = (queue: LockQueue, at: number, longHeldMs = 3_600_000) =>
  queue.contenders.filter(each => isLongHeld(each, at, longHeldMs)).map(({ name }) => name);
const nth = (queue: LockQueue, at: number) => queue.contenders[at]!;

describe('findStale', () => {
  const facts = (more: Partial<ServerFacts> = {}): ServerFacts => ({ queuesReadAt: 10, now, ...more });
  const found = (queue: LockQueue, more: Partial<ServerFacts> = {}) =>
    findStale([queue], facts(more)).map(({ contender, reasons, confidence }) => [
      queue.contenders.indexOf(contender),
      reasons.map(({ reason }) => reason).join(),
      confidence,
    ]);

  it('finds nothing wrong with a healthy queue', () => {
    expect(found(mutex(1n, 2n, 3n), { owners: owners([1n, 2n, 3n]) })).toEqual([]);
  });

  it('is not sure of a persistent node of a library that makes none, and does not choose it for deleting', () => {
    const queue = mutex(0n, 2n);
    expect(found(queue)).toEqual([[0, 'not-ephemeral', 'possible']]);
    expect(findOwnerless([queue])).toEqual([]);
    expect(staleChoices(profileNamed('orders'), findStale([queue], facts()), []).choices).toMatchObject([
      { isPicked: false },
    ]);
  });

  it.each<[string, string[]]>([
    ['kazoo, which makes them if asked to', ['0', '1'].map(digit => `${digit.repeat(32)}__lock__000000000${digit}`)],
    ['letters and a number', ['a-W-0000000000', 'b-W-0000000001']],
    ['a name and a number', ['a_lock_0000000000', 'a_lock_0000000001']],
    ['a number alone', ['lock-0000000000', 'lock-0000000001']],
    ['readers and writers', ['read-0000000000', 'write-0000000001']],
    ['an election', ['n_0000000000', 'n_0000000001']],
    ['a session', ['lock-12345678-0000000000', 'lock-12345679-0000000001']],
  ])('finds nothing wrong with persistent nodes that programs make on purpose: %s', (_, names) => {
    const queue = onlyQueue(
      '/app/l',
      names.map(name => ({ name, owner: 0n })),
    );
    expect(queue.hazards).toEqual([]);
    expect(found(queue)).toEqual([]);
    const offered = findOwnerless([queue]);
    expect(offered.map(({ contender, confidence }) => [contender.name, confidence])).toEqual(
      names.map(name => [name, 'possible']),
    );
    const { choices } = staleChoices(profileNamed('orders'), offered, []);
    expect(choices.map(({ isPicked }) => isPicked)).toEqual([false, false]);
  });

  it('finds an owner that the leader does not know; a follower may not have heard of it yet', () => {
    expect(found(mutex(1n, 2n), { owners: owners([2n]) })).toEqual([[0, 'owner-unknown', 'certain']]);
    const live = { ids: new Set([2n]), listedBy: 'follower' as const, server: 's' };
    expect(found(mutex(1n, 2n), { owners: owners([], { live }) })).toEqual([]);
  });

  it('says nothing about owners by facts that are older than the queue, or absent', () => {
    expect(found(mutex(1n, 2n), { owners: owners([2n], { askedAt: 9 }) })).toEqual([]);
    expect(found(mutex(1n, 2n), { owners: owners([2n], { live: undefined }) })).toEqual([]);
  });

  it('finds a lease whose own data say that it is over, as a possibility and not as a mark', () => {
    const ending = (ms: number) =>
      plainQueue('/l/a', 'kazoo-lease', [
        { kind: 'lease', ownerSession: 0n, leaseEndsAt: now + ms, heldSince: { earliest: 1_000, latest: 1_000 } },
      ]);
    const [over] = ending(-120_000).contenders;
    expect(found(ending(-120_000))).toEqual([[0, 'lease-expired', 'possible']]);
    expect(staleSigns(ending(-120_000), facts())(over!)).toEqual([]);
    expect(found(ending(-30_000))).toEqual([]);
    expect(longHeld(ending(-120_000), now + 7_200_000)).toEqual([]);
    expect(longHeld(ending(8_000_000), now)).toHaveLength(1);
  });

  it('keeps long-held apart', () => {
    const heldSince = { earliest: now - 8_000_000, latest: now - 7_200_000 };
    const queue = plainQueue('/l/a', 'curator', [
      { createdAt: now - 9_000_000, heldSince },
      { createdAt: now - 9_000_000 },
    ]);
    expect(findStale([queue], facts())).toEqual([]);
    expect(longHeld(queue, now)).toEqual(['n0']);
    // Only what is certain counts: it may have got its turn late.
    expect(longHeld(queue, now, 7_300_000)).toEqual([]);
    expect(longHeld(plainQueue('/l/a', 'curator', [{ createdAt: now - 9_000_000 }]), now)).toEqual([]);
  });
});

describe('deleteConsequences', () => {
  const next = (queue: LockQueue, at: number) => {
    const consequences = deleteConsequences(queue, nth(queue, at).path, { now })!;
    const indexes = (of: readonly unknown[]) => of.map(each => queue.contenders.indexOf(each as never));
    const { succession, nextHolders, remainingHolders } = consequences;
    return { succession, next: indexes(nextHolders), remaining: indexes(remainingHolders) };
  };
  const shared = curatorQueue('/l/a', [
    { kind: 'write', owner: 1n },
    { kind: 'read', owner: 2n },
    { kind: 'read', owner: 3n },
    { kind: 'write', owner: 4n },
    { kind: 'read', owner: 5n },
  ]);

  it.each([
    ['the holder of a mutex', mutex(1n, 2n, 3n), 0, { succession: 'known', next: [1], remaining: [] }],
    ['a waiter', mutex(1n, 2n, 3n), 1, { succession: 'known', next: [], remaining: [0] }],
    ['the only one', mutex(1n), 0, { succession: 'known', next: [], remaining: [] }],
    ['a writer before readers', shared, 0, { succession: 'known', next: [1, 2], remaining: [] }],
    ['a writer between readers', shared, 3, { succession: 'known', next: [], remaining: [0] }],
    ['a lease', semaphoreQueue('/l/s', [1n, 2n, 3n, 4n], 2), 0, { succession: 'known', next: [2], remaining: [1] }],
    [
      'a semaphore waiter',
      semaphoreQueue('/l/s', [1n, 2n, 3n], 1),
      1,
      { succession: 'known', next: [], remaining: [0] },
    ],
    [
      'a lock that is one node',
      onlyQueue('/app/locks', [{ name: 'orders', owner: 1n }]),
      0,
      { succession: 'race', next: [], remaining: [] },
    ],
  ])('says who gets the lock without %s', (_, queue, at, expected) => {
    expect(next(queue, at)).toEqual(expected);
  });

  it('two holders are possible unless the holder is known to be dead, or only waits', () => {
    const queue = mutex(1n, 2n);
    const of = (at: number, live: bigint[]) =>
      deleteConsequences(queue, nth(queue, at).path, { now, owners: owners(live) });
    expect(of(0, [1n])).toMatchObject({ twoHoldersPossible: true, position: 1 });
    expect(of(0, [2n])).toMatchObject({ twoHoldersPossible: false, owner: { alive: 'no' } });
    expect(of(1, [2n])).toMatchObject({ twoHoldersPossible: false, position: 2 });
    expect(deleteConsequences(queue, '/l/a/other', { now })).toBeUndefined();
  });

  it('offers the gentler way: release of our own, a request where the owner may listen', () => {
    const queue = mutex(1n, 2n);
    const gentler = (more: object) => deleteConsequences(queue, nth(queue, 0).path, { now, ...more })?.gentler;
    expect(gentler({})).toBe('revoke');
    expect(gentler({ ownSessions: new Set([1n]) })).toBe('release');
    expect(gentler({ watches: watches([]) })).toBeUndefined();
    expect(listensForRevoke(queue, nth(queue, 0), watches([[nth(queue, 0).path, [1n]]]))).toBe('yes');
    const withData = onlyQueue('/l/a', [{ name: curatorName('lock-', 0), data: '10.0.0.1' }]);
    expect(listensForRevoke(withData, nth(withData, 0))).toBe('no');
    const latch = onlyQueue('/l/a', [curatorName('latch-', 0)]);
    expect(listensForRevoke(latch, nth(latch, 0))).toBe('no');
  });
});

describe('herdOf', () => {
  const solo = onlyQueue('/app/locks', [{ name: 'orders', owner: 1n }]);
  const write = (owner: bigint) => ({ kind: 'write' as const, owner });
  const read = (owner: bigint) => ({ kind: 'read' as const, owner });
  it.each([
    ['a mutex', mutex(1n, 2n, 3n), 1],
    ['no waiter', mutex(1n), 0],
    ['readers that all watch the first writer', curatorQueue('/l/a', [write(1n), read(2n), read(3n)]), 2],
    ['a semaphore: its head watches the leases', semaphoreQueue('/l/s', [1n, 2n, 3n, 4n], 1), 1],
    [
      'a group in which all watch the directory',
      onlyQueue('/l/m', ['json.info_0000000001', 'json.info_0000000002', 'json.info_0000000003']),
      2,
    ],
    ['one node, whose watchers are not in the tree', solo, undefined],
  ])('%s', (_, queue, sessions) => {
    expect(herdOf(queue)).toEqual({ sessions, registered: undefined });
  });

  it('counts what the servers have registered, the holder itself aside', () => {
    expect(herdOf(solo, watches([[nth(solo, 0).path, [1n, 5n, 6n]]])).registered).toBe(2);
    expect(herdOf(solo, watches([], false)).registered).toBeUndefined();
  });
});

describe('risks of a queue', () => {
  const hex = (digit: string) => digit.repeat(32);
  const kazoo = onlyQueue('/l/k', [
    { name: `${hex('a')}__rlock__0000000001`, owner: 1n },
    { name: `${hex('b')}__lock__0000000002`, owner: 2n },
  ]);
  it("finds kazoo 2.8.0's mutual wait by the watch of the reader, and nothing in a healthy queue", () => {
    const [reader, writer] = kazoo.contenders;
    const found = { queue: kazoo, reader, writer };
    expect(suspectMutualWaits([kazoo])).toEqual([found]);
    expect(suspectMutualWaits([mutex(1n, 2n)])).toEqual([]);
    const writerWatches: [string, bigint[]] = [reader!.path, [2n]];
    expect(findMutualWaits([kazoo], watches([writerWatches]))).toEqual([]);
    expect(findMutualWaits([kazoo], watches([writerWatches, [writer!.path, [1n]]], false))).toEqual([found]);
  });
  it('explains the watch by another thread of the reader that waits for the writer', () => {
    const behind = onlyQueue('/l/k', [
      { name: `${hex('a')}__rlock__0000000001`, owner: 1n },
      { name: `${hex('b')}__lock__0000000002`, owner: 2n },
      { name: `${hex('c')}__rlock__0000000003`, owner: 1n },
    ]);
    expect(findMutualWaits([behind], watches([[nth(behind, 1).path, [1n]]]))).toEqual([]);
  });
  it('counts readers behind a chain of writers', () => {
    const queue = curatorQueue('/l/a', [
      { kind: 'write', owner: 1n },
      { kind: 'read', owner: 2n },
      { kind: 'write', owner: 3n },
      { kind: 'read', owner: 4n },
    ]);
    expect(findReadersBehindWriters([queue, mutex(1n, 2n)])).toEqual([{ queue, readers: 1, writers: 2 }]);
  });
});

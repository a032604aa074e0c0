import { describe, expect, it } from 'vitest';
import { heldFor, narrowed } from '../../../src/locks/heldSince.ts';
import type { ChildNode, LockDirectory } from '../../../src/locks/lockDirectory.ts';
import type { HeldSince } from '../../../src/locks/lockQueue.ts';
import { recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { child, directory } from './directory.ts';

const path = '/l';
const start = 1_000_000;

/** A child whose czxid is its time, in seconds after the start. */
interface Made {
  name: string;
  at: number;
  owner?: bigint;
  data?: string;
  /** When its data were written last. */
  written?: number;
  version?: number;
}

function nodeOf(
  parent: string,
  { name, at, owner = BigInt(at + 1), data = '', written = at, version = 0 }: Made,
): ChildNode {
  return {
    ...child(parent, { name, owner, data, czxid: BigInt(at) }, 0),
    createdAt: start + at * 1_000,
    modifiedAt: start + written * 1_000,
    version,
  };
}

/** A directory whose last child came or went at `changed`. */
function read(made: readonly Made[], changed?: number, more: Partial<LockDirectory> = {}): LockDirectory {
  const lastChanges = new Map(changed === undefined ? [] : [[path, BigInt(changed)]]);
  return { ...directory(path, []), children: made.map(each => nodeOf(path, each)), lastChanges, ...more };
}

/** `name from-to` of every holder, in seconds after the start; `name from-` without a latest moment. */
function holders(of: LockDirectory): string[] {
  const seconds = (ms: number | undefined): string => (ms === undefined ? '' : String((ms - start) / 1_000));
  return recogniseQueues(of)
    .flatMap(({ contenders }) => contenders)
    .flatMap(({ role, identifier, name, heldSince }) => {
      if (role === 'waiter') expect(heldSince).toBeUndefined();
      const who = identifier === '' ? name : identifier;
      return role === 'holder' ? [`${who} ${seconds(heldSince?.earliest)}-${seconds(heldSince?.latest)}`] : [];
    });
}

const digits = (sequence: number): string => String(sequence).padStart(10, '0');
const curator = (marker: string, sequence: number): string =>
  `_c_01234567-89ab-cdef-0123-456789abcdef-${marker}${digits(sequence)}`;
const kazoo = (marker: string, sequence: number): string => `${'0'.repeat(32)}__${marker}__${digits(sequence)}`;

function mutex(at: number, sequence: number, data = `m${sequence}`): Made {
  return { name: curator('lock-', sequence), at, data };
}

describe('since when a contender of a queue holds', () => {
  it.each<[string, Made[], number | undefined, string[]]>([
    ['no one came or went after it', [mutex(10, 7)], 10, ['m7 10-10']],
    ['one left after it', [mutex(10, 7)], 12, ['m7 10-']],
    ['the stat of the directory is not known', [mutex(10, 7)], undefined, ['m7 10-']],
    ['the last change is a join', [mutex(10, 7), mutex(20, 8), mutex(30, 9)], 30, ['m7 10-30']],
    ['one left after the newest', [mutex(10, 7), mutex(20, 8)], 25, ['m7 10-']],
    ['the first of its directory', [mutex(10, 0), mutex(20, 3)], 25, ['m0 10-10']],
    ['the newest is no contender', [mutex(10, 7), { name: 'other', at: 40 }], 40, ['m7 10-40']],
    [
      'the newest is of another queue in the directory',
      [
        { name: kazoo('lock', 7), at: 10, data: 'k' },
        { name: `lock-${digits(8)}`, at: 15, data: 'd' },
      ],
      15,
      ['k 10-15', 'd 15-15'],
    ],
  ])('mutex: %s', (_title, made, changed, expected) => {
    expect(holders(read(made, changed))).toEqual(expected);
  });

  it('says no earlier end than begin where the clock of a new leader is behind', () => {
    const directory = read([mutex(10, 7), mutex(20, 8)], 20);
    directory.children[1]!.createdAt = start;
    expect(holders(directory)).toEqual(['m7 10-10']);
  });

  const reader = (at: number, sequence: number): Made => ({
    name: curator('__READ__', sequence),
    at,
    data: `r${sequence}`,
  });
  const writer = (at: number, sequence: number): Made => ({
    name: curator('__WRIT__', sequence),
    at,
    data: `w${sequence}`,
  });

  it('proves nothing for a reader whose writer may have left after it joined', () => {
    expect(holders(read([reader(10, 3), reader(20, 5)], 25))).toEqual(['r3 10-', 'r5 20-']);
  });

  it('lets readers share the moment of the newest join', () => {
    expect(holders(read([reader(10, 3), reader(20, 5), writer(30, 6)], 30))).toEqual(['r3 10-30', 'r5 20-30']);
    expect(holders(read([reader(10, 3), reader(20, 5)], 20))).toEqual(['r3 10-20', 'r5 20-20']);
  });

  it('does not take the number of an unknown library for that of the server', () => {
    const slot = { name: `slot-lock-${digits(0)}`, at: 10 };
    expect(holders(read([slot, mutex(20, 5)], 25)).find(text => text.startsWith('slot'))).not.toContain('10-10');
  });

  it('counts the confirmation of an election as a change', () => {
    const ballot = (at: number, sequence: number): Made => ({
      name: `ballot${digits(sequence)}`,
      at,
      data: `b${sequence}`,
    });
    const confirmed = { name: 'leader_ack', at: 30, owner: 0n };
    expect(holders(read([ballot(10, 0), ballot(20, 1), confirmed], 30))).toEqual(['b0 10-30']);
    expect(holders(read([ballot(10, 0), ballot(20, 1)], 20))).toEqual([]);
  });

  it('counts data that make a reader of a contender', () => {
    const table = (at: number, data: string, written: number): Made => ({
      name: `flock#0123~456#${digits(at)}`,
      ...{ at, data, written, owner: 0n },
    });
    const queue = [table(10, 'READ:1', 50), table(20, 'READ:2', 20)];
    const found = holders(read(queue, 20));
    if (found.length > 0) expect(found.every(text => text.endsWith('-50'))).toBe(true);
  });
});

describe('since when a lease holds', () => {
  it.each<[string, Made, string]>([
    ['marked once', { name: `semaphore-${digits(4)}`, at: 10, data: 'ACQUIRED', written: 33, version: 1 }, '33-33'],
    ['written again', { name: `semaphore-${digits(4)}`, at: 10, data: 'ACQUIRED', written: 33, version: 2 }, '10-33'],
  ])('DistributedLock.NET: %s', (_title, made, expected) => {
    // A later join proves nothing: the marking is no change of the directory.
    const waiting = { name: `semaphore-${digits(5)}`, at: 12 };
    expect(holders(read([made, waiting], 12))).toEqual([`${made.name} ${expected}`]);
  });

  it('kazoo: since the lease was made', () => {
    const lease = { name: 'a'.repeat(32), at: 10, data: 'host' };
    const queue = [nodeOf(`${path}-__lock__`, { name: kazoo('lock', 4), at: 12, data: 'w' })];
    const further = new Map([[`${path}-__lock__`, queue]]);
    expect(holders(read([lease], 40, { further }))).toEqual(['host 10-10']);
  });

  const lease = (at: number, sequence: number): ChildNode =>
    nodeOf(`${path}/leases`, { name: curator('lease-', sequence), at, data: `l${sequence}` });
  const queued = (at: number, sequence: number): ChildNode =>
    nodeOf(`${path}/locks`, { name: curator('lock-', sequence), at, owner: 99n, data: `q${sequence}` });

  function semaphore(leases: ChildNode[], locks: ChildNode[], leasesChanged?: number, locksChanged?: number): string[] {
    const further = new Map([
      [`${path}/leases`, leases],
      [`${path}/locks`, locks],
    ]);
    const lastChanges = new Map<string, bigint>();
    if (leasesChanged !== undefined) lastChanges.set(`${path}/leases`, BigInt(leasesChanged));
    if (locksChanged !== undefined) lastChanges.set(`${path}/locks`, BigInt(locksChanged));
    const parts = ['leases', 'locks'].map((name, at) => ({ name, at, owner: 0n }));
    return holders(read(parts, 1, { further, lastChanges }));
  }

  it('Curator: by the next lease at the latest, for its maker had the lock', () => {
    expect(semaphore([lease(10, 0), lease(20, 1), lease(30, 2)], [], 30, 31)).toEqual([
      'l0 10-20',
      'l1 20-30',
      'l2 30-',
    ]);
  });

  it('Curator: by a join as the last change of both directories', () => {
    expect(semaphore([lease(10, 0)], [queued(40, 3)], 10, 40)).toEqual(['l0 10-40']);
    expect(semaphore([lease(10, 0)], [queued(40, 3)], 10, 45)).toEqual(['l0 10-']);
    expect(semaphore([lease(10, 0)], [queued(40, 3)], 12, 40)).toEqual(['l0 10-']);
    expect(semaphore([lease(10, 0)], [queued(40, 3)], undefined, 40)).toEqual(['l0 10-']);
    // The limit may have been raised after the lease was made, while both directories stayed the same.
    expect(semaphore([lease(10, 0)], [], 10, 11)).toEqual(['l0 10-']);
  });
});

describe('since when a single node holds', () => {
  it('since it was created', () => {
    const self = nodeOf('/', { name: 'leader', at: 10, written: 50, version: 3 });
    expect(
      holders({ path: '/app/leader', self: { ...self, path: '/app/leader' }, children: [], further: new Map() }),
    ).toEqual(['leader 10-10']);
  });

  it('a lease with an end: since this lease was given', () => {
    const data = JSON.stringify({ holder: 'h', end: '2026-01-01T00:00:00' });
    expect(holders(read([{ name: 'lease_holder', at: 10, owner: 0n, data }]))).toEqual(['h 10-10']);
  });
});

describe('narrowed', () => {
  it.each<[HeldSince, HeldSince, HeldSince]>([
    [{ earliest: 1 }, { earliest: 2 }, { earliest: 2 }],
    [{ earliest: 1, latest: 9 }, { earliest: 2 }, { earliest: 2, latest: 9 }],
    [
      { earliest: 1, latest: 9 },
      { earliest: 3, latest: 5 },
      { earliest: 3, latest: 5 },
    ],
    [
      { earliest: 6, latest: 9 },
      { earliest: 3, latest: 5 },
      { earliest: 5, latest: 5 },
    ],
  ])('%o and %o are %o', (one, other, both) => {
    expect(narrowed(one, other)).toEqual(both);
    expect(narrowed(other, one)).toEqual(both);
  });
});

describe('heldFor', () => {
  it('claims nothing that is not known', () => {
    const now = start + 100_000;
    expect(heldFor({ createdAt: start }, now)).toEqual({ least: 0, most: 100_000 });
    expect(heldFor({ createdAt: start, heldSince: { earliest: start + 1 } }, now)).toEqual({ least: 0, most: 99_999 });
    const known = { earliest: start + 1, latest: start + 60_000 };
    expect(heldFor({ createdAt: start, heldSince: known }, now)).toEqual({ least: 40_000, most: 99_999 });
    expect(heldFor({ createdAt: start, heldSince: known }, start)).toEqual({ least: 0, most: 0 });
  });
});

import { describe, expect, it } from 'vitest';
import { furtherDirectories, recogniseQueues } from '../../../src/locks/recognition/recognise.ts';
import { brief, directory, type ChildSpec } from './directory.ts';

const U1 = '_c_1a2b3c4d-0001-4000-8000-00000000000a-';
const U2 = '_c_ffb3c4d0-0002-4000-8000-00000000000b-';
const U3 = '_c_00b3c4d0-0003-4000-8000-00000000000c-';
const G1 = 'f'.repeat(32);
const G2 = '0123456789abcdef'.repeat(2);
const G3 = '00'.repeat(16);

describe('furtherDirectories', () => {
  it.each<[string, string[], string[]]>([
    ['/s', ['locks', 'leases'], ['/s/locks', '/s/leases']],
    ['/s', ['leases'], ['/s/locks', '/s/leases']],
    ['/s', ['locks'], []],
    ['/s/locks', [], ['/s/leases', '/s/locks-__lock__']],
    ['/s/locks', [`${U1}lock-0000000000`], ['/s/leases']],
    ['/s/leases', [`${U1}lease-0000000000`], ['/s/locks']],
    ['/s/locks', ['team-a', 'team-b'], []],
    ['/locks', [`${U1}lock-0000000000`], []],
    ['/p', [], ['/p-__lock__']],
    ['/p', [G1, G2], ['/p-__lock__']],
    ['/p-__lock__', [`${G1}__lock__0000000000`], ['/p']],
    ['/p-__lock__', [], ['/p']],
    ['/-__lock__', [], ['/-__lock__-__lock__']],
    ['/', [], []],
    ['/app', ['config'], []],
  ])('%s %j', (path, names, expected) => {
    expect(furtherDirectories(path, names)).toEqual(expected);
  });
});

describe('Curator SemaphoreV2', () => {
  // Two leases are held; B stands at the head with its pending lease, C waits behind it.
  const locks: ChildSpec[] = [
    { name: `${U3}lock-0000000003`, owner: 0xcn, czxid: 30n, data: 'c' },
    { name: `${U2}lock-0000000002`, owner: 0xbn, czxid: 20n, data: 'b' },
  ];
  const leases: ChildSpec[] = [
    { name: `${U2}lease-0000000002`, owner: 0xbn, czxid: 21n, data: 'b' },
    { name: `${U1}lease-0000000000`, owner: 0xan, czxid: 10n, data: 'a' },
    // The head's session already holds one: only the newest is pending.
    { name: `${U3}lease-0000000001`, owner: 0xbn, czxid: 15n, data: 'b' },
  ];
  const queue = [
    `${U1}lease-0000000000!`,
    `${U3}lease-0000000001!`,
    `${U2}lock-0000000002>`,
    `${U3}lock-0000000003>${U2}lock-0000000002`,
  ];

  it.each<[string, (ChildSpec | string)[], Record<string, (ChildSpec | string)[]>]>([
    ['/s', ['locks', 'leases'], { '/s/locks': locks, '/s/leases': leases }],
    ['/s/locks', locks, { '/s/leases': leases }],
    ['/s/leases', leases, { '/s/locks': locks }],
  ])('is the same queue seen from %s', (path, children, further) => {
    const queues = recogniseQueues(directory(path, children, { further }));
    expect(queues).toHaveLength(1);
    expect(queues[0]).toMatchObject({ path: '/s', dialect: 'curator-semaphore' });
    expect(brief(queues[0]!.contenders)).toEqual(queue);
    expect(queues[0]!.contenders.map(({ path: at }) => at)[0]).toBe(`/s/leases/${U1}lease-0000000000`);
    expect(queues[0]!.strangers).toEqual([`leases/${U2}lease-0000000002`]);
    expect(queues[0]!.hazards).toEqual([]);
  });

  it("does not take a lease that the head's session held before for pending", () => {
    const further = {
      '/s/locks': [{ name: `${U2}lock-0000000002`, owner: 0xan, czxid: 20n }],
      '/s/leases': [{ name: `${U1}lease-0000000000`, owner: 0xan, czxid: 10n }],
    };
    const [found] = recogniseQueues(directory('/s', ['locks', 'leases'], { further }));
    expect(brief(found!.contenders)).toEqual([`${U1}lease-0000000000!`, `${U2}lock-0000000002>`]);
  });

  const unread = { isUnread: true } as const;
  it.each<[string, ChildSpec[], ChildSpec[], string[]]>([
    [
      'whose lease may not be read',
      [{ name: `${U2}lock-0000000002`, owner: 0xbn, czxid: 20n }],
      [
        { name: `${U1}lease-0000000000`, ...unread },
        { name: `${U2}lease-0000000001`, ...unread },
      ],
      [`${U1}lease-0000000000!`, `${U2}lease-0000000001>?`, `${U2}lock-0000000002>`],
    ],
    [
      'that may not be read',
      [{ name: `${U2}lock-0000000002`, ...unread }],
      [{ name: `${U1}lease-0000000000`, owner: 0xan, czxid: 10n }],
      [`${U1}lease-0000000000>?`, `${U2}lock-0000000002>`],
    ],
    [
      'whose lease is known',
      [{ name: `${U2}lock-0000000002`, owner: 0xbn, czxid: 20n }],
      [
        { name: `${U1}lease-0000000000`, ...unread },
        { name: `${U2}lease-0000000001`, owner: 0xbn, czxid: 21n },
      ],
      [`${U1}lease-0000000000!`, `${U2}lock-0000000002>`],
    ],
    ['there is none', [], [{ name: `${U1}lease-0000000000`, ...unread }], [`${U1}lease-0000000000!`]],
  ])('claims no hold for the newest lease behind a head %s', (_, queued, made, expected) => {
    const further = { '/s/locks': queued, '/s/leases': made };
    const [found] = recogniseQueues(directory('/s', ['locks', 'leases'], { further }));
    const mayHold = new Set(found!.contenders.flatMap(each => (each.mayHold === true ? [`${each.name}>`] : [])));
    expect(brief(found!.contenders).map(each => (mayHold.has(each) ? `${each}?` : each))).toEqual(expected);
  });

  // `locks` is a container: the server takes it away when nobody has waited for a while, whoever still holds.
  it.each<[string, (ChildSpec | string)[], Record<string, (ChildSpec | string)[]>]>([
    ['/s', ['leases'], { '/s/leases': leases }],
    ['/s/leases', leases, {}],
  ])('is held, too, without its locks, seen from %s', (path, children, further) => {
    const [found, ...others] = recogniseQueues(directory(path, children, { further }));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ path: '/s', dialect: 'curator-semaphore', strangers: [] });
    expect(brief(found!.contenders)).toEqual([
      `${U1}lease-0000000000!`,
      `${U3}lease-0000000001!`,
      `${U2}lease-0000000002!`,
    ]);
  });

  it('is not seen in a directory that has something else called leases', () => {
    const further = { '/s/leases': ['2024', 'flat-7'] };
    expect(recogniseQueues(directory('/s', ['leases'], { further }))).toEqual([]);
    expect(recogniseQueues(directory('/s', ['leases'], { further: { '/s/leases': [] } }))).toEqual([]);
  });

  it('is recognised empty, with its strangers', () => {
    const further = { '/s/locks': [], '/s/leases': [] };
    const queues = recogniseQueues(directory('/s', ['locks', 'leases', { name: 'notes', owner: 0n }], { further }));
    expect(queues).toMatchObject([{ path: '/s', dialect: 'curator-semaphore', contenders: [], strangers: ['notes'] }]);
  });

  it('is not seen in other directories of these names', () => {
    const further = { '/s/locks': ['a'], '/s/leases': ['b'] };
    const children = ['locks', 'leases'].map(name => ({ name, owner: 0n }));
    expect(recogniseQueues(directory('/s', children, { further }))).toEqual([]);
    // `locks` alone is a directory of mutexes.
    expect(recogniseQueues(directory('/s/locks', [`${U1}lock-0000000000`]))).toMatchObject([
      { path: '/s/locks', dialect: 'curator' },
    ]);
  });

  it('without the queue beside it shows the leases as held', () => {
    const [found] = recogniseQueues(directory('/s/leases', leases));
    expect(found).toMatchObject({ dialect: 'curator-semaphore' });
    expect(found!.contenders.map(({ role }) => role)).toEqual(['holder', 'holder', 'holder']);
  });
});

describe('kazoo Semaphore', () => {
  const leases: ChildSpec[] = [{ name: G1, data: 'host-A' }];
  const queued: ChildSpec[] = [
    { name: `${G3}__lock__0000000001`, czxid: 9n, data: "b'host-C'" },
    { name: `${G2}__lock__0000000000`, czxid: 8n, data: "b'host-B'" },
  ];
  const queue = [`${G1}!`, `${G2}__lock__0000000000>`, `${G3}__lock__0000000001>${G2}__lock__0000000000`];
  const self = { data: new TextEncoder().encode('1') };

  it("is read from the leases' directory, with its limit", () => {
    const queues = recogniseQueues(directory('/p', leases, { self, further: { '/p-__lock__': queued } }));
    expect(queues).toMatchObject([
      { path: '/p', dialect: 'kazoo-semaphore', maxLeases: 1, strangers: [], hazards: [] },
    ]);
    expect(brief(queues[0]!.contenders)).toEqual(queue);
    expect(queues[0]!.contenders.map(({ identifier }) => identifier)).toEqual(['host-A', 'host-B', 'host-C']);
    expect(queues[0]!.contenders[1]!.path).toBe(`/p-__lock__/${G2}__lock__0000000000`);
  });

  it("is the same queue seen from the queue's directory", () => {
    const queues = recogniseQueues(directory('/p-__lock__', [...queued, 'x'], { further: { '/p': [...leases, 'y'] } }));
    expect(queues).toMatchObject([{ path: '/p', dialect: 'kazoo-semaphore', strangers: ['../p-__lock__/x', 'y'] }]);
    expect(brief(queues[0]!.contenders)).toEqual(queue);
  });

  it('is recognised empty', () => {
    const queues = recogniseQueues(directory('/p', [], { self, further: { '/p-__lock__': [] } }));
    expect(queues).toMatchObject([{ path: '/p', dialect: 'kazoo-semaphore', maxLeases: 1, contenders: [] }]);
  });

  it("needs both halves: hex names alone are a barrier's members", () => {
    expect(recogniseQueues(directory('/barrier', [G1, G2, 'ready']))).toEqual([]);
  });

  it('says when the limit is not stored', () => {
    const [found] = recogniseQueues(directory('/p', leases, { further: { '/p-__lock__': [] } }));
    expect(found).not.toHaveProperty('maxLeases');
    expect(found!.hazards).toEqual([{ kind: 'limit-unknown', names: [] }]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { containerOwner } from '../../../src/dataTree/znode.ts';
import { curatorMutex, kazooLock, lease } from '../../support/contenderNames.ts';
import { brief, created, FollowedTree } from './followedTree.ts';

let tree: FollowedTree;

beforeEach(() => {
  tree = new FollowedTree();
});

const holds = () => tree.follower.holds().map(brief);
const waits = () => tree.follower.waits().map(brief);
const named = (names: Record<string, string>) => (text: string) =>
  Object.entries(names).reduce((all, [short, name]) => all.replaceAll(name, short), text);

describe('LockFollower: why holds end', () => {
  const lock = '/locks/job';
  const [a, b] = [curatorMutex(0), curatorMutex(1)];
  const short = named({ a, b });
  let start: bigint;

  beforeEach(() => {
    tree.create(`${lock}/${a}`, 10n);
    start = tree.zxid;
    tree.create(`${lock}/${b}`, 20n);
  });

  it.each<{ what: string; act: () => void; ended: string }>([
    {
      what: 'its session deletes the node',
      act: () => {
        tree.remove(`${lock}/${a}`, 10n);
      },
      ended: 'released',
    },
    {
      what: 'another session deletes the node',
      act: () => {
        tree.remove(`${lock}/${a}`, 99n);
      },
      ended: 'deleted by another session by 99',
    },
    {
      what: 'the client closes its session',
      act: () => {
        tree.apply({ type: 'closeSession' }, 10n, 7);
      },
      ended: 'session closed',
    },
    {
      what: 'the server ends the session',
      act: () => {
        tree.apply({ type: 'closeSession', paths: [`${lock}/${a}`] }, 10n, 0);
      },
      ended: 'session expired',
    },
    {
      what: 'it goes within a multi of its session',
      act: () => {
        const parts = [created('/other', 0n), { type: 'delete' as const, path: `${lock}/${a}` }];
        tree.apply({ type: 'multi', parts }, 10n);
      },
      ended: 'released',
    },
  ])('$what', ({ act, ended }) => {
    act();
    expect(holds().map(short)).toEqual([
      `${lock} a ${String(start)} ${String(start)} ${String(tree.zxid)} ${ended}`,
      `${lock} b ${String(start + 1n)} ${String(tree.zxid)} -`,
    ]);
    expect(waits()).toEqual([]);
  });

  it('says of a waiter that leaves the same', () => {
    tree.remove(`${lock}/${b}`, 99n);
    expect(waits().map(short)).toEqual([
      `${lock} b ${String(start + 1n)} - ${String(tree.zxid)} deleted by another session by 99`,
    ]);
  });

  it('takes each change of a multi at the same moment', () => {
    const parts = [a, b].map(name => ({ type: 'delete' as const, path: `${lock}/${name}` }));
    tree.apply({ type: 'multi', parts }, 20n);
    expect(holds().map(short)).toEqual([
      `${lock} a ${String(start)} ${String(start)} ${String(tree.zxid)} deleted by another session by 20`,
    ]);
    expect(waits().map(short)).toEqual([`${lock} b ${String(start + 1n)} - ${String(tree.zxid)} released`]);
  });
});

describe('LockFollower: nodes without an owner', () => {
  const path = '/app/x_lock_0000000001';

  it.each([
    { owner: 0n, deleter: 5n, ended: 'released' },
    { owner: 0n, deleter: 6n, ended: 'deleted by another session by 6' },
    { owner: containerOwner, deleter: 0n, ended: 'deleted by another session by 0' },
  ])('end by their creator or by others: $ended', ({ owner, deleter, ended }) => {
    tree.create(path, 5n, { owner });
    tree.remove(path, deleter, deleter === 0n ? 0 : 1);
    expect(holds()).toEqual([`/app#x x_lock_0000000001 2 2 3 ${ended}`]);
  });

  it('that were there before end by one that is not known', () => {
    tree.create(path, 5n, { owner: 0n });
    tree.begin();
    tree.remove(path, 5n);
    expect(holds().at(-1)).toBe('/app#x x_lock_0000000001 2 2 3 unknown by 5');
  });

  it('are held as their data say', () => {
    const lock = '/x/shedlock/job';
    tree.create(lock, 5n, { owner: 0n });
    tree.write(lock, 5n, '2026-01-01T00:00:00.000Z');
    const begun = tree.zxid;
    tree.write(lock, 5n, '');
    expect(holds()).toEqual([`${lock} job ${String(begun)} ${String(begun)} ${String(tree.zxid)} released`]);
  });
});

describe('LockFollower: what is a lock', () => {
  it('is none: registries, messages, sequential configuration', () => {
    tree.create('/services/web/3f2504e0-4f89-11d3-9a0c-0305e82c3301', 10n);
    for (let number = 0; number < 20; number++) {
      const digits = String(number).padStart(10, '0');
      for (const name of [`msg-${digits}`, `work-${digits}`]) tree.create(`/queue/${name}`, 10n, { owner: 0n });
    }
    expect([...tree.follower.locks(), ...holds(), ...waits()]).toEqual([]);
  });

  it('is one: named locks of one directory, each for itself', () => {
    const names = ['a_lock_0000000000', 'b_lock_0000000001', 'a_lock_0000000002'];
    for (const name of names) tree.create(`/jobs/${name}`, 10n);
    tree.remove('/jobs/a_lock_0000000000', 10n);
    expect(holds()).toEqual([
      '/jobs#a a_lock_0000000000 2 2 5 released',
      '/jobs#b b_lock_0000000001 3 3 -',
      '/jobs#a a_lock_0000000002 4 5 -',
    ]);
    expect(tree.follower.locks()).toEqual([
      { path: '/jobs', lockName: 'a', dialect: 'named-lock' },
      { path: '/jobs', lockName: 'b', dialect: 'named-lock' },
    ]);
    expect(tree.follower.holds('/jobs')).toHaveLength(3);
    expect(tree.follower.holds('/')).toEqual([]);
  });

  it('is one: a single node', () => {
    tree.create('/kafka/controller', 10n, { data: '{"brokerid":3}' });
    tree.apply({ type: 'closeSession' }, 10n, 0);
    expect(tree.follower.holds()).toMatchObject([
      { path: '/kafka/controller', identifier: 'broker 3', kind: 'candidate', ended: 'session expired' },
    ]);
  });

  it('is one: readers together', () => {
    const names = ['r1', 'r2', 'w'].map((_, index) =>
      index < 2 ? kazooLock(index, index).replace('__lock__', '__rlock__') : kazooLock(index, index),
    );
    for (const name of names) tree.create(`/rw/${name}`, 10n);
    for (const name of names.slice(0, 2)) tree.remove(`/rw/${name}`, 10n);
    expect(tree.follower.holds().map(({ kind, from, to }) => [kind, from.zxid, to?.zxid])).toEqual([
      ['read', 2n, 5n],
      ['read', 3n, 6n],
      ['write', 6n, undefined],
    ]);
  });

  it('is one: writers, as soon as a reader stands beside them', () => {
    const locks = [0, 1].map(number => `/rw/${kazooLock(number, number)}`);
    for (const path of locks) tree.create(path, 10n);
    expect([...tree.follower.holds(), ...tree.follower.waits()].map(({ kind }) => kind)).toEqual([
      'exclusive',
      'exclusive',
    ]);
    tree.create(`/rw/${kazooLock(2, 2).replace('__lock__', '__rlock__')}`, 10n);
    expect([...tree.follower.holds(), ...tree.follower.waits()].map(({ kind }) => kind)).toEqual([
      'write',
      'write',
      'read',
    ]);
  });

  it('is one: a lease beside named locks that are there already', () => {
    for (const name of ['a_lock_0000000000', 'a_lock_0000000001']) tree.create(`/jobs/${name}`, 10n);
    tree.create('/jobs/lease_holder', 10n, { owner: 0n, data: '{"holder":"me","end":"2026-01-01T00:00:00"}' });
    expect(tree.follower.holds().map(({ name, identifier }) => [name, identifier])).toEqual([
      ['a_lock_0000000000', ''],
      ['lease_holder', 'me'],
    ]);
  });

  it('is one: Curator’s semaphore, from its parts', () => {
    const mutex = curatorMutex(0);
    const lease0 = mutex.replace('-lock-', '-lease-');
    tree.create(`/sem/locks/${mutex}`, 10n);
    tree.create(`/sem/leases/${lease0}`, 10n);
    expect(holds()).toEqual([]);
    tree.remove(`/sem/locks/${mutex}`, 10n);
    expect(holds()).toEqual([`/sem ${lease0} 5 6 -`]);
    expect(waits()).toEqual([`/sem ${mutex} 3 - 6 released`]);
    expect(tree.follower.locks()).toEqual([{ path: '/sem', dialect: 'curator-semaphore' }]);
  });

  it('is one: kazoo’s semaphore, from its leases and the queue beside them', () => {
    tree.makeDirectory('/sem');
    tree.create(`/sem-__lock__/${kazooLock(7, 0)}`, 10n);
    tree.create(`/sem/${lease(7)}`, 10n);
    tree.remove(`/sem-__lock__/${kazooLock(7, 0)}`, 10n);
    tree.remove(`/sem/${lease(7)}`, 11n);
    expect(holds()).toEqual([`/sem ${lease(7)} 4 4 6 deleted by another session by 11`]);
    expect(waits()).toEqual([`/sem ${kazooLock(7, 0)} 3 - 5 released`]);
  });

  it('goes by data where those decide', () => {
    for (const number of [0, 1])
      tree.create(`/s/semaphore-000000000${number}`, 10n, { data: number ? '' : 'ACQUIRED' });
    tree.write('/s/semaphore-0000000001', 10n, 'ACQUIRED');
    tree.write('/s/semaphore-0000000000', 10n, '');
    expect(holds()).toEqual(['/s semaphore-0000000000 2 2 5 overtaken', '/s semaphore-0000000001 3 4 -']);
    expect(waits()).toEqual(['/s semaphore-0000000000 2 5 -']);
  });
});

describe('LockFollower: gaps', () => {
  const path = (number: number) => `/locks/job/${curatorMutex(number)}`;

  beforeEach(() => {
    tree.create(path(0), 10n);
    tree.create(path(1), 20n);
  });

  it('are crossed by the same node in the same role', () => {
    tree.follower.interrupt(tree.moment);
    expect(tree.follower.holds()).toMatchObject([{ ended: 'unknown', to: { zxid: 4n } }]);
    tree.begin();
    expect(tree.follower.holds()).toMatchObject([{ from: { zxid: 3n } }]);
    expect(tree.follower.holds()[0]).not.toHaveProperty('ended');
    tree.remove(path(0), 10n);
    expect(tree.follower.holds()).toMatchObject([{ ended: 'released' }, { from: { zxid: 5n } }]);
  });

  it('end what the files do not prove to be the same behind them', () => {
    tree.follower.interrupt(tree.moment);
    tree.zxid = 9n;
    tree.begin(false);
    expect(tree.follower.holds()).toMatchObject([
      { from: { zxid: 3n }, to: { zxid: 4n }, ended: 'unknown' },
      { from: { zxid: 9n }, isFromBefore: true, queued: { zxid: 3n } },
    ]);
  });

  it('end what is not there behind them', () => {
    tree.follower.interrupt(tree.moment);
    tree.tree.apply({ change: { type: 'delete', path: path(0) }, sessionId: 10n, cxid: 1, zxid: 5n, time: 5_000 });
    tree.zxid = 9n;
    tree.begin();
    expect(tree.follower.holds()).toMatchObject([
      { from: { zxid: 3n }, to: { zxid: 4n }, ended: 'unknown' },
      { from: { zxid: 9n }, isFromBefore: true, queued: { zxid: 4n } },
    ]);
    expect(tree.follower.waits()).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { guardPath } from '../../../src/inspector/deleteGuards.ts';
import { deleteStale, planStaleDeletes } from '../../../src/inspector/deleteStale.ts';
import type { StaleFinding } from '../../../src/inspector/findStale.ts';
import { deleteContender, forceDelete } from '../../../src/inspector/forceDelete.ts';
import { aclText, RefusedDelete } from '../../../src/inspector/refusedDelete.ts';
import { removeEmptyLock } from '../../../src/inspector/removeEmptyLock.ts';
import { OutcomeUnknownError } from '../../../src/zookeeper/errors.ts';
import { FakeClient } from '../../support/fakeClient.ts';
import { curatorName, plainQueue } from './diagnosisQueues.ts';

const holder = `/locks/a/${curatorName('lock-', 0)}`;
const waiter = `/locks/a/${curatorName('lock-', 1)}`;

function lockOfTwo(): FakeClient {
  const client = new FakeClient();
  client.put(holder, { owner: 0x11n, data: 'host-a' });
  client.put(waiter, { owner: 0x12n });
  return client;
}

async function targetOf(client: FakeClient, path: string) {
  const stat = (await client.exists(path))!;
  return { path, czxid: stat.czxid, ownerSession: stat.ephemeralOwner };
}

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    outcome => outcome,
    (error: unknown) => (error instanceof RefusedDelete ? error.reason : error),
  );

describe('guarded paths', () => {
  it.each([
    ['/', {}, 'root'],
    ['/controller', {}, 'depth'],
    ['/zookeeper', {}, 'zookeeper'],
    ['/zookeeper/quota/a/b', {}, 'zookeeper'],
    ['/quota/a', { chroot: '/zookeeper' }, 'zookeeper'],
    ['/a/b', { chroot: '/zookeeper/quota' }, 'zookeeper'],
    ['/zookeeper/a', { chroot: '/team' }, 'zookeeper'],
    ['/a', { chroot: '/team/locks' }, 'depth'],
    ['/', { chroot: '/team/locks' }, 'root'],
    ['', {}, 'invalid-path'],
    ['a/b', {}, 'invalid-path'],
    ['/a/', {}, 'invalid-path'],
    ['/a//b', {}, 'invalid-path'],
    ['/a/../zookeeper/x', {}, 'invalid-path'],
    ['/a/./b', {}, 'invalid-path'],
    ['/a/b\0', {}, 'invalid-path'],
    ['/a/b\n', {}, 'invalid-path'],
    ['/a/b', { readOnly: true }, 'read-only'],
    ['/a/b', {}, undefined],
    ['/zookeeper-locks/b', {}, undefined],
    ['/a/zookeeper/b', { chroot: '/team' }, undefined],
    ['/a/__proto__', {}, undefined],
  ] as const)('%j with %j: %s', (path, options, reason) => {
    expect(guardPath(path, options)).toBe(reason);
  });

  it('are refused before anything is read', async () => {
    const client = lockOfTwo();
    expect(await refusal(forceDelete(client, { path: '/zookeeper/x', czxid: 1n }))).toBe('zookeeper');
    expect(client.reads).toEqual([]);
  });
});

describe('forceDelete', () => {
  it('deletes the contender and says what it was', async () => {
    const client = lockOfTwo();
    const report = await deleteContender(client, await targetOf(client, holder));
    expect(report).toMatchObject({ outcome: 'deleted', contender: { role: 'holder', identifier: 'host-a' } });
    expect(await client.exists(holder)).toBeUndefined();
    expect(await client.exists(waiter)).toBeDefined();
  });

  it.each([
    ['its czxid differs', { czxid: 99n }],
    ['its owner differs', { ownerSession: 5n }],
    ['its parent differs', { parentCzxid: 77n }],
  ])('leaves it alone when %s', async (_, change) => {
    const client = lockOfTwo();
    expect(await forceDelete(client, { ...(await targetOf(client, holder)), ...change })).toBe('changed');
    expect(await client.exists(holder)).toBeDefined();
  });

  it('says that it is gone, also with its parent', async () => {
    const client = lockOfTwo();
    const target = await targetOf(client, holder);
    client.drop(holder);
    expect(await forceDelete(client, target)).toBe('already gone');
    client.drop('/locks/a');
    expect(await forceDelete(client, target)).toBe('already gone');
  });

  it('refuses what no queue has, and a contender with children', async () => {
    const client = lockOfTwo();
    client.put('/locks/a/config');
    client.put('/app/settings');
    expect(await refusal(forceDelete(client, await targetOf(client, '/locks/a/config')))).toBe('not-a-contender');
    expect(await refusal(forceDelete(client, await targetOf(client, '/app/settings')))).toBe('not-a-contender');
    expect(await refusal(forceDelete(client, await targetOf(client, '/locks/a')))).toBe('not-a-contender');
    client.put(`${holder}/child`);
    expect(await refusal(forceDelete(client, await targetOf(client, holder)))).not.toBe('deleted');
    expect(await client.exists(holder)).toBeDefined();
  });

  it('never repeats a delete whose reply was lost, and tells what reading shows', async () => {
    const client = lockOfTwo();
    let sent = 0;
    client.remove = path => {
      sent++;
      return Promise.reject(new OutcomeUnknownError('remove', path, 'the test says so'));
    };
    const report = await deleteContender(client, await targetOf(client, holder));
    expect(report).toMatchObject({ outcome: 'unknown', resolvedByReading: true, stillThere: true });
    client.remove = path => {
      client.drop(path);
      client.put(path, { owner: 0x99n });
      return Promise.reject(new OutcomeUnknownError('remove', path, 'the test says so'));
    };
    const replaced = await deleteContender(client, await targetOf(client, holder));
    expect(replaced).toMatchObject({ outcome: 'deleted', resolvedByReading: true });
    expect(sent).toBe(1);
  });

  it('stays unknown when the connection does not come back in time, or is lost', async () => {
    for (const end of ['disconnect', 'lose'] as const) {
      const client = lockOfTwo();
      const target = await targetOf(client, holder);
      client.remove = path => {
        client[end]();
        return Promise.reject(new OutcomeUnknownError('remove', path, 'the test says so'));
      };
      const report = await deleteContender(client, target, { resolveWithinMs: 30 });
      expect(report).toMatchObject({ outcome: 'unknown', resolvedByReading: false, stillThere: false });
      expect(client.stateListenerCount).toBe(0);
    }
  });

  it('with a claim spares a node that takes the name over in the last moment', async () => {
    const client = lockOfTwo();
    const target = await targetOf(client, holder);
    const setData = client.setData.bind(client);
    client.setData = (path, data, version) => {
      client.drop(path);
      client.put(path, { owner: 0x99n });
      return setData(path, data, version);
    };
    expect(await forceDelete(client, target, { claim: true })).toBe('changed');
    expect((await client.exists(holder))?.ephemeralOwner).toBe(0x99n);
    client.setData = setData;
    expect(await forceDelete(client, await targetOf(client, holder), { claim: true })).toBe('deleted');
  });
});

describe('deleteStale', () => {
  it('reports each node, goes on after a refusal, and stops between two when cancelled', async () => {
    const client = lockOfTwo();
    client.put('/locks/a/config');
    const targets = [
      await targetOf(client, '/locks/a/config'),
      await targetOf(client, holder),
      await targetOf(client, waiter),
    ];
    const cancel = new AbortController();
    const heard: string[] = [];
    const reports = await deleteStale(client, targets, {
      signal: cancel.signal,
      onEach: ({ outcome }, done) => {
        heard.push(outcome);
        if (done === 2) cancel.abort();
      },
    });
    expect(reports.map(({ outcome }) => outcome)).toEqual(['refused', 'deleted', 'cancelled']);
    expect(heard).toEqual(['refused', 'deleted', 'cancelled']);
    expect(await client.exists(waiter)).toBeDefined();
  });

  it('refuses more than 100 at once', async () => {
    const targets = Array.from({ length: 101 }, (_, at) => ({ path: `/a/b${at}`, czxid: 1n }));
    expect(await refusal(deleteStale(new FakeClient(), targets))).toBe('too-many');
  });

  it('plans at most 100, chooses nothing that may live, and sets guarded paths apart', () => {
    const finding = (more: Partial<StaleFinding>, path = '/locks/a'): StaleFinding => {
      const queue = plainQueue(path, 'curator', [{}]);
      const base = { queue, contender: queue.contenders[0]!, reasons: [], confidence: 'likely' as const };
      return { ...base, owner: { session: 0n, alive: 'no-owner' }, ...more };
    };
    const plan = planStaleDeletes([
      finding({}),
      finding({ owner: { session: 1n, alive: 'no' } }),
      finding({ owner: { session: 1n, alive: 'yes' } }),
      finding({ owner: { session: 1n, alive: 'unknown' } }),
      finding({ confidence: 'possible' }),
      finding({}, '/zookeeper/a'),
      ...Array.from({ length: 100 }, () => finding({})),
    ]);
    expect(plan.planned.slice(0, 5).map(({ isPreselected }) => isPreselected)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect([plan.planned.length, plan.leftOut, plan.guarded.length]).toEqual([100, 5, 1]);
  });
});

describe('removeEmptyLock', () => {
  // The fake server does not count children; the integration test has real ones.
  it.each([
    ['/locks/a', 'not-empty'],
    ['/locks/never', 'not-a-lock-directory'],
    ['/locks', 'depth'],
  ])('%s: %s', async (path, reason) => {
    const client = lockOfTwo();
    client.put('/locks/never');
    const exists = client.getData.bind(client);
    client.getData = async each => {
      const { data, stat } = await exists(each);
      return { data, stat: { ...stat, numChildren: each === '/locks/a' ? 2 : 0 } };
    };
    expect(await refusal(removeEmptyLock(client, path))).toBe(reason);
  });
});

it('shows an ACL without the hash of a password', () => {
  const acl = [
    { scheme: 'digest', id: 'admin:c2VjcmV0', permissions: 'cdrwa' },
    { scheme: 'world', id: 'anyone', permissions: 'r' },
  ];
  expect(aclText(acl)).toBe('digest:admin:…:cdrwa, world:anyone:r');
  expect(aclText(undefined)).toBe('not readable');
});

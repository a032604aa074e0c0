import { describe, expect, it } from 'vitest';
import { guardPath } from '../../../src/inspector/deleteGuards.ts';
import { removeEmptyLock } from '../../../src/inspector/emptyLocks.ts';
import { deleteRecognised, forceDelete } from '../../../src/inspector/forceDelete.ts';
import { aclText, RefusedDelete } from '../../../src/inspector/refusedDelete.ts';
import type { Removal } from '../../../src/inspector/removeNode.ts';
import { OutcomeUnknownError } from '../../../src/zookeeper/errors.ts';
import { FakeClient } from '../../support/fakeClient.ts';
import { curatorName } from './diagnosisQueues.ts';

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

async function deleteNow(client: FakeClient): Promise<Removal> {
  const target = await targetOf(client, holder);
  return deleteRecognised(client, target, target);
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
  it('deletes the contender, and reads its queue once', async () => {
    const client = lockOfTwo();
    const target = await targetOf(client, holder);
    expect(await forceDelete(client, target)).toBe('deleted');
    expect(await client.exists(holder)).toBeUndefined();
    expect(await client.exists(waiter)).toBeDefined();
    expect(client.reads.filter(read => read === 'getChildren /locks/a')).toHaveLength(1);
  });

  it('reads no queue for a contender that was recognised before, and refuses any other node', async () => {
    const client = lockOfTwo();
    const target = await targetOf(client, holder);
    const other = await targetOf(client, waiter);
    for (const recognised of [undefined, other, { ...target, czxid: 99n }]) {
      expect(await refusal(deleteRecognised(client, target, recognised))).toBe('not-a-contender');
    }
    const before = client.reads.length;
    expect(await deleteRecognised(client, target, target)).toEqual({ outcome: 'deleted' });
    expect(client.reads.slice(before)).toEqual([`getData ${holder}`, 'getData /locks/a']);
    expect(await refusal(deleteRecognised(client, other, other, { readOnly: true }))).toBe('read-only');
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

  it('needs no owner to find the node: path and czxid are enough', async () => {
    const client = lockOfTwo();
    const { path, czxid } = await targetOf(client, holder);
    expect(await forceDelete(client, { path, czxid })).toBe('deleted');
  });

  it.each<[string, (client: FakeClient) => void, unknown]>([
    ['the node went', client => client.drop(holder), { outcome: 'already gone' }],
    ['its data changed', client => client.change(holder, 'another'), { outcome: 'changed' }],
    ['it got a child', client => client.put(`${holder}/child`), 'has-children'],
    ['the parent refuses deletes', client => client.undeletable.add(holder), 'no-permission'],
  ])('reports what the server says if %s right before the delete', async (_, change, expected) => {
    const client = lockOfTwo();
    const target = await targetOf(client, holder);
    const remove = client.remove.bind(client);
    client.remove = (path, version) => {
      change(client);
      return remove(path, version);
    };
    expect(await refusal(deleteRecognised(client, target, target))).toEqual(expected);
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

  it('never repeats a delete whose reply was lost, and reports what reading shows', async () => {
    const client = lockOfTwo();
    let sent = 0;
    client.remove = path => {
      sent++;
      return Promise.reject(new OutcomeUnknownError('remove', path, 'the test says so'));
    };
    const report = await deleteNow(client);
    expect(report).toMatchObject({ outcome: 'unknown', stillThere: true });
    client.remove = path => {
      client.drop(path);
      client.put(path, { owner: 0x99n });
      return Promise.reject(new OutcomeUnknownError('remove', path, 'the test says so'));
    };
    const replaced = await deleteNow(client);
    expect(replaced).toEqual({ outcome: 'deleted' });
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
      const report = await deleteRecognised(client, target, target, { resolveWithinMs: 30 });
      expect(report).toEqual({ outcome: 'unknown' });
      expect(client.stateListenerCount).toBe(0);
    }
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
    expect(await refusal(removeEmptyLock(client, { path }))).toBe(reason);
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

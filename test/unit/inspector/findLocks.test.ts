import { beforeEach, describe, expect, it } from 'vitest';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { CancelledError } from '../../../src/zookeeper/errors.ts';
import { curatorMutex, kazooLock, lease } from '../../support/contenderNames.ts';
import { FakeClient } from '../../support/fakeClient.ts';

let client: FakeClient;
beforeEach(() => {
  client = new FakeClient();
});

const listed = (): string[] => client.reads.filter(read => read.startsWith('getChildren ')).map(read => read.slice(12));

it('finds locks at every depth, the nearest first', async () => {
  client.put(`/app/deep/er/lock/${curatorMutex(1)}`, { owner: 1n });
  client.put(`/app/lock/${kazooLock(1, 0)}`, { owner: 1n });
  client.put(`/app/lock/${kazooLock(2, 1)}`, { owner: 2n });
  client.put('/app/config/a');
  const { locks, visited, truncated, denied } = await findLocks(client, '/');
  expect(locks).toEqual([
    { path: '/app/lock', dialect: 'kazoo', contenders: 2 },
    { path: '/app/deep/er/lock', dialect: 'curator', contenders: 1 },
  ]);
  expect({ truncated, denied }).toEqual({ truncated: false, denied: [] });
  expect(visited).toBe(listed().length);
});

it('does not ask contenders for children', async () => {
  client.put(`/a/${curatorMutex(1)}`, { owner: 1n });
  client.put('/a/config/x');
  await findLocks(client, '/');
  expect(listed().sort()).toEqual(['/', '/a', '/a/config', '/a/config/x']);
});

it('leaves out /zookeeper, and only there', async () => {
  client.put('/zookeeper/quota/x');
  client.put('/a/zookeeper');
  await findLocks(client, '/');
  expect(listed().sort()).toEqual(['/', '/a', '/a/zookeeper']);
});

it('looks at the root of the search itself, and not beside it', async () => {
  client.put(`/a/${curatorMutex(1)}`, { owner: 1n });
  client.put(`/ab/${curatorMutex(1)}`, { owner: 1n });
  expect((await findLocks(client, '/a')).locks.map(lock => lock.path)).toEqual(['/a']);
});

it('a root that does not exist holds no locks', async () => {
  expect(await findLocks(client, '/none')).toEqual({ locks: [], visited: 1, truncated: false, denied: [] });
});

describe('locks that are spread over several directories are found once', () => {
  it("Curator's semaphore", async () => {
    client.put('/s/locks/_c_01234567-89ab-cdef-0123-456789abcdef-lock-0000000002', { owner: 2n });
    client.put('/s/leases/_c_01234567-89ab-cdef-0123-456789abcdef-lease-0000000000', { owner: 1n });
    const { locks } = await findLocks(client, '/');
    expect(locks).toEqual([{ path: '/s', dialect: 'curator-semaphore', contenders: 2 }]);
  });

  it("Curator's semaphore that is held while nobody has waited for long", async () => {
    client.put('/s/leases/_c_01234567-89ab-cdef-0123-456789abcdef-lease-0000000000', { owner: 1n });
    const { locks } = await findLocks(client, '/');
    expect(locks).toEqual([{ path: '/s', dialect: 'curator-semaphore', contenders: 1 }]);
  });

  it.each([
    ['queue created last', ['/k', '/k-__lock__']],
    ['queue created first', ['/k-__lock__', '/k']],
  ])("kazoo's semaphore, %s", async (_, order) => {
    for (const path of order) client.put(path);
    client.put(`/k/${lease(1)}`, { owner: 1n });
    client.put(`/k-__lock__/${kazooLock(2, 0)}`, { owner: 2n });
    const { locks } = await findLocks(client, '/');
    expect(locks).toEqual([{ path: '/k', dialect: 'kazoo-semaphore', contenders: 2 }]);
  });
});

describe('what names leave open is read', () => {
  it('a node named like a lock is one only if it is ephemeral', async () => {
    client.put('/a/leader', { owner: 1n });
    client.put('/b/leader');
    const { locks } = await findLocks(client, '/');
    expect(locks.map(({ path, contenders }) => ({ path, contenders }))).toEqual([{ path: '/a/leader', contenders: 1 }]);
  });

  it('each ephemeral node in a directory of locks is a lock, found once', async () => {
    for (const name of ['orders', 'lock']) client.put(`/app/locks/${name}`, { owner: 1n });
    client.put('/app/locks/plain');
    const { locks } = await findLocks(client, '/');
    expect(locks.map(lock => lock.path).sort()).toEqual(['/app/locks/lock', '/app/locks/orders']);
  });

  it('two ordinary directories called locks and leases are no semaphore', async () => {
    client.put('/app/locks/readme');
    client.put('/app/leases/flat-12');
    expect((await findLocks(client, '/')).locks).toEqual([]);
  });

  it('a log of numbered records is no lock, however long, and is not read as a whole', async () => {
    for (let index = 0; index < 12_000; index += 1) client.put(`/orders/order-${String(index).padStart(10, '0')}`);
    expect((await findLocks(client, '/')).locks).toEqual([]);
    const read = client.reads.filter(each => each.startsWith('getData')).length;
    expect(read).toBeGreaterThan(100);
    expect(read).toBeLessThan(1_000);
  });
});

describe('what lies below numbered nodes is found', () => {
  const paths = async (): Promise<string[]> => (await findLocks(client, '/')).locks.map(({ path }) => path).sort();

  it.each([
    ['tenants that are numbered', ['/tenants/tenant-0000000001', '/tenants/tenant-0000000002']],
    ['a directory whose name speaks of locks', ['/locks/17-0000000001', '/locks/a-0000000002/deep']],
    ['ids of nine digits', ['/cust/c-100200300/job', '/cust/c-100200301/job']],
  ])('%s', async (_, directories) => {
    for (const directory of directories) client.put(`${directory}/${curatorMutex(1)}`, { owner: 1n });
    expect(await paths()).toEqual(directories);
  });

  it('beside contenders, certain and likely ones', async () => {
    client.put(`/mix/${curatorMutex(1)}`, { owner: 1n });
    for (const name of ['order100200300', 'job-0000000007', lease(1)]) client.put(`/mix/${name}/leader`, { owner: 2n });
    client.put('/mix/job-0000000008', { owner: 3n });
    const inside = ['order100200300', 'job-0000000007', lease(1)].map(name => `/mix/${name}/leader`);
    expect([...new Set(await paths())]).toEqual(['/mix', ...inside].sort());
  });

  it('in a directory too long to be read as a whole', async () => {
    for (let index = 0; index < 10_500; index += 1) client.put(`/t/tenant-${String(index).padStart(10, '0')}/db`);
    client.put(`/t/tenant-0000010499/lock/${curatorMutex(1)}`, { owner: 1n });
    expect(await paths()).toEqual(['/t/tenant-0000010499/lock']);
  });

  it('though the node may not be read, which is told where its children may not be either', async () => {
    client.put('/tenants/tenant-0000000001/leader', { owner: 1n });
    client.put('/tenants/tenant-0000000002');
    client.denied.add('/tenants/tenant-0000000001');
    client.hidden.add('/tenants/tenant-0000000001');
    expect((await findLocks(client, '/')).denied).toEqual(['/tenants/tenant-0000000001']);
  });

  it('and nobody is asked for children who was seen to have none', async () => {
    for (const number of [1, 2, 3]) client.put(`/orders/order-000000000${number}`);
    client.put('/orders/order-0000000004', { owner: 4n });
    await findLocks(client, '/');
    expect(listed().filter(path => path.startsWith('/orders/'))).toEqual([]);
  });
});

it('reports branches without permission and goes on', async () => {
  client.put('/secret/a');
  client.put(`/open/${curatorMutex(1)}`, { owner: 1n });
  client.denied.add('/secret');
  const { locks, denied } = await findLocks(client, '/');
  expect(denied).toEqual(['/secret']);
  expect(locks).toHaveLength(1);
});

it('a branch that vanishes meanwhile is gone', async () => {
  client.put('/gone/a');
  client.beforeRead = request => {
    if (request.path === '/gone') client.drop('/gone');
  };
  expect(await findLocks(client, '/')).toMatchObject({ locks: [], denied: [], truncated: false });
});

describe('limit', () => {
  beforeEach(() => {
    for (let index = 0; index < 50; index += 1) client.put(`/many/n${index}`);
  });

  it('ends the search and says so', async () => {
    const { visited, truncated } = await findLocks(client, '/', { maxNodes: 10 });
    expect({ visited, truncated, asked: listed().length }).toEqual({ visited: 10, truncated: true, asked: 10 });
  });

  it('is not reached when everything fits exactly', async () => {
    expect(await findLocks(client, '/', { maxNodes: 52 })).toMatchObject({ visited: 52, truncated: false });
  });
});

describe('progress and cancel', () => {
  beforeEach(() => {
    for (let index = 0; index < 5_000; index += 1) client.put(`/n${index}`);
  });

  it('tells how far it is', async () => {
    const seen: number[] = [];
    await findLocks(client, '/', { onProgress: ({ visited }) => seen.push(visited) });
    expect(seen).toEqual([1, 4_001, 5_001]);
  });

  it('ends at once, although an answer never comes', async () => {
    const abort = new AbortController();
    client.beforeReply = () => new Promise(() => undefined);
    const search = findLocks(client, '/', { signal: abort.signal });
    abort.abort();
    await expect(search).rejects.toBeInstanceOf(CancelledError);
  });

  it('asks nothing more after it was cancelled', async () => {
    const abort = new AbortController();
    const search = findLocks(client, '/', { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(search).rejects.toBeInstanceOf(CancelledError);
    expect(listed()).toEqual(['/']);
  });
});

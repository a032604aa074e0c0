import { describe, expect, it } from 'vitest';
import { LockCancelled, LockTimeout, NodeLeftBehind, type NodeLeft } from '../../../src/recipes/errors.ts';
import type { Lock } from '../../../src/recipes/lock.ts';
import { createMultiLock } from '../../../src/recipes/multiLock.ts';
import type { Acl, ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { isZooKeeperError, ZooKeeperError } from '../../../src/zookeeper/errors.ts';
import { eventually } from '../../support/eventually.ts';
import type { SpiedClient } from '../../support/spiedClient.ts';
import { allCases, begin, fill, lockOf, lockPath, rivalOf, type RecipeCase } from './cases.ts';
import { unplug } from './faults.ts';
import { ephemerals, leftovers, useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();
const owner = { scheme: 'digest', credential: 'owner:secret' };
const mutex = allCases.find(({ title }) => title === 'mutex (curator)')!;
const exclusive = allCases.find(({ recipe }) => recipe === 'exclusive')!;

/** Everybody may queue up and look, and only the owner may delete. */
const withoutDelete: Acl[] = [
  { scheme: 'world', id: 'anyone', permissions: 'cr' },
  { scheme: 'auth', id: '', permissions: 'cdrwa' },
];

async function makeDirectory(client: ZooKeeperClient, path: string, data = ''): Promise<void> {
  await client.create(path, { acl: withoutDelete, data: Buffer.from(data) });
}

/** Makes the directories of a case. @returns a session that may delete in them */
async function openOwner({ recipe, dialect, limit }: RecipeCase): Promise<SpiedClient> {
  const client = await realm.open({ auth: [owner] });
  const parent = lockPath.slice(0, lockPath.lastIndexOf('/'));
  if (recipe === 'exclusive') {
    await makeDirectory(client, parent);
    return client;
  }
  await client.create(parent);
  if (recipe === 'semaphore' && dialect === 'curator') {
    await client.create(lockPath);
    await makeDirectory(client, `${lockPath}/locks`);
    await makeDirectory(client, `${lockPath}/leases`);
    return client;
  }
  await makeDirectory(client, lockPath, String(limit));
  if (recipe === 'semaphore' && dialect === 'kazoo') await makeDirectory(client, `${lockPath}-__lock__`);
  return client;
}

async function failureOf(attempt: Promise<unknown>): Promise<NodeLeftBehind> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(NodeLeftBehind);
  return error as NodeLeftBehind;
}

/** The report must match the nodes that are there. */
async function expectTold(client: SpiedClient, { path, cause, nodes }: NodeLeftBehind): Promise<void> {
  const left = (await ephemerals(realm.observer)).filter(({ ephemeralOwner }) => ephemeralOwner === client.sessionId);
  expect(left).not.toEqual([]);
  expect(nodes.map(node => node.path).toSorted()).toEqual(left.map(node => node.path).toSorted());
  expect({ path, cause }).toEqual(nodes[0]);
  for (const node of nodes) expect(isZooKeeperError(node.cause, 'NO_AUTH')).toBe(true);
}

describe.each(allCases.filter(one => one !== exclusive))('L32 $title, whose nodes may not be deleted', one => {
  it.each(['time is over', 'cancelled'] as const)('says that its node is still there: %s', async end => {
    const holder = await openOwner(one);
    const held = await fill(() => Promise.resolve(rivalOf(holder, one)), one.limit);
    const client = await realm.open();
    const abort = new AbortController();
    const limits = end === 'cancelled' ? { signal: abort.signal } : { timeoutMs: 2_000 };
    const attempt = begin(rivalOf(client, one), limits);
    if (end === 'cancelled') {
      await attempt.waits;
      abort.abort();
    }
    const failure = await failureOf(attempt.taking);
    expect(failure.why).toBeInstanceOf(end === 'cancelled' ? LockCancelled : LockTimeout);
    await expectTold(client, failure);
    await client.close();
    for (const lease of held) await lease.release();
  });
});

describe.each(allCases.filter(one => one !== exclusive))('L32 $title, cancelled during an outage', one => {
  it('reports later that its node may not be deleted', async () => {
    const holder = await openOwner(one);
    const held = await fill(() => Promise.resolve(rivalOf(holder, one)), one.limit);
    const { client, proxy } = await realm.openBehindProxy();
    const abort = new AbortController();
    const left: NodeLeft[] = [];
    const attempt = begin(rivalOf(client, one), { signal: abort.signal, onNodeLeft: node => left.push(node) });
    await attempt.waits;
    await unplug(proxy);
    abort.abort();
    await expect(attempt.taking).rejects.toThrow(LockCancelled);
    expect(left).toEqual([]);
    await proxy.setAccepting(true);
    await eventually(() => expect(left).not.toEqual([]));
    await expectTold(client, new NodeLeftBehind(undefined, left as [NodeLeft]));
    await client.close();
    for (const lease of held) await lease.release();
  });
});

describe('L32 nodes that may not be deleted', () => {
  it('are reported when a lock is granted that is not wanted any more', async () => {
    await openOwner(exclusive);
    const client = await realm.open();
    const abort = new AbortController();
    client.afterCall = () => abort.abort();
    const failure = await failureOf(lockOf(client, exclusive).acquire({ signal: abort.signal }));
    expect(failure.why).toBeInstanceOf(LockCancelled);
    await expectTold(client, failure);
    await client.close();
  });

  it('are reported when they belong to the former ones of several locks', async () => {
    const holder = await openOwner(mutex);
    const free = '/locks/free';
    await makeDirectory(holder, free);
    const lease = await lockOf(holder, mutex).acquire();
    const client = await realm.open();
    const lockAt = (path: string): Lock => lockOf(client, mutex, path);
    const several = createMultiLock([lockAt(free), lockAt(lockPath)]);
    const failure = await failureOf(several.acquire({ timeoutMs: 1_000 }));
    expect(failure.why).toBeInstanceOf(LockTimeout);
    expect(failure.nodes.map(({ path }) => path.slice(0, path.lastIndexOf('/')))).toEqual([lockPath, free]);
    await expectTold(client, failure);
    await client.close();
    await lease.release();
  });
});

describe('L32 a delete that is refused for the moment', () => {
  it('is not waited for for ever, nor said to be done', async () => {
    const lease = await lockOf(await realm.open(), mutex).acquire();
    const client = await realm.open();
    let isOverloaded = true;
    client.beforeCall = ({ operation, path }) => {
      if (operation === 'remove' && isOverloaded) throw new ZooKeeperError(-127, operation, path);
    };
    const outcome = lockOf(client, mutex).acquire({ timeoutMs: 2_000 });
    await expect(outcome).rejects.toMatchObject({ name: 'LockTimeout', hasLeft: false });
    expect(await leftovers(realm.observer, [client])).not.toEqual([]);
    isOverloaded = false;
    await eventually(async () => expect(await leftovers(realm.observer, [client])).toEqual([]));
    await eventually(() =>
      expect(lockOf(client, mutex).acquire({ timeoutMs: 20 })).rejects.toMatchObject({ hasLeft: true }),
    );
    await lease.release();
  });

  // THROTTLED_OP, REQUEST_TIMEOUT, OPERATION_TIMEOUT, NOT_READONLY
  it.each([-127, -122, -7, -119])('is repeated until it is done: %i', async code => {
    const lease = await lockOf(await realm.open(), mutex).acquire();
    const client = await realm.open();
    let refusals = 2;
    client.beforeCall = ({ operation, path }) => {
      if (operation === 'remove' && refusals-- > 0) throw new ZooKeeperError(code, operation, path);
    };
    await expect(lockOf(client, mutex).acquire({ timeoutMs: 0 })).rejects.toThrow(LockTimeout);
    expect(await leftovers(realm.observer, [client])).toEqual([]);
    expect(refusals).toBe(-1);
    await lease.release();

    refusals = 2;
    await (await lockOf(client, mutex).acquire()).release();
    expect(await leftovers(realm.observer, [client])).toEqual([]);
    expect(refusals).toBe(-1);
  });
});

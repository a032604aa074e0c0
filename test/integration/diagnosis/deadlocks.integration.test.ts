import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findDeadlocks } from '../../../src/inspector/findDeadlocks.ts';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { clusterServers } from '../../../src/inspector/owners/clusterServers.ts';
import { readWatchers } from '../../../src/inspector/owners/readWatchers.ts';
import { findMutualWaits, herdOf } from '../../../src/inspector/queueRisks.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { requestRevoke } from '../../../src/inspector/requestRevoke.ts';
import { listensForRevoke } from '../../../src/inspector/requestRevoke.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startCuratorSessions, startKazooSessions, type LockSessions } from './support/sessions.ts';

const realm = useTestRealm();
let curator: LockSessions;
let kazoo: LockSessions;
let client: ZooKeeperClient;

beforeAll(() => {
  curator = startCuratorSessions(realm.serverConnectString);
  kazoo = startKazooSessions(realm.serverConnectString);
});
afterAll(async () => {
  await Promise.all([curator.stop(), kazoo.stop()]);
});
beforeEach(async () => {
  client = await connect(realm.connectString);
});
// Before the realm's own clean-up: a waiting client would create its nodes again meanwhile.
afterEach(async () => {
  await Promise.all([client.close(), curator.endAll(), kazoo.endAll()]);
});

const id = (session: bigint): string => `session 0x${BigInt.asUintN(64, session).toString(16)}`;

/** Waits until a queue has so many contenders, as `<holders>+<waiters>`. */
async function queued(path: string, expected: string): Promise<LockQueue> {
  return eventually(async () => {
    const [queue] = await readQueues(client, path);
    const count = (role: string) => queue?.contenders.filter(contender => contender.role === role).length ?? 0;
    expect(`${count('holder')}+${count('waiter')}`).toBe(expected);
    return queue!;
  });
}

async function allQueues(): Promise<LockQueue[]> {
  const { locks } = await findLocks(client, '/');
  return (await Promise.all(locks.map(({ path }) => readQueues(client, path)))).flat();
}

describe.each([
  ['Curator', () => curator],
  ['kazoo', () => kazoo],
] as const)('%s', (library, sessionsOf) => {
  it('two mutexes in opposite order: found, with the bystander behind them', async () => {
    const sessions = sessionsOf();
    const [a, b, c] = [await sessions.open('a'), await sessions.open('b'), await sessions.open('c')];
    const path = (name: string) => `${realm.chroot}/locks/${name}`;
    await sessions.take('a', 'mutex', path('one'));
    await sessions.take('b', 'mutex', path('two'));
    await queued('/locks/one', '1+0');
    await queued('/locks/two', '1+0');
    expect(findDeadlocks(await allQueues()).deadlocks).toEqual([]);
    await sessions.take('b', 'mutex', path('one'));
    await queued('/locks/one', '1+1');
    expect(findDeadlocks(await allQueues()).deadlocks).toEqual([]);
    await sessions.take('a', 'mutex', path('two'));
    await sessions.take('c', 'mutex', path('one'));
    await queued('/locks/two', '1+1');
    await queued('/locks/one', '1+2');
    const { deadlocks, waitingBehind } = findDeadlocks(await allQueues());
    expect(deadlocks).toMatchObject([
      { members: [id(a), id(b)].sort(), locks: [{ path: '/locks/one' }, { path: '/locks/two' }] },
    ]);
    expect(waitingBehind).toEqual([id(c)]);
    expect(library).toBeTypeOf('string');
  });

  it('a read/write pair: each reads one and wants to write the other', async () => {
    const sessions = sessionsOf();
    const [a, b] = [await sessions.open('ra'), await sessions.open('rb')];
    const path = (name: string) => `${realm.chroot}/locks/${name}`;
    await sessions.take('ra', 'read', path('one'));
    await sessions.take('rb', 'read', path('two'));
    await queued('/locks/one', '1+0');
    await queued('/locks/two', '1+0');
    await sessions.take('rb', 'write', path('one'));
    await queued('/locks/one', '1+1');
    await sessions.take('ra', 'write', path('two'));
    await queued('/locks/two', '1+1');
    const { deadlocks } = findDeadlocks(await allQueues());
    expect(deadlocks.map(({ members }) => members)).toEqual([[id(a), id(b)].sort()]);
  });

  it('a semaphore of two and a mutex: a cycle that is none, until no lease can come back', async () => {
    const sessions = sessionsOf();
    for (const name of ['sa', 'sb', 'sc']) await sessions.open(name);
    const path = (name: string) => `${realm.chroot}/locks/${name}`;
    const semaphore = library === 'Curator' ? '/locks/sem' : '/sem';
    await sessions.take('sa', 'semaphore', realm.chroot + semaphore, 2);
    await queued(semaphore, '1+0');
    await sessions.take('sb', 'semaphore', realm.chroot + semaphore, 2);
    await queued(semaphore, '2+0');
    await sessions.take('sc', 'mutex', path('one'));
    await queued('/locks/one', '1+0');
    await sessions.take('sc', 'semaphore', realm.chroot + semaphore, 2);
    await queued(semaphore, '2+1');
    await sessions.take('sa', 'mutex', path('one'));
    await queued('/locks/one', '1+1');
    const queues = async () => [...(await readQueues(client, semaphore)), ...(await readQueues(client, '/locks/one'))];
    expect(findDeadlocks(await queues())).toEqual({ deadlocks: [], possible: [], waitingBehind: [] });
    await sessions.take('sb', 'mutex', path('one'));
    await queued('/locks/one', '1+2');
    expect(findDeadlocks(await queues()).deadlocks.map(({ members }) => members.length)).toEqual([3]);
  });
});

it("kazoo 2.8.0's mutual wait of reader and writer: suspected by the nodes, confirmed by the watches", async () => {
  for (const name of ['w1', 'r', 'w2']) await kazoo.open(name);
  const path = `${realm.chroot}/locks/shared`;
  await kazoo.take('w1', 'write', path);
  await queued('/locks/shared', '1+0');
  await kazoo.take('r', 'read', path);
  await queued('/locks/shared', '1+1');
  await kazoo.take('w2', 'write', path);
  await queued('/locks/shared', '1+2');
  await kazoo.release('w1', path);
  const queue = await queued('/locks/shared', '1+1');
  const [reader, writer] = queue.contenders;
  const servers = await clusterServers(realm.connectString);
  await eventually(async () => {
    const watches = await readWatchers(servers, { chroot: realm.chroot });
    expect(watches).toMatchObject({ isComplete: true, sources: [{ outcome: 'ok' }] });
    expect(findMutualWaits([queue], watches)).toEqual([{ queue, reader, writer }]);
  });
});

it('asks a revocable Curator mutex to release the lock, and leaves one alone that does not listen', async () => {
  await curator.open('holder');
  await curator.take('holder', 'revocable', `${realm.chroot}/locks/soft`);
  await curator.take('holder', 'mutex', `${realm.chroot}/locks/hard`);
  const soft = await queued('/locks/soft', '1+0');
  const [holder] = soft.contenders;
  const servers = await clusterServers(realm.connectString);
  await eventually(async () => {
    const watches = await readWatchers(servers, { chroot: realm.chroot });
    expect(listensForRevoke(soft, holder!, watches)).toBe('yes');
    // The holder's watch on its own node is no waiter.
    expect(herdOf(soft, watches).registered).toBe(0);
  });
  expect(await requestRevoke(client, holder!, 'yes')).toBe('requested');
  await eventually(async () => expect(await curator.wasRevoked(`${realm.chroot}/locks/soft`)).toBe(true));
  expect(await requestRevoke(client, holder!, 'yes')).toBe('already requested');
  const hard = (await queued('/locks/hard', '1+0')).contenders[0]!;
  await expect(requestRevoke(client, hard, 'maybe')).rejects.toMatchObject({ reason: 'does-not-listen' });
  await expect(requestRevoke(client, holder!, 'yes', { readOnly: true })).rejects.toMatchObject({
    reason: 'read-only',
  });
  expect((await realm.observer.get(hard.path))?.version).toBe(0);
});

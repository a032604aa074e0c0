import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import type { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import { LockSessions } from '../../../../src/app/testLocks/lockSessions.ts';
import type { TestLock } from '../../../../src/app/testLocks/testLock.ts';
import { followClusters } from '../../../../src/app/testLocks/followClusters.ts';
import { ClusterChanged } from '../../../../src/app/clusters/clusterErrors.ts';
import { TestLockRegistry } from '../../../../src/app/testLocks/testLockRegistry.ts';
import type { ClusterNode, LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { NotConnectedError } from '../../../../src/zookeeper/errors.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, profileNamed } from '../../extension/fixtures.ts';
import { requestFor } from './testLockFixtures.ts';
import { openLock } from '../../../../src/app/testLocks/openLock.ts';

let cluster: ClusterNode;
let listed: ClusterNode | undefined;
let opened: string[];
let client: FakeClient;
let sessions: LockSessions;
let testLocks: TestLockRegistry;
let timers: (() => void)[];
let changedList: Emitter<undefined>;
let asked: { locks: readonly TestLock[]; answer: (isEnd: boolean) => void }[];
let changedCluster: Emitter<ClusterNode | LockNode>;

const schedule = (callback: () => void) => {
  timers.push(callback);
  return toDisposable(() => void (timers = timers.filter(timer => timer !== callback)));
};

beforeEach(() => {
  cluster = clusterNode();
  listed = cluster;
  opened = [];
  timers = [];
  sessions = new LockSessions({
    open: ({ connectString }) => {
      opened.push(connectString);
      client = new FakeClient();
      client.put('/locks');
      return Promise.resolve(client);
    },
    listed: id => (id === listed?.id ? listed : undefined),
    schedule,
    now: () => 0,
    logger: nullLogger,
  });
  testLocks = new TestLockRegistry({
    sessions,
    openLock: (client, request) => Promise.resolve(openLock(client, request)),
    watch: () => path => Promise.reject(new NotConnectedError('watchQueues', path, 'there is no session')),
    onLost: () => undefined,
    onFailure: () => undefined,
    now: () => 0,
    schedule,
    logger: nullLogger,
  });
  changedList = new Emitter(nullLogger);
  changedCluster = new Emitter(nullLogger);
  const browser = (node: ClusterNode) =>
    ({ node, connection: { state: node.connection } }) as unknown as ClusterBrowser;
  const registry = {
    get: (id: string) => (id === listed?.id ? browser(listed) : undefined),
    onChange: changedList.event,
    onNodeChange: changedCluster.event,
  };
  asked = [];
  followClusters(registry, sessions, testLocks, locks => {
    const answer = Promise.withResolvers<boolean>();
    asked.push({ locks, answer: answer.resolve });
    return answer.promise;
  });
});

function disconnect(): void {
  cluster.connection = { kind: 'disconnected' };
  changedCluster.fire(cluster);
}

async function hold(path = '/locks/a'): Promise<TestLock> {
  const { lock, outcome } = testLocks.acquire(requestFor({ cluster, recipe: 'exclusive', paths: [path] }));
  await outcome;
  return lock;
}

describe('the quiet session of a cluster', () => {
  it('is opened once', async () => {
    expect(await sessions.clientOf(cluster)).toBe(client);
    expect(await sessions.clientOf(cluster)).toBe(client);
    expect(opened).toEqual(['zk1:2181']);
  });

  it.each<[string, string, () => ClusterNode | undefined]>([
    ['was removed', 'removed', () => undefined],
    ['was removed and added again', 'changed', () => clusterNode()],
  ])('is not opened, nor lent, for a row whose cluster %s', async (_, change, next) => {
    listed = next();
    await expect(sessions.clientOf(cluster)).rejects.toMatchObject({ change });
    expect(opened).toEqual([]);
    listed = cluster;
    await sessions.clientOf(cluster);
    listed = next();
    await expect(sessions.clientOf(cluster)).rejects.toMatchObject({ change });
  });

  it('is not lent while it leads to the servers that the cluster meant before; then there is a new one', async () => {
    await sessions.clientOf(cluster);
    cluster.profile = profileNamed('orders', { connectString: 'other:2181' });
    await expect(sessions.clientOf(cluster)).rejects.toMatchObject({ change: 'changed' });
    changedList.fire(undefined);
    await eventually(() => expect(client.state).toBe('closed'));
    await sessions.clientOf(cluster);
    expect(opened).toEqual(['zk1:2181', 'other:2181']);
  });

  it('ends with the connection of a cluster where nothing is held', async () => {
    await sessions.clientOf(cluster);
    changedCluster.fire(cluster);
    expect(client.state).toBe('connected');
    disconnect();
    expect(client.state).toBe('closed');
  });

  it('outlives a disconnect for the test locks that need it, and ends with the last one', async () => {
    const [first, second] = [await hold('/locks/a'), await hold('/locks/b')];
    disconnect();
    expect(client.state).toBe('connected');
    await testLocks.release(first);
    expect(client.state).toBe('connected');
    await testLocks.release(second);
    await eventually(() => expect(client.state).toBe('closed'));
  });

  it('ends with a test lock whose time is up, though the row says so for a while', async () => {
    const lock = await hold();
    disconnect();
    for (const callback of timers) callback();
    await eventually(() => expect(lock.state.kind).toBe('auto-released'));
    expect([client.state, testLocks.has(lock)]).toEqual(['closed', true]);
  });
});

describe('test locks whose cluster is changed without a question of this window', () => {
  const changes: [string, () => void][] = [
    ['moved to other servers', () => void (cluster.profile = profileNamed('orders', { connectString: 'other:2181' }))],
    ['removed', () => void (listed = undefined)],
  ];

  async function change(happen: () => void): Promise<TestLock> {
    const lock = await hold();
    happen();
    changedList.fire(undefined);
    cluster.connection = { kind: 'disconnected' };
    changedCluster.fire(cluster);
    return lock;
  }

  it.each(changes)('stay until the person has answered, who is asked once: %s', async (_, happen) => {
    const lock = await change(happen);
    changedList.fire(undefined);
    expect(asked.map(({ locks }) => locks)).toEqual([[lock]]);
    expect([client.state, lock.state.kind]).toEqual(['connected', 'held']);
    asked[0]!.answer(true);
    await eventually(() => expect([client.state, testLocks.all]).toEqual(['closed', []]));
  });

  it.each(changes)('stay when that is the answer, and their session ends with the last one: %s', async (_, happen) => {
    const lock = await change(happen);
    asked[0]!.answer(false);
    changedList.fire(undefined);
    await new Promise(resolve => setImmediate(resolve));
    expect([asked.length, client.state, lock.state.kind]).toEqual([1, 'connected', 'held']);
    await testLocks.release(lock);
    await eventually(() => expect(client.state).toBe('closed'));
  });

  it('stay when the list is as it was before by the time of the answer', async () => {
    const before = cluster.profile;
    const lock = await change(changes[0]![1]);
    cluster.profile = before;
    changedList.fire(undefined);
    asked[0]!.answer(true);
    await new Promise(resolve => setImmediate(resolve));
    expect([client.state, lock.state.kind]).toEqual(['connected', 'held']);
    changes[0]![1]();
    changedList.fire(undefined);
    expect(asked).toHaveLength(2);
  });

  it('are not asked about when none is left that needs the session', async () => {
    await testLocks.release(await hold());
    changes[0]![1]();
    changedList.fire(undefined);
    await eventually(() => expect(client.state).toBe('closed'));
    expect(asked).toEqual([]);
  });

  it('are not asked about on a sandbox, which ends them itself', async () => {
    cluster.profile = { ...cluster.profile, isSandbox: true };
    const lock = await hold();
    listed = undefined;
    changedList.fire(undefined);
    expect(asked).toEqual([]);
    // While it ends them nothing more is taken there.
    await expect(hold('/locks/b')).rejects.toThrow(ClusterChanged);
    expect(lock.state.kind).toBe('held');
  });
});

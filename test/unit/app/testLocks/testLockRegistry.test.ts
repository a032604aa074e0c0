import { beforeEach, describe, expect, it } from 'vitest';
import { nullLogger } from '../../../../src/base/logger.ts';
import {
  type TestLock,
  type TestLockRequest,
  NodeRemains,
  SelfBlocked,
} from '../../../../src/app/testLocks/testLock.ts';
import { ReadOnlyCluster } from '../../../../src/app/clusters/clusterErrors.ts';
import { TestLockRegistry } from '../../../../src/app/testLocks/testLockRegistry.ts';
import { LockCancelled, LockTimeout } from '../../../../src/recipes/errors.ts';
import type { ZooKeeperClient } from '../../../../src/zookeeper/client.ts';
import { NotConnectedError } from '../../../../src/zookeeper/errors.ts';
import type { AcquireOptions } from '../../../../src/recipes/lock.ts';
import { unlessAborted } from '../../../../src/base/unlessAborted.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, profileNamed } from '../../extension/fixtures.ts';
import { FakeTime } from './fakeTime.ts';
import { requestFor } from './testLockFixtures.ts';
import { openLock } from '../../../../src/app/testLocks/openLock.ts';

let client: FakeClient;
let time: FakeTime;
let steps: string[];
let losses: (readonly TestLock[])[];
let failures: unknown[];
let open: typeof openLock;
let registry: TestLockRegistry;
let connect: () => Promise<ZooKeeperClient>;

const exclusive = (path: string, fields: Partial<TestLockRequest> = {}): TestLockRequest =>
  requestFor({ recipe: 'exclusive', paths: [path], ...fields });

const withoutLimit = { timeoutMs: undefined };

beforeEach(() => {
  client = new FakeClient();
  client.put('/locks');
  time = new FakeTime();
  steps = [];
  losses = [];
  failures = [];
  open = openLock;
  connect = () => Promise.resolve(client);
  registry = new TestLockRegistry({
    sessions: {
      clientOf: () => {
        steps.push('connect');
        return connect();
      },
      close: id => Promise.resolve(void steps.push(`close ${id}`)),
      closeAll: () => Promise.resolve(void steps.push(`close all, ${String(registry.all.length)} rows left`)),
    },
    openLock: (client, request) => Promise.resolve(open(client, request)),
    watch: () => path => Promise.reject(new NotConnectedError('watchQueues', path, 'there is no session')),
    onLost: locks => losses.push(locks),
    onFailure: error => failures.push(error),
    now: () => time.now,
    schedule: (callback, ms) => time.schedule(callback, ms),
    logger: nullLogger,
  });
});

async function hold(path: string, autoReleaseMs = 60_000): Promise<TestLock> {
  const { lock, outcome } = registry.acquire(exclusive(path, { autoReleaseMs }));
  await outcome;
  return lock;
}

const isThere = async (path: string): Promise<boolean> => (await client.exists(path)) !== undefined;

describe('acquiring', () => {
  it('shows a row at once, and the hold with its token once it is there', async () => {
    const { lock, outcome } = registry.acquire(exclusive('/locks/a'));
    expect(registry.all).toEqual([lock]);
    expect(lock.state.kind).toBe('connecting');
    await outcome;
    const { czxid } = (await client.exists('/locks/a'))!;
    expect(lock.state).toEqual({
      kind: 'held',
      hold: { token: czxid, paths: ['/locks/a'], since: 0, releasesAt: 60_000 },
    });
  });

  it('sends nothing to a read-only cluster', () => {
    const cluster = clusterNode({ profile: profileNamed('archive', { readOnly: true }) });
    expect(() => registry.acquire(exclusive('/locks/a', { cluster }))).toThrow(ReadOnlyCluster);
    expect([steps, registry.all]).toEqual([[], []]);
  });

  it('sends nothing when this window would wait for itself, and names the row', async () => {
    const lock = await hold('/locks/a');
    steps = [];
    expect(() => registry.acquire(exclusive('/locks/a', withoutLimit))).toThrow(SelfBlocked);
    expect(() => registry.acquire(exclusive('/locks/a'))).toThrow(expect.objectContaining({ lock }) as Error);
    expect(steps).toEqual([]);
    await registry.release(lock);
    await hold('/locks/a');
  });

  it('takes its row away when the lock is not free', async () => {
    client.put('/locks/a', { owner: 9n });
    await expect(registry.acquire(exclusive('/locks/a')).outcome).rejects.toThrow(LockTimeout);
    expect(registry.all).toEqual([]);
  });

  it('shows why it waits, and whether that is certain', async () => {
    client.put('/locks/a', { owner: 9n });
    const { lock, outcome } = registry.acquire(exclusive('/locks/a', withoutLimit));
    await eventually(() => expect(lock.state).toMatchObject({ kind: 'waiting', uncertain: false }));
    client.disconnect();
    expect(lock.state).toMatchObject({ kind: 'waiting', uncertain: true });
    client.reconnect();
    expect(lock.state).toMatchObject({ kind: 'waiting', uncertain: false });
    registry.cancel(lock);
    await expect(outcome).rejects.toThrow(LockCancelled);
    expect(registry.all).toEqual([]);
    expect(client.stateListenerCount).toBe(0);
  });

  it('can be cancelled while it connects', async () => {
    connect = () => new Promise(() => undefined);
    const { lock, outcome } = registry.acquire(exclusive('/locks/a'));
    registry.cancel(lock);
    await expect(outcome).rejects.toThrow(LockCancelled);
    expect(registry.all).toEqual([]);
  });

  it('passes on why there is no session', async () => {
    const cause = new Error('refused');
    connect = () => Promise.reject(cause);
    await expect(registry.acquire(exclusive('/locks/a')).outcome).rejects.toBe(cause);
    expect(registry.all).toEqual([]);
  });
});

describe('releasing', () => {
  it('deletes the node, takes the row away and leaves no timer', async () => {
    const lock = await hold('/locks/a');
    await registry.release(lock);
    expect([await isThere('/locks/a'), registry.all, time.pending]).toEqual([false, [], 0]);
    await registry.release(lock);
  });

  it('happens by itself when the time is up, with a quiet row for a while', async () => {
    const lock = await hold('/locks/a', 5_000);
    time.advance(4_999);
    expect(lock.state.kind).toBe('held');
    time.advance(1);
    await eventually(() => expect(lock.state.kind).toBe('auto-released'));
    expect(await isThere('/locks/a')).toBe(false);
    expect(registry.all).toEqual([lock]);
    time.advance(300_000);
    expect(registry.all).toEqual([]);
    expect(losses).toEqual([]);
  });

  it('waits once more as long when it is kept longer', async () => {
    const lock = await hold('/locks/a', 5_000);
    time.advance(4_000);
    registry.keepLonger(lock);
    expect(lock.state).toMatchObject({ hold: { releasesAt: 10_000 } });
    time.advance(5_999);
    expect(lock.state.kind).toBe('held');
    time.advance(1);
    await eventually(() => expect(lock.state.kind).toBe('auto-released'));
  });

  it('never happens by itself where that was chosen', async () => {
    const { lock, outcome } = registry.acquire(exclusive('/locks/a', { autoReleaseMs: undefined }));
    await outcome;
    expect(time.pending).toBe(0);
    registry.keepLonger(lock);
    expect(lock.state).toMatchObject({ kind: 'held', hold: { releasesAt: undefined } });
  });
});

describe('an attempt that is cancelled as it gets the lock, and may not delete its node', () => {
  async function cancelLate(): Promise<unknown> {
    client.undeletable.add('/locks/a');
    const create = client.create.bind(client);
    const { lock, outcome } = registry.acquire(exclusive('/locks/a'));
    client.create = async (...options) => {
      const created = await create(...options);
      registry.cancel(lock);
      return created;
    };
    return outcome.catch((error: unknown) => error);
  }

  it('ends the session, with which the node goes', async () => {
    expect(await cancelLate()).toBeInstanceOf(LockCancelled);
    expect([registry.all, steps]).toEqual([[], ['connect', 'close orders']]);
  });

  it('says what stays when another lock needs the session', async () => {
    await hold('/locks/b');
    expect(await cancelLate()).toMatchObject({ name: 'NodeLeftBehind', path: '/locks/a' });
    expect(steps).toEqual(['connect', 'connect']);
  });
});

describe('a clean-up that the server refuses after an outage', () => {
  const left = { path: '/locks/q/n-1', cause: new Error('refused') };

  /** A lock whose attempt ends before its clean-up does. */
  async function cancelDuringOutage(): Promise<void> {
    let report: AcquireOptions['onNodeLeft'];
    open = () => ({
      path: '/locks/q',
      acquire: ({ signal, onNodeLeft } = {}) => {
        report = onNodeLeft;
        return unlessAborted(new Promise<never>(() => undefined), signal, () => new LockCancelled('/locks/q'));
      },
    });
    const { lock, outcome } = registry.acquire(requestFor({ paths: ['/locks/q'], ...withoutLimit }));
    await eventually(() => expect(report).toBeDefined());
    registry.cancel(lock);
    await expect(outcome).rejects.toThrow(LockCancelled);
    report?.(left);
  }

  it('is reported with the path of the node when another lock needs the session', async () => {
    await hold('/locks/b');
    await cancelDuringOutage();
    await eventually(() => expect(failures).toMatchObject([{ name: 'NodeLeftBehind', nodes: [left] }]));
  });

  it('is made good by the end of the session, without a message', async () => {
    await cancelDuringOutage();
    await eventually(() => expect(steps.at(-1)).toBe('close orders'));
    expect(failures).toEqual([]);
  });
});

describe('a release that the server refuses', () => {
  async function stuck(path: string): Promise<TestLock> {
    const lock = await hold(path);
    client.undeletable.add(path);
    await expect(registry.release(lock)).rejects.toThrow('NO_AUTH');
    expect(lock.state.kind).toBe('stuck');
    return lock;
  }

  it('is reported when it was due by time', async () => {
    const lock = await hold('/locks/a', 5_000);
    client.undeletable.add('/locks/a');
    time.advance(5_000);
    await eventually(() => expect(failures).toMatchObject([{ name: 'NodeRemains', lock }]));
    expect(lock.state.kind).toBe('stuck');
  });

  it('leaves a row that can be released again', async () => {
    const lock = await stuck('/locks/a');
    await expect(registry.release(lock)).rejects.toThrow('NO_AUTH');
    expect([lock.state.kind, registry.all]).toEqual(['stuck', [lock]]);
    client.undeletable.clear();
    await registry.release(lock);
    expect([await isThere('/locks/a'), registry.all]).toEqual([false, []]);
  });

  it('is tried once more when the row is dismissed', async () => {
    const lock = await stuck('/locks/a');
    client.undeletable.clear();
    await registry.dismiss(lock);
    expect([await isThere('/locks/a'), registry.all, steps]).toEqual([false, [], ['connect']]);
  });

  it('is made good by the end of the session when the row is dismissed, for all such rows', async () => {
    const lock = await stuck('/locks/a');
    await stuck('/locks/b');
    await registry.dismiss(lock);
    expect([registry.all, steps.at(-1)]).toEqual([[], 'close orders']);
  });

  it('keeps its row while another lock needs the session', async () => {
    const lock = await stuck('/locks/a');
    const other = await hold('/locks/b');
    await expect(registry.dismiss(lock)).rejects.toThrow(NodeRemains);
    expect([lock.state.kind, other.state.kind, registry.all]).toEqual(['stuck', 'held', [lock, other]]);
    expect(steps).not.toContain('close orders');
    await registry.release(other);
    await registry.dismiss(lock);
    expect([registry.all, steps.at(-1)]).toEqual([[], 'close orders']);
  });

  it('keeps its row while another lock waits, though not for the locks of another cluster', async () => {
    const lock = await stuck('/locks/a');
    client.put('/locks/b', { owner: 9n });
    const waiting = registry.acquire(exclusive('/locks/b', withoutLimit));
    const outcome = expect(waiting.outcome).rejects.toThrow(LockCancelled);
    await expect(registry.dismiss(lock)).rejects.toThrow(NodeRemains);
    registry.cancel(waiting.lock);
    await outcome;
    const elsewhere = registry.acquire(exclusive('/locks/c', { cluster: clusterNode({ id: 'other' }) }));
    await elsewhere.outcome;
    await registry.dismiss(lock);
    expect([registry.all, steps.at(-1)]).toEqual([[elsewhere.lock], 'close orders']);
  });

  it('goes with a session that nothing else needs, as when the cluster is disconnected', async () => {
    const other = await hold('/locks/b');
    await stuck('/locks/a');
    expect(await registry.closeIdle('orders')).toBe(false);
    expect(steps).not.toContain('close orders');
    await registry.release(other);
    expect(await registry.closeIdle('orders')).toBe(true);
    expect([registry.all, steps.at(-1)]).toEqual([[], 'close orders']);
  });
});

describe('losing', () => {
  it('is uncertain first, and held again when the session is back', async () => {
    const lock = await hold('/locks/a');
    client.disconnect();
    expect(lock.state.kind).toBe('uncertain');
    client.reconnect();
    await eventually(() => expect(lock.state.kind).toBe('held'));
    time.advance(1_000);
    expect(losses).toEqual([]);
  });

  it('is reported once for all locks of a session, and the rows stay until dismissed', async () => {
    const locks = [await hold('/locks/a'), await hold('/locks/b')];
    client.lose();
    registry.sync();
    expect(locks.map(({ state }) => state.kind)).toEqual(['lost', 'lost']);
    time.advance(50);
    expect(losses).toEqual([locks]);
    registry.sync();
    time.advance(120_000);
    expect(losses).toHaveLength(1);
    expect(registry.all).toEqual(locks);
    for (const lock of locks) await registry.dismiss(lock);
    expect(registry.all).toEqual([]);
  });

  it('is seen without an event: the state is judged whenever it is looked at', async () => {
    const lock = await hold('/locks/a');
    client.state = 'uncertain';
    registry.sync();
    expect(lock.state.kind).toBe('uncertain');
  });
});

describe('closing', () => {
  it('deletes own nodes and ends attempts before the sessions', async () => {
    await hold('/locks/a');
    client.put('/locks/b', { owner: 9n });
    const waiting = registry.acquire(exclusive('/locks/b', withoutLimit));
    const outcome = expect(waiting.outcome).rejects.toThrow(LockCancelled);
    await eventually(() => expect(waiting.lock.state.kind).toBe('waiting'));
    steps = [];
    await registry.close();
    await outcome;
    expect(steps).toEqual(['close all, 0 rows left']);
    expect([await isThere('/locks/a'), await isThere('/locks/b')]).toEqual([false, true]);
  });

  it('of a window that is gone deletes own nodes first, and says at the rows of locks that were held why they are not', async () => {
    const lock = await hold('/locks/a');
    client.put('/locks/b', { owner: 9n });
    const waiting = registry.acquire(exclusive('/locks/b', withoutLimit));
    const outcome = expect(waiting.outcome).rejects.toThrow(LockCancelled);
    await eventually(() => expect(waiting.lock.state.kind).toBe('waiting'));
    steps = [];
    await registry.giveUpAll();
    await outcome;
    expect(steps).toEqual(['close all, 1 rows left']);
    expect([await isThere('/locks/a'), await isThere('/locks/b')]).toEqual([false, true]);
    expect(registry.all).toEqual([lock]);
    expect(lock.state).toMatchObject({ kind: 'auto-released', cause: 'silent-window' });
    // It is read when the window is back, however long that takes.
    time.advance(86_400_000);
    expect(registry.all).toEqual([lock]);
    await registry.dismiss(lock);
    expect([registry.all, losses]).toEqual([[], []]);
  });

  it('does not wait for a silent server', async () => {
    await hold('/locks/a');
    client.disconnect();
    const closing = registry.close();
    await eventually(() => expect(time.pending).toBeGreaterThan(0));
    expect(steps).toEqual(['connect']);
    time.advance(1_500);
    await closing;
    expect(steps).toEqual(['connect', 'close all, 1 rows left']);
  });

  it('of one cluster leaves the others alone', async () => {
    const lock = await hold('/locks/a');
    const other = exclusive('/locks/b', { cluster: clusterNode({ id: 'other' }) });
    await registry.acquire(other).outcome;
    await registry.endCluster('other');
    expect(registry.all).toEqual([lock]);
    expect([await isThere('/locks/a'), await isThere('/locks/b')]).toEqual([true, false]);
    expect(steps.at(-1)).toBe('close other');
  });
});

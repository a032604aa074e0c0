import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { ClusterBrowser, type Inspector } from '../../../../src/app/clusters/clusterBrowser.ts';
import { type ClusterNode, type LockNode, serverTime, shownLocks } from '../../../../src/app/clusters/clusterModel.ts';
import type { FoundLocks } from '../../../../src/inspector/lockSearch.ts';
import type { WatchQueuesOptions } from '../../../../src/inspector/watchQueues.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { browserParts, contender, profileNamed, queueOf, queueWith } from '../../extension/fixtures.ts';

/** An inspector whose results and watch events come from the test. */
class FakeInspector implements Inspector {
  found: string[] = [];
  readonly reads: string[] = [];
  readonly watches = new Map<string, (queues: LockQueue[]) => void>();
  readonly options = new Map<string, WatchQueuesOptions>();
  readonly failing = new Set<string>();
  queues = new Map<string, LockQueue[]>();

  findLocks = (): Promise<FoundLocks> => {
    const locks = this.found.map(path => ({ path, dialect: 'curator' as const, contenders: 2 }));
    return Promise.resolve({ locks, visited: 10, truncated: false, denied: [] });
  };

  readQueues = (_client: unknown, path: string): Promise<LockQueue[]> => {
    this.reads.push(path);
    return this.failing.has(path) ? Promise.reject(new Error('no')) : Promise.resolve(this.queues.get(path) ?? []);
  };

  watchQueues: Inspector['watchQueues'] = (_client, path, listener, options) => {
    if (this.failing.has(path)) return Promise.reject(new Error('no'));
    this.watches.set(path, listener);
    this.options.set(path, options ?? {});
    listener(this.queues.get(path) ?? []);
    return Promise.resolve(toDisposable(() => this.watches.delete(path)));
  };
}

let inspector: FakeInspector;
let clients: FakeClient[];
let timers: (() => void)[];
let changes: (ClusterNode | LockNode)[];
let changed: (node: ClusterNode | LockNode) => void;
let filter: string;
let limit: number;
let now: number;
let browser: ClusterBrowser;

const looking = { expanded: true, visible: true, paused: false };

beforeEach(() => {
  inspector = new FakeInspector();
  clients = [];
  timers = [];
  changes = [];
  changed = node => changes.push(node);
  filter = '';
  limit = 200;
  now = 0;
  const parts = browserParts({
    openSession: () => {
      const client = new FakeClient();
      clients.push(client);
      return Promise.resolve(client);
    },
    loadInspector: () => Promise.resolve(inspector),
    budget: { used: 0, limit: () => limit },
    filter: () => filter,
    onChange: node => changed(node),
    now: () => now,
    wallNow: () => now,
    schedule: callback => {
      timers.push(callback);
      return toDisposable(() => undefined);
    },
  });
  browser = new ClusterBrowser(profileNamed('orders', { lockRoots: ['/a', '/b'] }), parts);
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve));
}

async function open(...paths: string[]): Promise<void> {
  inspector.found = paths;
  browser.setAttention(looking);
  await browser.connect();
  await settled();
}

function lockAt(path: string): LockNode {
  return shownLocks(browser.node, '').find(lock => lock.path === path)!;
}

describe('ClusterBrowser', () => {
  it('does nothing before it is connected', async () => {
    browser.setAttention(looking);
    await settled();
    expect(clients).toEqual([]);
    expect(inspector.reads).toEqual([]);
  });

  it('searches every root once connected, and watches what it shows', async () => {
    inspector.queues.set('/x', [queueWith(2)]);
    await open('/x', '/y');
    expect(browser.node.search).toEqual({ kind: 'done', visited: 20, truncated: false, denied: [] });
    expect([...inspector.watches.keys()]).toEqual(['/x', '/y']);
    expect(lockAt('/x').queue?.contenders).toHaveLength(3);
    expect(lockAt('/x').live).toBe(true);
    expect(lockAt('/y').queue?.contenders).toEqual([]);
  });

  it('reports a change of one lock with that row alone', async () => {
    await open('/x', '/y');
    changes = [];
    inspector.watches.get('/x')!([queueWith(1)]);
    expect(changes).toEqual([lockAt('/x')]);
    expect(lockAt('/x').queue?.contenders).toHaveLength(2);
  });

  it('narrows since when a holder holds by what its watches saw, for every reading', async () => {
    const queued = { createdAt: 1_000, heldSince: { earliest: 1_000 } };
    const first = queueOf([
      contender('a', { role: 'holder', czxid: 1n, ...queued }),
      contender('b', { czxid: 2n, createdAt: 1_000 }),
    ]);
    const second = queueOf([contender('b', { role: 'holder', czxid: 2n, ...queued })]);
    inspector.queues.set('/x', [first]);
    now = 100_000;
    await open('/x');
    expect(lockAt('/x').queue?.contenders[0]?.heldSince).toEqual({ earliest: 1_000, latest: 100_000 });
    now = 160_000;
    inspector.watches.get('/x')!([second]);
    const seen = { earliest: 159_000, latest: 160_000 };
    expect(lockAt('/x').queue?.contenders[0]?.heldSince).toEqual(seen);
    expect(browser.node.sightings.narrow([second])[0]?.contenders[0]?.heldSince).toEqual(seen);
    inspector.options.get('/x')!.onGap!();
    now = 200_000;
    const third = queueOf([contender('c', { role: 'holder', czxid: 3n, ...queued })]);
    inspector.watches.get('/x')!([third]);
    expect(lockAt('/x').queue?.contenders[0]?.heldSince).toEqual({ earliest: 1_000, latest: 200_000 });
    await browser.disconnect();
    expect(browser.node.sightings.narrow([third])).toEqual([third]);
  });

  it('counts ages by the clock of the servers, as soon as it has seen a node come', async () => {
    now = 5_000_000;
    const holder = contender('old', { role: 'holder', createdAt: now - 7_200_000 });
    inspector.queues.set('/x', [queueOf([holder])]);
    await open('/x');
    expect(serverTime(lockAt('/x'), now)).toBe(now);
    const behind = contender('new', { czxid: 9n, createdAt: now - 3_600_000 });
    inspector.watches.get('/x')!([queueOf([holder, behind])]);
    expect(serverTime(lockAt('/x'), now)).toBe(now - 3_600_000);
  });

  it('keeps a released lock as a free row, and the same row when it is taken again', async () => {
    inspector.queues.set('/x', [queueWith(0)]);
    await open('/x');
    const row = lockAt('/x');
    inspector.watches.get('/x')!([]);
    expect(row.queue?.contenders).toEqual([]);
    inspector.watches.get('/x')!([queueWith(1)]);
    expect(lockAt('/x')).toBe(row);
    expect(row.queue?.contenders).toHaveLength(2);
  });

  it('gives every lock of a directory its own row', async () => {
    await open('/x');
    inspector.watches.get('/x')!([
      queueOf([], { path: '/x', lockName: 'a' }),
      queueOf([], { path: '/x', lockName: 'b' }),
    ]);
    expect(shownLocks(browser.node, '').map(lock => lock.lockName)).toEqual(['a', 'b']);
    expect(changes).toContain(browser.node);
  });

  it.each([
    ['collapsed', { ...looking, expanded: false }],
    ['hidden', { ...looking, visible: false }],
    ['paused', { ...looking, paused: true }],
  ])('watches nothing while %s', async (_name, attention) => {
    await open('/x');
    browser.setAttention(attention);
    expect(inspector.watches.size).toBe(0);
    expect(lockAt('/x').live).toBe(false);
    browser.setAttention(looking);
    await settled();
    expect(inspector.watches.size).toBe(1);
  });

  it('watches only the page and the filter that are on screen', async () => {
    await open(...Array.from({ length: 150 }, (_, index) => `/l${String(index).padStart(3, '0')}`));
    await settled();
    expect(inspector.watches.size).toBe(100);
    browser.showMoreLocks();
    await settled();
    expect(inspector.watches.size).toBe(150);
    filter = '/l00';
    browser.updateWatches();
    expect(inspector.watches.size).toBe(10);
  });

  it('keeps within the number of watches allowed, and gives them back', async () => {
    limit = 2;
    await open('/x', '/y', '/z');
    expect(inspector.watches.size).toBe(2);
    expect(browser.node.watched).toBe(2);
    filter = '/z';
    browser.updateWatches();
    await settled();
    expect([...inspector.watches.keys()]).toEqual(['/z']);
  });

  it('shows a failed read at its row, and asks again next time', async () => {
    inspector.failing.add('/x');
    await open('/x', '/y');
    expect(lockAt('/x').readError).toBeInstanceOf(Error);
    expect(lockAt('/y').readError).toBeUndefined();
    inspector.failing.clear();
    inspector.queues.set('/x', [queueWith(0)]);
    await browser.refresh('/x');
    expect(lockAt('/x').readError).toBeUndefined();
    expect(lockAt('/x').queue?.contenders).toHaveLength(1);
  });

  it.each([
    ['changes may have been missed', () => inspector.options.get('/x')!.onGap!()],
    ['a reading failed', () => inspector.options.get('/x')!.onFailure!(new Error('no'))],
  ])('shows a row as live until %s, and again once it was read', async (_, happens) => {
    await open('/x', '/y');
    const seen: boolean[] = [];
    changed = node => {
      if (node === lockAt('/x')) seen.push(node.live);
    };
    happens();
    expect(seen[0]).toBe(false);
    await browser.refresh('/x');
    expect(lockAt('/x')).toMatchObject({ live: false, readError: undefined });
    expect(lockAt('/y').live).toBe(true);
    inspector.watches.get('/x')!([]);
    expect(seen.lastIndexOf(false)).toBe(seen.length - 2);
    expect(lockAt('/x').live).toBe(true);
  });

  it('shows the rows of locks that get names as live at once', async () => {
    await open('/x');
    const seen: boolean[] = [];
    changed = node => {
      if (node.type === 'lock') seen.push(node.live);
    };
    inspector.watches.get('/x')!([queueOf([], { path: '/x', lockName: 'a' })]);
    expect(seen).toEqual([true]);
  });

  it('reads a watched path again for a pinned lock that has no queue yet', async () => {
    await open('/x');
    inspector.queues.set('/x', [queueOf([], { path: '/x' })]);
    browser.pin({ path: '/x', lockName: 'a', dialect: 'generic' });
    await settled();
    const row = [...browser.node.locks.values()].find(({ lockName }) => lockName === 'a');
    expect(row).toMatchObject({ live: true, queue: { contenders: [] } });
    expect(browser.node.watched).toBe(1);
  });

  it('keeps the rows of a lost session and watches them again in the next one', async () => {
    await open('/x');
    const row = lockAt('/x');
    clients[0]!.lose();
    expect(browser.node.connection.kind).toBe('lost');
    expect(inspector.watches.size).toBe(0);
    expect(lockAt('/x')).toBe(row);
    timers.pop()!();
    await settled();
    expect(browser.node.connection.kind).toBe('connected');
    expect(lockAt('/x')).toBe(row);
    expect(row.live).toBe(true);
  });

  it('makes no new session while collapsed, and one when it is opened again', async () => {
    await open('/x');
    browser.setAttention({ ...looking, expanded: false });
    clients[0]!.lose();
    timers.pop()!();
    await settled();
    expect(clients).toHaveLength(1);
    browser.setAttention(looking);
    await settled();
    expect(clients).toHaveLength(2);
  });

  it('opens a lock that the search does not know, and one that is free', async () => {
    await open();
    inspector.queues.set('/far/away', [queueWith(0)]);
    expect((await browser.open('/far/away'))?.queue?.contenders).toHaveLength(1);
    expect((await browser.open('/free'))?.queue?.contenders).toEqual([]);
    await settled();
    expect([...inspector.watches.keys()]).toEqual(['/far/away', '/free']);
  });

  it('adds no row to that of a free lock with a name', async () => {
    await open('/x');
    inspector.watches.get('/x')!([queueOf([], { path: '/x', lockName: 'a' })]);
    inspector.watches.get('/x')!([]);
    expect((await browser.open('/x'))?.lockName).toBe('a');
    expect(browser.node.locks.size).toBe(1);
  });

  it('ends watches and session, and forgets the rows, when disconnected', async () => {
    await open('/x');
    await browser.disconnect();
    expect(inspector.watches.size).toBe(0);
    expect(clients[0]!.state).toBe('closed');
    expect(browser.node.locks.size).toBe(0);
    expect(browser.node.connection.kind).toBe('disconnected');
  });
});

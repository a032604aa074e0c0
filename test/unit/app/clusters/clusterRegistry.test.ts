import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterBrowser } from '../../../../src/app/clusters/clusterBrowser.ts';
import { ClusterConnection } from '../../../../src/app/clusters/clusterConnection.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { ClusterStore } from '../../../../src/app/clusters/clusterStore.ts';
import { WatchBudget } from '../../../../src/app/clusters/lockWatches.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClient } from '../../../support/fakeClient.ts';

let clients: FakeClient[];
let searched: string[];
let setting: unknown;
let changeSetting: () => void;
let registry: ClusterRegistry;

beforeEach(() => {
  clients = [];
  searched = [];
  setting = [
    { id: 'a', name: 'A', connectString: 'a:1' },
    { id: 'b', name: 'B', connectString: 'b:1' },
  ];
  const store = new ClusterStore(
    {
      read: () => setting,
      write: () => Promise.resolve(),
      onChange: listener => {
        changeSetting = listener;
        return toDisposable(() => undefined);
      },
    },
    nullLogger,
  );
  const inspection = {
    find: (_client: unknown, root: string) => {
      searched.push(root);
      return Promise.resolve({ locks: [], visited: 0, truncated: false, denied: [] });
    },
    read: () => Promise.resolve([]),
    watch: () => Promise.resolve(toDisposable(() => undefined)),
  };
  const createBrowser = (profile: ClusterBrowser['node']['profile']): ClusterBrowser => {
    const connection = new ClusterConnection({
      open: () => {
        const client = new FakeClient();
        clients.push(client);
        return Promise.resolve(client);
      },
      isWanted: () => true,
      schedule: () => toDisposable(() => undefined),
      now: () => 0,
      logger: nullLogger,
    });
    const budget = new WatchBudget(() => 10);
    return new ClusterBrowser({ profile, connection, inspection, budget, filter: () => '', logger: nullLogger });
  };
  registry = new ClusterRegistry(store, createBrowser, nullLogger);
});

describe('ClusterRegistry', () => {
  it('follows the saved list without touching the sessions of those that stay', async () => {
    const [a, b] = registry.all;
    await Promise.all([a!.connect(), b!.connect()]);
    setting = [
      { id: 'c', name: 'C', connectString: 'c:1' },
      { id: 'a', name: 'A renamed', connectString: 'a:1' },
    ];
    changeSetting();
    expect(registry.all.map(browser => browser.node.profile.name)).toEqual(['C', 'A renamed']);
    expect(registry.get('a')).toBe(a);
    expect(clients.map(client => client.state)).toEqual(['connected', 'closed']);
  });

  it('ends the session of a cluster that moved elsewhere', async () => {
    await registry.get('a')!.connect();
    setting = [{ id: 'a', name: 'A', connectString: 'elsewhere:1' }];
    changeSetting();
    expect(clients[0]!.state).toBe('closed');
    expect(registry.get('a')!.connection.state.kind).toBe('disconnected');
  });

  it('connects anew and searches when the lock roots of an open cluster change', async () => {
    const a = registry.get('a')!;
    await a.connect();
    await a.open('/former/lock');
    setting = [{ id: 'a', name: 'A', connectString: 'a:1', lockRoots: ['/locks', '/jobs'] }];
    searched = [];
    changeSetting();
    await eventually(() => expect(a.node.search.kind).toBe('done'));
    expect(searched).toEqual(['/locks', '/jobs']);
    expect(a.node.locks.size).toBe(0);
    expect(clients.map(client => client.state)).toEqual(['closed', 'connected']);
  });

  it('connects no closed cluster whose lock roots change', () => {
    setting = [{ id: 'a', name: 'A', connectString: 'a:1', lockRoots: ['/locks'] }];
    changeSetting();
    expect(clients).toEqual([]);
    expect(registry.get('a')!.connection.state.kind).toBe('disconnected');
  });

  it('ends every session when it is closed, and leaves no listener behind', async () => {
    for (const browser of registry.all) await browser.connect();
    await registry.close();
    expect(clients.map(client => client.state)).toEqual(['closed', 'closed']);
    expect(clients.map(client => client.stateListenerCount)).toEqual([0, 0]);
    expect(registry.all).toEqual([]);
  });
});

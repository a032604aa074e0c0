import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterRegistry } from '../../../../src/app/clusters/clusterRegistry.ts';
import { ClusterStore } from '../../../../src/app/clusters/clusterStore.ts';
import { eventually } from '../../../support/eventually.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { browserParts, idleInspector } from '../../extension/fixtures.ts';

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
  const parts = browserParts({
    openSession: () => {
      const client = new FakeClient();
      clients.push(client);
      return Promise.resolve(client);
    },
    loadInspector: () =>
      Promise.resolve({
        ...idleInspector,
        findLocks: (client, root) => {
          searched.push(root);
          return idleInspector.findLocks(client, root);
        },
      }),
  });
  registry = new ClusterRegistry([store], parts);
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

  it('reports the changes of every cluster in one event, and none once it is closed', async () => {
    const changed: unknown[] = [];
    registry.onNodeChange(node => changed.push(node));
    const [a, b] = registry.all;
    await b!.connect();
    expect([...new Set(changed)]).toEqual([b!.node]);
    await registry.close();
    changed.length = 0;
    await a!.connect();
    expect(changed).toEqual([]);
  });

  it('ends the session of a cluster that moved elsewhere', async () => {
    await registry.get('a')!.connect();
    setting = [{ id: 'a', name: 'A', connectString: 'elsewhere:1' }];
    changeSetting();
    expect(clients[0]!.state).toBe('closed');
    expect(registry.get('a')!.connection.state.kind).toBe('disconnected');
  });

  it('connects again and searches when the lock roots of an open cluster change', async () => {
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

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TreeEvent, WatchEvent, ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connectInformed } from '../../support/informedSession.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { serverWatches } from '../../support/serverWatches.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';

const realm = useTestRealm();
let client: ZooKeeperClient;
let proxy: TcpProxy;

beforeEach(async () => {
  proxy = await startTcpProxy(serverPort());
  client = await connectInformed(proxy.connectString + realm.chroot, { sessionTimeoutMs: 20_000 });
});
afterEach(async () => {
  await client.close();
  await proxy.close();
});

function serverPort(): number {
  return Number(realm.serverConnectString.split(':')[1]);
}

/** The events without their zxid, which servers before 3.9 do not send. */
async function watching(path: string): Promise<TreeEvent[]> {
  const events: TreeEvent[] = [];
  await client.watchTree(path, ({ type, path: changed }) => events.push({ type, path: changed }));
  return events;
}

/**
 * Resolves once the session is back and the server has its watches again. They travel in front of every request of the new
 * connection, so an answer says that they have arrived; what others write before that is for the full reading to find.
 */
async function reconnected(): Promise<void> {
  await new Promise<void>(resolve => {
    client.onState(change => {
      if (change.state === 'connected') resolve();
    });
  });
  await client.exists('/');
}

describe('a tree watch', () => {
  it('reports every change at and below its path, once, with the path of the node', async () => {
    const events = await watching('/q');
    await realm.observer.create('/q/a');
    await realm.observer.set('/q/a', 'x');
    await realm.observer.create('/q/a/b');
    await realm.observer.create('/other');
    await realm.observer.delete('/q', { recursive: true });
    await eventually(() => expect(events.at(-1)).toEqual({ type: 'deleted', path: '/q' }));
    expect(events).toEqual([
      { type: 'created', path: '/q' },
      { type: 'created', path: '/q/a' },
      { type: 'dataChanged', path: '/q/a' },
      { type: 'created', path: '/q/a/b' },
      { type: 'deleted', path: '/q/a/b' },
      { type: 'deleted', path: '/q/a' },
      { type: 'deleted', path: '/q' },
    ]);
  });

  it('is one watch on the server however many listen, and is removed with the last of them', async () => {
    const heard: string[] = [];
    const first = await client.watchTree('/q', () => heard.push('first'));
    const second = await client.watchTree('/q', () => heard.push('second'));
    expect(await serverWatches(client, realm)).toEqual(['/q']);
    first.dispose();
    first.dispose();
    await client.sync('/');
    expect(await serverWatches(client, realm)).toEqual(['/q']);
    await realm.observer.create('/q');
    await eventually(() => expect(heard).toEqual(['second']));
    second.dispose();
    await eventually(async () => expect(await serverWatches(client, realm)).toEqual([]));
  });

  it('lets the same function listen twice', async () => {
    const heard: string[] = [];
    const listener = (event: TreeEvent) => heard.push(event.path);
    const first = await client.watchTree('/q', listener);
    await client.watchTree('/q', listener);
    await realm.observer.create('/q');
    await eventually(() => expect(heard).toEqual(['/q', '/q']));
    first.dispose();
    await realm.observer.create('/q/a');
    await eventually(() => expect(heard).toEqual(['/q', '/q', '/q/a']));
  });

  it('serves nested roots separately', async () => {
    const outer = await watching('/q');
    const inner = await client.watchTree('/q/in', () => undefined);
    const innerEvents = await watching('/q/in');
    await realm.observer.create('/q/in/x');
    await eventually(() => expect(innerEvents).toHaveLength(2));
    expect(innerEvents.map(event => event.path)).toEqual(['/q/in', '/q/in/x']);
    expect(outer.map(event => event.path)).toEqual(['/q', '/q/in', '/q/in/x']);
    inner.dispose();
  });

  it('asks for a full reading after a reconnect and goes on telling', async () => {
    const events = await watching('/q');
    const back = reconnected();
    proxy.cut();
    await back;
    await eventually(() => expect(events).toEqual([{ type: 'reread', path: '/q' }]));
    await realm.observer.create('/q/a');
    await eventually(() => expect(events.at(-1)).toEqual({ type: 'created', path: '/q/a' }));
  });

  it('asks for it before the session says that it is connected', async () => {
    const heard: string[] = [];
    await client.watchTree('/q', ({ type }) => heard.push(type));
    client.onState(({ state }) => heard.push(state));
    const back = reconnected();
    proxy.cut();
    await back;
    expect(heard).toEqual(['uncertain', 'reread', 'connected']);
  });

  it('goes on for the first listener when a second one fails to join', async () => {
    const events = await watching('/q');
    proxy.cutInsteadOfReply(1);
    const back = reconnected();
    await expect(client.watchTree('/q', () => undefined)).rejects.toThrow('no answer');
    proxy.forwardAll();
    await back;
    await realm.observer.create('/q/a');
    await eventually(() => expect(events.at(-1)).toEqual({ type: 'created', path: '/q/a' }));
  });

  it('keeps telling when one-shot watches are set on the same path (ZOOKEEPER-4466)', async () => {
    await realm.observer.create('/q');
    const events = await watching('/q');
    const once: WatchEvent[] = [];
    await client.exists('/q', { watch: event => once.push(event) });
    await client.getData('/q', { watch: event => once.push(event) });
    await client.getChildren('/q', { watch: event => once.push(event) });
    await realm.observer.create('/q/a');
    await realm.observer.set('/q', 'x');
    await realm.observer.set('/q', 'y');
    await realm.observer.create('/q/b');
    await eventually(() => expect(events.at(-1)).toEqual({ type: 'created', path: '/q/b' }));
    expect(events.map(event => event.path)).toEqual(['/q/a', '/q', '/q', '/q/b']);
    expect(once.map(event => event.type).sort()).toEqual(['childrenChanged', 'dataChanged', 'dataChanged']);
  });

  it('leaves one-shot watches on its path alone when it ends', async () => {
    await realm.observer.create('/q');
    const tree = await client.watchTree('/q', () => undefined);
    const once: WatchEvent[] = [];
    const reading = client.getData('/q', { watch: event => once.push(event) });
    tree.dispose();
    await reading;
    await realm.observer.set('/q', 'x');
    await eventually(() => expect(once).toEqual([{ type: 'dataChanged', path: '/q' }]));
  });

  it('survives a listener that throws', async () => {
    await client.watchTree('/q', () => {
      throw new Error('listener');
    });
    const events = await watching('/q');
    await realm.observer.create('/q');
    await eventually(() => expect(events).toHaveLength(1));
  });
});

describe('a one-shot watch', () => {
  it('fires once for a change of what was read', async () => {
    await realm.observer.create('/n');
    const events: WatchEvent[] = [];
    await client.getData('/n', { watch: event => events.push(event) });
    await realm.observer.set('/n', '1');
    await realm.observer.set('/n', '2');
    await client.sync('/');
    await eventually(() => expect(events).toEqual([{ type: 'dataChanged', path: '/n' }]));
  });

  it('waits for a node that does not exist yet', async () => {
    const events: WatchEvent[] = [];
    expect(await client.exists('/later', { watch: event => events.push(event) })).toBeUndefined();
    await realm.observer.create('/later');
    await eventually(() => expect(events).toEqual([{ type: 'created', path: '/later' }]));
  });

  it('is not set by a failed read', async () => {
    const events: WatchEvent[] = [];
    await expect(client.getData('/later', { watch: event => events.push(event) })).rejects.toThrow('NO_NODE');
    await realm.observer.create('/later');
    await client.sync('/');
    expect(events).toEqual([]);
    expect(await serverWatches(client, realm)).toEqual([]);
  });

  it('reports after a reconnect what happened during the outage, without a new read', async () => {
    await realm.observer.create('/data');
    await realm.observer.create('/list');
    const events: string[] = [];
    const note = (event: WatchEvent) => events.push(`${event.type} ${event.path}`);
    await client.getData('/data', { watch: note });
    await client.getChildren('/list', { watch: note });
    await client.exists('/later', { watch: note });
    await client.exists('/never', { watch: note });
    const back = reconnected();
    await proxy.setAccepting(false);
    proxy.cut();
    await eventually(() => expect(client.state).toBe('uncertain'));
    await realm.observer.set('/data', 'x');
    await realm.observer.create('/list/child');
    await realm.observer.create('/later');
    expect(events).toEqual([]);
    await proxy.setAccepting(true);
    await back;
    await eventually(() =>
      expect(events.sort()).toEqual(['childrenChanged /list', 'created /later', 'dataChanged /data']),
    );
    expect(await serverWatches(client, realm)).toEqual(['/never']);
  });

  it('gets an event that it will never fire when the session ends', async () => {
    const events: WatchEvent[] = [];
    await client.exists('/n', { watch: event => events.push(event) });
    await client.close();
    expect(events).toEqual([{ type: 'lost', path: '/n' }]);
  });
});

it('delivers an event after the replies that came before it, even in one chunk', async () => {
  await realm.observer.create('/q');
  await realm.observer.create('/q/a');
  const order: string[] = [];
  await client.getChildren('/q', { watch: event => order.push(event.type) });
  // The server answers: list with /q/a, removal (whose event comes first), list without. All reach us together.
  proxy.blackHole('down');
  const listed = client.getChildren('/q').then(({ children }) => order.push(`listed ${children.join()}`));
  const removed = client.remove('/q/a', 0).then(() => order.push('removed'));
  await eventually(() => expect(proxy.counts.frames.down).toBeGreaterThanOrEqual(5));
  proxy.blackHole('none');
  await Promise.all([listed, removed]);
  await eventually(() => expect(order).toHaveLength(3));
  expect(order.indexOf('listed a')).toBeLessThan(order.indexOf('childrenChanged'));
});

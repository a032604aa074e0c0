import { describe, expect, it } from 'vitest';
import type { SessionStateChange, ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { NotConnectedError, SessionLostError } from '../../../src/zookeeper/errors.ts';
import { connectInformed } from '../../support/informedSession.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { lateness } from '../../support/lateness.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';

const realm = useTestRealm();

interface Connected {
  client: ZooKeeperClient;
  proxy: TcpProxy;
  changes: SessionStateChange[];
}

async function withProxy(sessionTimeoutMs: number, run: (connected: Connected) => Promise<void>): Promise<void> {
  const proxy = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]));
  const client = await connectInformed(proxy.connectString + realm.chroot, { sessionTimeoutMs });
  const changes: SessionStateChange[] = [];
  client.onState(change => changes.push(change));
  try {
    await run({ client, proxy, changes });
  } finally {
    await client.close();
    await proxy.close();
  }
}

describe('close', () => {
  it('takes the ephemeral nodes with it at once, and a second close is the first one', () =>
    withProxy(30_000, async ({ client, proxy, changes }) => {
      await client.create('/mine', { mode: 'ephemeral' });
      await Promise.all([client.close(), client.close()]);
      await client.close();
      expect(await realm.observer.get('/mine')).toBeUndefined();
      expect(client.state).toBe('closed');
      expect(changes.map(change => change.state)).toEqual(['closed']);
      await eventually(() => expect(proxy.openConnections).toBe(0));
      await expect(client.exists('/mine')).rejects.toBeInstanceOf(NotConnectedError);
    }));

  it('during an outage waits for the connection to say it', () =>
    withProxy(10_000, async ({ client, proxy, changes }) => {
      await client.create('/mine', { mode: 'ephemeral' });
      await proxy.setAccepting(false);
      proxy.cut();
      await eventually(() => expect(client.state).toBe('uncertain'));
      const closed = client.close();
      await proxy.setAccepting(true);
      await closed;
      expect(await realm.observer.get('/mine')).toBeUndefined();
      expect(changes.at(-1)?.state).toBe('closed');
    }));

  it('on a half-open link ends within its limit', () =>
    withProxy(30_000, async ({ client, proxy }) => {
      proxy.blackHole('both');
      const late = lateness();
      const start = performance.now();
      await client.close();
      expect(performance.now() - start).toBeLessThan(3_500 + late());
      expect(client.state).toBe('closed');
    }));

  it('settles what is still under way', () =>
    withProxy(30_000, async ({ client, proxy }) => {
      proxy.blackHole('down');
      const outcomes = Promise.allSettled([client.exists('/'), client.create('/x'), client.watchTree('/', () => 0)]);
      await client.close();
      expect((await outcomes).map(outcome => outcome.status === 'rejected' && String(outcome.reason))).toEqual([
        expect.stringContaining('ReplyLostError'),
        expect.stringContaining('OutcomeUnknownError'),
        expect.stringContaining('ReplyLostError'),
      ]);
    }));
});

describe('session expiry', () => {
  it('is reported once, with the reason, and is final', () =>
    withProxy(4_000, async ({ client, proxy, changes }) => {
      const watched: string[] = [];
      await client.exists('/n', { watch: event => watched.push(event.type) });
      await client.create('/mine', { mode: 'ephemeral' });
      const id = client.sessionId;
      await proxy.setAccepting(false);
      proxy.cut();
      await eventually(async () => expect(await realm.observer.get('/mine')).toBeUndefined());
      await proxy.setAccepting(true);
      await eventually(() => expect(client.state).toBe('lost'));
      const connections = proxy.counts.connections;
      await expect(client.exists('/n')).rejects.toBeInstanceOf(SessionLostError);
      await expect(client.watchTree('/n', () => undefined)).rejects.toBeInstanceOf(SessionLostError);
      await expect(client.readMany([{ op: 'getData', path: '/' }])).rejects.toBeInstanceOf(SessionLostError);
      await client.close();
      expect(client.sessionId).toBe(id);
      expect(client.state).toBe('lost');
      expect(changes.map(change => change.state)).toEqual(['uncertain', 'lost']);
      expect(changes.at(-1)!.reason).toMatch(/no confirmed contact|expired/);
      expect(watched).toEqual(['lost']);
      expect(proxy.counts.connections).toBe(connections);
    }));
});

it('a listener that throws is contained: the others hear, the session goes on (D20)', () =>
  withProxy(10_000, async ({ client, proxy, changes }) => {
    client.onState(() => {
      throw new Error('state listener');
    });
    await realm.observer.create('/n');
    const heard: string[] = [];
    await client.getData('/n', {
      watch: () => {
        throw new Error('watch listener');
      },
    });
    await client.getData('/n', { watch: event => heard.push(event.type) });
    await realm.observer.set('/n', 'x');
    await eventually(() => expect(heard).toEqual(['dataChanged']));
    proxy.cut();
    await eventually(() => expect(changes.map(change => change.state)).toEqual(['uncertain', 'connected']));
    await client.sync('/');
  }));

it('reports the last contact by the clock', () =>
  withProxy(3_000, async ({ client, proxy, changes }) => {
    const before = Date.now();
    await client.sync('/');
    expect(client.lastContactAt).toBeGreaterThanOrEqual(before - 5);
    const contact = client.lastContactAt;
    proxy.blackHole('both');
    await eventually(() => expect(changes.at(-1)?.state).toBe('lost'));
    expect(Math.abs(changes.at(-1)!.lastContactAt - contact)).toBeLessThan(50);
    expect(client.server).toBeUndefined();
  }));

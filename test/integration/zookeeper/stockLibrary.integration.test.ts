import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connect } from '../../../src/zookeeper/connect.ts';
import { NotConnectedError, SessionLostError } from '../../../src/zookeeper/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { freshChroot } from '../../support/freshChroot.ts';
import { startObserver, type Observer } from '../../support/observer.ts';
import { withSession } from '../../support/sessionUnderTest.ts';
import { withStock, type StockClient } from '../../support/stockClient.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { startTestServer } from '../../support/testServer.ts';

/**
 * Defects of the library that need a real server to show (docs/faults.md, section 2): the same scene with the library
 * as it comes, which must misbehave, and with our client, which must not.
 */
const port = Number(inject('zooKeeper').split(':')[1]);
let all: Observer;
beforeAll(async () => {
  all = await startObserver(inject('zooKeeper'));
});
afterAll(() => all.stop());

function passed(ms: number): Promise<unknown> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

interface StockScene {
  stock: StockClient;
  proxy: TcpProxy;
  seen: Observer;
}

async function stockScene(sessionTimeoutMs: number, run: (scene: StockScene) => Promise<void>): Promise<void> {
  const chroot = await freshChroot(all);
  const proxy = await startTcpProxy(port);
  await withStock(proxy.connectString + chroot, sessionTimeoutMs, async stock => {
    await stock.connect();
    await eventually(async () => expect((await stock.status()).state).toBe('SYNC_CONNECTED'));
    await run({ stock, proxy, seen: all.within(chroot) });
  });
  await proxy.close();
  await all.delete(chroot, { recursive: true });
}

async function ourScene(
  sessionTimeoutMs: number,
  run: (session: Parameters<Parameters<typeof withSession>[2]>[0], seen: Observer) => Promise<void>,
): Promise<void> {
  const chroot = await freshChroot(all);
  await withSession([port], { sessionTimeoutMs, chroot }, session => run(session, all.within(chroot)));
  await all.delete(chroot, { recursive: true });
}

async function haveNode(stock: StockClient, seen: Observer): Promise<void> {
  await stock.start('ephemeral', '/mine');
  await eventually(async () => expect(await seen.get('/mine')).toBeDefined());
}

describe('D1 half-open link', () => {
  it.concurrent('the stock library is "connected" long after its session is over', () =>
    stockScene(3_000, async ({ stock, proxy, seen }) => {
      await haveNode(stock, seen);
      proxy.blackHole('both');
      await eventually(async () => expect(await seen.get('/mine')).toBeUndefined());
      await passed(3_000);
      expect(await stock.status()).toMatchObject({ state: 'SYNC_CONNECTED' });
    }),
  );

  it.concurrent('we never say connected when the node is gone', () =>
    ourScene(3_000, async ({ client, proxy }, seen) => {
      await client.create('/mine', { mode: 'ephemeral' });
      proxy.blackHole('both');
      await eventually(async () => {
        const isGone = (await seen.get('/mine')) === undefined;
        const { state } = client;
        if (isGone) expect(state).not.toBe('connected');
        expect(isGone).toBe(true);
      });
    }),
  );
});

describe('D2 a delete that is asked for during an outage', () => {
  it.concurrent('is executed by the stock library much later', () =>
    stockScene(6_000, async ({ stock, proxy, seen }) => {
      await seen.create('/target');
      await proxy.setAccepting(false);
      proxy.cut();
      await eventually(async () => expect((await stock.status()).state).not.toBe('SYNC_CONNECTED'));
      await stock.start('remove', '/target');
      await passed(500);
      await proxy.setAccepting(true);
      await eventually(async () => expect(await seen.get('/target')).toBeUndefined());
    }),
  );

  it.concurrent('fails at once with us and never reaches the server', () =>
    ourScene(6_000, async ({ client, proxy }, seen) => {
      await seen.create('/target');
      await proxy.setAccepting(false);
      proxy.cut();
      await eventually(() => expect(client.state).toBe('uncertain'));
      await expect(client.remove('/target', 0)).rejects.toBeInstanceOf(NotConnectedError);
      await proxy.setAccepting(true);
      await eventually(() => expect(client.state).toBe('connected'));
      await client.sync('/');
      expect(await seen.get('/target')).toBeDefined();
    }),
  );
});

describe('D3 version 0', () => {
  it.concurrent("is dropped by the stock library's transactions: the wrong node is deleted", () =>
    stockScene(6_000, async ({ stock, seen }) => {
      await seen.create('/target');
      await seen.set('/target', 'changed since');
      await stock.start('removeVersion0', '/target');
      await eventually(async () => expect((await stock.status()).results).toEqual({ removeVersion0: 'ok' }));
      expect(await seen.get('/target')).toBeUndefined();
    }),
  );

  it.concurrent('is sent by us', () =>
    ourScene(6_000, async ({ client }, seen) => {
      await seen.create('/target');
      await seen.set('/target', 'changed since');
      await expect(client.remove('/target', 0)).rejects.toMatchObject({ codeName: 'BAD_VERSION' });
      expect(await seen.get('/target')).toBeDefined();
    }),
  );
});

it.concurrent(
  'D5 the stock library loses its session while it receives events (ours: linkFaults)',
  () =>
    stockScene(3_000, async ({ stock, seen }) => {
      await haveNode(stock, seen);
      // Events that come late on a busy machine leave it room for a ping: it is given many more than it needs.
      const nodes = 200;
      await seen.createMany(Array.from({ length: nodes }, (_, index) => ({ path: `/n${index}` })));
      for (let index = 0; index < nodes; index++) await stock.start('exists', `/n${index}`, `n${index}`, true);
      let isGone = false;
      for (let index = 0; index < nodes && !isGone; index++) {
        await passed(150);
        await seen.set(`/n${index}`, 'x');
        isGone = (await seen.get('/mine')) === undefined;
      }
      expect(isGone).toBe(true);
    }),
  90_000,
);

describe('D11 requests of the moment before the connection', () => {
  it.concurrent('go out before the credentials in the stock library (ours: access)', async () => {
    const proxy = await startTcpProxy(port);
    const ping = 11;
    const opcodes: number[] = [];
    proxy.onRequest(({ opcode }) => {
      if (opcode !== undefined && opcode !== ping) opcodes.push(opcode);
      return 'forward';
    });
    await withStock(proxy.connectString, 6_000, async stock => {
      await stock.addDigest('u:p');
      // Asked first: a connection that is there sooner than the question would hide the fault.
      await stock.start('exists', '/');
      await stock.connect();
      await eventually(() => expect(opcodes).toHaveLength(2));
    });
    expect(opcodes).toEqual([3, 100]);
    await proxy.close();
  });
});

describe('D13 an expired session', () => {
  it.concurrent('is a mere connection loss for later callers of the stock library', () =>
    stockScene(3_000, async ({ stock, proxy, seen }) => {
      await haveNode(stock, seen);
      await proxy.setAccepting(false);
      proxy.cut();
      await eventually(async () => expect(await seen.get('/mine')).toBeUndefined());
      await proxy.setAccepting(true);
      await eventually(async () => expect((await stock.status()).events).toContain('EXPIRED'));
      // Until the server has hung up it still says what happened.
      await eventually(async () => expect((await stock.status()).state).toBe('DISCONNECTED'));
      await stock.start('exists', '/');
      await eventually(async () => expect((await stock.status()).results['exists']).toContain('CONNECTION_LOSS'));
    }),
  );

  it.concurrent('is a lost session with us, whenever one asks', () =>
    ourScene(600, async ({ client, proxy }) => {
      proxy.blackHole('both');
      await eventually(() => expect(client.state).toBe('lost'));
      proxy.blackHole('none');
      await expect(client.exists('/')).rejects.toBeInstanceOf(SessionLostError);
      expect(client.state).toBe('lost');
    }),
  );
});

describe('D18 close during an outage', () => {
  it.concurrent('leaves the session of the stock library alive (ours: lifecycle)', () =>
    stockScene(10_000, async ({ stock, proxy, seen }) => {
      await haveNode(stock, seen);
      await proxy.setAccepting(false);
      proxy.cut();
      await eventually(async () => expect((await stock.status()).state).not.toBe('SYNC_CONNECTED'));
      await stock.close();
      await proxy.setAccepting(true);
      await passed(1_000);
      expect(await seen.get('/mine')).toBeDefined();
    }),
  );
});

it.concurrent('D20 a listener that throws stops the pings of the stock library (ours: lifecycle)', async () => {
  const chroot = await freshChroot(all);
  await withStock(inject('zooKeeper') + chroot, 600, async stock => {
    await stock.throwOnConnected();
    await stock.connect();
    await stock.start('ephemeral', '/mine');
    await eventually(async () => expect((await stock.status()).uncaught).toContain('listener'));
    await eventually(async () => expect((await stock.status()).events).toContain('EXPIRED'));
    await eventually(async () => expect(await all.get(`${chroot}/mine`)).toBeUndefined());
  });
  await all.delete(chroot, { recursive: true });
});

it('D27 D28 the stock library hammers a wiped cluster without a word (ours: serverFaults)', async () => {
  const wiped = await startTestServer();
  const proxy = await startTcpProxy(wiped.port);
  const writer = await connect(wiped.connectString);
  for (let index = 0; index < 20; index++) await writer.create(`/n${index}`);
  await writer.close();
  await withStock(proxy.connectString, 20_000, async stock => {
    await stock.connect();
    await stock.start('ephemeral', '/mine');
    await eventually(async () => expect((await stock.status()).results['ephemeral']).toBe('ok'));
    // A server that is starting may take a connection and never answer it, and the stock library waits for ever (D1).
    await proxy.setAccepting(false);
    await wiped.wipe();
    await proxy.setAccepting(true);
    const before = proxy.counts.connections;
    await eventually(() => expect(proxy.counts.connections - before).toBeGreaterThan(5));
    await passed(1_000);
    expect((await stock.status()).events).not.toContain('EXPIRED');
  });
  await proxy.close();
  await wiped.stop();
});

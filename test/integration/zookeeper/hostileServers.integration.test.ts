import { describe, expect, it } from 'vitest';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { ConnectError, ZooKeeperError } from '../../../src/zookeeper/errors.ts';
import { eventually } from '../../support/eventually.ts';
import {
  connectReply,
  reply,
  sessionServer,
  silent,
  startFakeServer,
  type FakeConnection,
  type FakeServer,
  type Script,
} from '../../support/fakeServer.ts';
import { toFrame } from '../../support/frames.ts';
import { StockClient, withStock } from '../../support/stockClient.ts';

/** Session timeout of these tests, ms: no test here waits for it, and a machine that pauses must not reach it. */
const T = 6_000;
const session = { sessionId: 77n, timeoutMs: T };
const statBody = Buffer.alloc(68);

async function withFake(script: Script, run: (server: FakeServer) => Promise<void>): Promise<void> {
  const server = await startFakeServer(script);
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

async function withOurs(connectString: string, run: (client: ZooKeeperClient) => Promise<void>): Promise<void> {
  const client = await connect(connectString, { sessionTimeoutMs: T, connectTimeoutMs: 6_000 });
  const closed = run(client).finally(() => void client.close());
  await closed;
}

function passed(ms: number): Promise<unknown> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

async function connected(stock: StockClient): Promise<void> {
  await stock.connect();
  await eventually(async () => expect((await stock.status()).events).toContain('SYNC_CONNECTED'));
}

/** Answers pings and `exists`; `odd` decides what becomes of requests for `/odd`. */
function serverThat(odd: (request: { xid: number }, connection: FakeConnection) => Buffer | undefined): Script {
  return sessionServer(session, (request, connection) => {
    if (request.opcode === 11) return reply({ xid: request.xid });
    const path = request.body.toString('latin1', 4, 4 + request.body.readInt32BE(0));
    return path === '/odd' ? odd(request, connection) : reply({ xid: request.xid }, statBody);
  });
}

describe('F24 D6 unknown error codes', () => {
  it.concurrent.each([-12, -118, -125, -999, 7])('%s is an error of that request alone', code =>
    withFake(twoInOneChunk(code), server =>
      withOurs(server.connectString, async client => {
        const [odd, next] = await Promise.allSettled([client.exists('/odd'), client.exists('/next')]);
        expect(odd).toMatchObject({ status: 'rejected', reason: { code, path: '/odd' } });
        expect((odd as PromiseRejectedResult).reason).toBeInstanceOf(ZooKeeperError);
        expect(next.status).toBe('fulfilled');
        expect(client.state).toBe('connected');
      }),
    ),
  );

  it.concurrent('the stock library throws outside of any call and never answers', () =>
    withFake(twoInOneChunk(-125), server =>
      withStock(server.connectString, T, async stock => {
        await connected(stock);
        await stock.start('exists', '/odd');
        await eventually(async () => expect((await stock.status()).uncaught).toHaveLength(1));
        expect(await stock.status()).toMatchObject({
          uncaught: ['Unknown code: -125'],
          results: { exists: 'pending' },
        });
      }),
    ),
  );
});

/** Answers `/odd` with `code` and, in the same chunk, whatever was asked right after it. */
function twoInOneChunk(code: number): Script {
  return async connection => {
    await connection.nextFrame();
    connection.sendFrame(connectReply(session));
    for (;;) {
      const request = await connection.nextFrame();
      const xid = request.readInt32BE(0);
      const frames = [toFrame(reply({ xid, error: request.includes('/odd') ? code : 0 }, statBody))];
      if (request.includes('/odd')) frames.push(toFrame(reply({ xid: xid + 1 }, statBody)));
      // The next request was answered together with this one.
      if (!request.includes('/next')) connection.sendRaw(Buffer.concat(frames));
    }
  };
}

describe('D7 half a reply and a cut', () => {
  const script: Script = (connection, index) =>
    serverThat(({ xid }) => {
      if (index === 0) {
        connection.sendRaw(toFrame(reply({ xid }, statBody)).subarray(0, 40));
        connection.end();
        return undefined;
      }
      return reply({ xid }, statBody);
    })(connection, index);

  it.concurrent('leave nothing behind on the next connection', () =>
    withFake(script, server =>
      withOurs(server.connectString, async client => {
        await expect(client.exists('/odd')).rejects.toThrow('no answer');
        await eventually(() => expect(client.state).toBe('connected'));
        expect(await client.exists('/odd')).toBeDefined();
      }),
    ),
  );

  it.concurrent('confuse the stock library for good', () =>
    withFake(script, server =>
      withStock(server.connectString, T, async stock => {
        await connected(stock);
        await stock.start('exists', '/odd', 'first');
        await eventually(() => expect(server.connections.length).toBeGreaterThan(1));
        await stock.start('exists', '/odd', 'second');
        await passed(1_000);
        expect((await stock.status()).results['second']).not.toBe('ok');
      }),
    ),
  );
});

describe('D8 a server that hangs up right after the handshake', () => {
  const timeoutMs = 10_000;
  const script: Script = async (connection, index) => {
    await connection.nextFrame();
    connection.sendFrame(connectReply({ ...session, timeoutMs }));
    // The first ping of a session belongs to its handshake; the library as it comes sends none so early.
    if (index === 0) {
      const ping = connection.nextFrame().then(() => connection.sendFrame(reply({ xid: -2 })));
      ping.catch(() => undefined);
    }
    await passed(2);
    connection.end();
  };

  it.concurrent('sees at most 10 connections in 3 s', () =>
    withFake(script, async server => {
      const client = await connect(server.connectString, { sessionTimeoutMs: timeoutMs });
      await passed(3_000);
      expect(server.connections.length).toBeLessThanOrEqual(10);
      await client.close();
    }),
  );

  it.concurrent('is stormed by the stock library', () =>
    withFake(script, server =>
      withStock(server.connectString, timeoutMs, async stock => {
        await stock.connect();
        await eventually(() => expect(server.connections.length).toBeGreaterThan(50));
      }),
    ),
  );
});

describe('D10 a silent server before a good one', () => {
  const good = serverThat(() => undefined);

  it.concurrent('costs its share of the connect deadline', () =>
    withFake(silent, mute =>
      withFake(good, server =>
        withOurs(`${mute.connectString},${server.connectString}`, async client => {
          expect(client.server).toBe(server.connectString);
          expect(await client.exists('/')).toBeDefined();
          await eventually(() => expect(mute.openConnections).toBe(0));
        }),
      ),
    ),
  );

  it.concurrent('holds the stock library for ever', { timeout: 60_000 }, () =>
    withFake(silent, mute =>
      withFake(good, async server => {
        const list = `${mute.connectString},${server.connectString}`;
        // It shuffles its servers: only a client that begins with the silent one shows the defect.
        const isShown = async (): Promise<boolean> => {
          const stock = new StockClient(list, 600);
          try {
            if (Number((await stock.status()).servers[0]!.port) !== mute.port) return false;
            await stock.connect();
            await eventually(() => expect(mute.connections).toHaveLength(1));
            await passed(1_500);
            expect(await stock.status()).toMatchObject({ events: [] });
            expect(server.connections).toHaveLength(0);
            return true;
          } finally {
            await stock.kill();
          }
        };
        await eventually(async () => expect(await isShown()).toBe(true), 40_000);
      }),
    ),
  );
});

describe('D12 D22 F26 replies that make no sense settle what was asked, and the session goes on', () => {
  const shapes: [string, (xid: number) => Buffer][] = [
    ['another xid', xid => toFrame(reply({ xid: xid + 5 }, statBody))],
    ['a pong that nobody asked for', () => toFrame(reply({ xid: -2 }))],
    ['a length of zero', () => Buffer.from([0, 0, 0, 0])],
    ['a negative length', () => Buffer.from([255, 255, 255, 255])],
    ['a length of 2 GB', () => Buffer.from([127, 255, 255, 255])],
    ['a frame too short for a header', () => toFrame(Buffer.alloc(7))],
    ['refused watches', () => toFrame(reply({ xid: -8, error: -6 }))],
    ['an event cut short', () => toFrame(reply({ xid: -1 }, Buffer.from([0, 0, 0, 1])))],
    ['an event with an absurd path length', () => toFrame(reply({ xid: -1 }, Buffer.alloc(12, 0x7f)))],
  ];
  const once = (shape: (xid: number) => Buffer): Script => {
    let done = false;
    return serverThat(({ xid }, connection) => {
      if (done) return reply({ xid }, statBody);
      done = true;
      connection.sendRaw(shape(xid));
      return undefined;
    });
  };

  it.concurrent.each(shapes)('%s', (_, shape) =>
    withFake(once(shape), server =>
      withOurs(server.connectString, async client => {
        await expect(client.exists('/odd')).rejects.toThrow('no answer');
        await eventually(() => expect(client.state).toBe('connected'));
        expect(await client.exists('/odd')).toBeDefined();
      }),
    ),
  );

  it.concurrent('events of unknown kinds and odd paths are passed over', () =>
    withFake(
      serverThat(({ xid }, connection) => {
        for (const [type, path] of [
          [5, '/a'],
          [-1, ''],
          [99, '/a'],
          [1, '__proto__'],
          [3, 'constructor'],
        ] as const) {
          const body = Buffer.alloc(12 + path.length);
          body.writeInt32BE(type, 0);
          body.writeInt32BE(path.length, 8);
          body.write(path, 12);
          connection.sendFrame(reply({ xid: -1 }, body));
        }
        return reply({ xid }, statBody);
      }),
      server =>
        withOurs(server.connectString, async client => {
          const heard: string[] = [];
          await client.exists('/a', { watch: event => heard.push(event.type) });
          expect(await client.exists('/odd')).toBeDefined();
          expect([heard, client.state]).toEqual([[], 'connected']);
        }),
    ),
  );

  it.concurrent('a length of zero makes the stock library throw', () =>
    withFake(once(shapes[2]![1]), server =>
      withStock(server.connectString, T, async stock => {
        await connected(stock);
        await stock.start('exists', '/odd');
        await eventually(async () => expect((await stock.status()).uncaught).not.toEqual([]));
      }),
    ),
  );
});

it.concurrent('F23 a server that hands out another session without a word: lost', () => {
  let sessions = 0n;
  return withFake(
    connection =>
      sessionServer({ sessionId: ++sessions, timeoutMs: T }, ({ xid }) => reply({ xid }, statBody))(connection, 0),
    server =>
      withOurs(server.connectString, async client => {
        const reasons: string[] = [];
        client.onState(change => reasons.push(`${change.state}: ${change.reason}`));
        server.connections[0]!.reset();
        await eventually(() => expect(client.state).toBe('lost'));
        expect(client.sessionId).toBe(1n);
        expect(reasons.at(-1)).toMatch(/lost: .*another session/);
      }),
  );
});

describe('D15 D16 D17 connect strings and hosts', () => {
  it.concurrent('are answered with a cause by us', async () => {
    await expect(connect('no-such-host.invalid:1', { connectTimeoutMs: 4_000 })).rejects.toBeInstanceOf(ConnectError);
    await expect(connect('localhost:99999')).rejects.toMatchObject({ fault: 'port' });
  });

  it.concurrent('say nothing, or throw uncaught, in the stock library', () =>
    withStock('no-such-host.invalid:1', 900, async nowhere => {
      await nowhere.connect();
      await withStock('localhost:99999', 900, async badPort => {
        await badPort.connect();
        await eventually(async () => expect((await badPort.status()).uncaught).toHaveLength(1));
      });
      await withStock('[::1]:2181', 900, async sixth => {
        expect((await sixth.status()).servers[0]!.host).not.toContain('::1');
      });
      expect(await nowhere.status()).toMatchObject({ events: [], uncaught: [] });
    }),
  );
});

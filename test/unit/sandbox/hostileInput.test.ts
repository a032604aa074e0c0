import { once } from 'node:events';
import { connect, createServer, Server, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SandboxPortError } from '../../../src/sandbox/sandboxPortError.ts';
import { type Sandbox, startSandbox, startSandboxServer } from '../../../src/sandbox/startSandbox.ts';
import type { JuteWriter } from '../../../src/zookeeper/wire/jute.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { collectingLogger } from '../../support/collectingLogger.ts';
import { eventually } from '../../support/eventually.ts';
import { collectGarbage, memoryInUse } from '../../support/memoryInUse.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { WireClient, wireFrame, writeCreate } from '../../support/wireClient.ts';
import { connectFrame } from '../../support/wireTransport.ts';

/** For tests that ask for much: `eventually` alone waits 10 s, and collecting garbage takes its time on a busy machine. */
const patient = { timeout: 60_000 };
/** For sessions without pings that must not expire. */
const longMs = 300_000;
const log = collectingLogger();
const thrown: unknown[] = [];
const note = (error: unknown): void => void thrown.push(error);
let sandbox: Sandbox;
/** A client that behaves, and must not notice the others. */
let witness: WireClient;

beforeAll(async () => {
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
  sandbox = await startSandbox({ logger: log.logger, maxSessionTimeoutMs: longMs });
  witness = await WireClient.withSession(sandbox.port, { timeoutMs: longMs });
  await witness.create('/lock');
});

afterAll(async () => {
  await sandbox.close();
  process.off('uncaughtException', note);
  process.off('unhandledRejection', note);
  expect(thrown).toEqual([]);
  // A mistake of ours that a client found would be written there.
  expect(log.lines.filter(line => line.startsWith('error'))).toEqual([]);
});

async function expectWitnessAtWork(): Promise<void> {
  const { error, body } = await witness.request(Op.create, writer =>
    writeCreate(writer, '/lock/n-', Buffer.alloc(0), 3),
  );
  expect(error).toBe(0);
  const path = body.string();
  expect((await witness.request(Op.delete, writer => writer.string(path).int(0))).error).toBe(0);
}

const randomBytes = (count: number): Buffer => seededRandom(count).bytes(count);

/** 20 bytes behind a length that does not fit them. */
function claiming(length: number): Buffer {
  return Buffer.concat([wireFrame(writer => writer.int(length)).subarray(4), Buffer.alloc(20)]);
}

describe.each<[string, Buffer]>([
  ...[0x7fff_ffff, -1, -0x8000_0000, 0, 0x1500_0000, 2 * 1024 * 1024].map((length): [string, Buffer] => [
    `a length of ${length}`,
    claiming(length),
  ]),
  ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
  ['a TLS handshake', Buffer.from('16030100e0010000dc0303', 'hex')],
  ['an SSH greeting', Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')],
  ['a word of four letters that is none', Buffer.from('rouk')],
])('%s', (_, bytes) => {
  it('ends a connection without a session', async () => {
    const client = await WireClient.open(sandbox.port);
    client.socket.write(bytes);
    await client.ended();
    await expectWitnessAtWork();
  });

  it('ends a connection with a session', async () => {
    const client = await WireClient.withSession(sandbox.port);
    client.socket.write(bytes);
    await client.ended();
    await expectWitnessAtWork();
  });
});

it.each<[string, Buffer]>([
  ['three bytes', wireFrame(writer => writer.bool(true).bool(true).bool(true))],
  ['a password of 2,147,483,647 bytes', wireFrame(writer => writer.int(0).long(0n).int(1).long(0n).int(0x7fff_ffff))],
  ['a password of -2 bytes', wireFrame(writer => writer.int(0).long(0n).int(1).long(0n).int(-2))],
  [
    'a zxid of the future',
    wireFrame(writer =>
      writer
        .int(0)
        .long(1n << 62n)
        .int(1)
        .long(0n)
        .bytes(Buffer.alloc(16)),
    ),
  ],
  ['a request', wireFrame(writer => writer.int(1).int(Op.getData).string('/').bool(false))],
])('a handshake that is %s ends the connection', async (_, bytes) => {
  const client = await WireClient.open(sandbox.port);
  client.socket.write(bytes);
  await client.ended();
  await expectWitnessAtWork();
});

it('a connection without a session ends after a while, whatever it has begun to say', patient, async () => {
  const own = await startSandbox({ handshakeTimeMs: 500, maxSessionTimeoutMs: longMs });
  const withSession = await WireClient.withSession(own.port, { timeoutMs: longMs });
  const clients: WireClient[] = [];
  for (const bytes of [Buffer.alloc(0), Buffer.from('ruo'), connectFrame().subarray(0, 30)]) {
    const client = await WireClient.open(own.port);
    client.socket.write(bytes);
    clients.push(client);
  }
  await Promise.all(clients.map(client => client.ended()));
  expect((await withSession.request(Op.ping)).error).toBe(0);
  withSession.close();
  await own.close();
});

it('an unknown session is refused, whatever password and time-out come with it', async () => {
  for (const timeoutMs of [-0x8000_0000, 0, 0x7fff_ffff]) {
    const client = await WireClient.open(sandbox.port);
    expect((await client.handshake({ timeoutMs, sessionId: -1n, password: Buffer.alloc(5_000) })).sessionId).toBe(0n);
    await client.ended();
  }
});

it.each<[string, number, (writer: JuteWriter) => unknown]>([
  ['a null credential', Op.auth, writer => writer.int(0).string('digest').int(-1)],
  ['a null token', Op.sasl, writer => writer.int(-1)],
])('%s ends the connection', async (_, op, write) => {
  const client = await WireClient.withSession(sandbox.port);
  client.send(op, write);
  await client.ended();
  await expectWitnessAtWork();
});

it('a four-letter word behind the handshake is no word', async () => {
  const client = await WireClient.withSession(sandbox.port);
  client.socket.write('ruok');
  await client.ended();
});

const huge = 0x7fff_ffff;
const part = (writer: JuteWriter, type: number): JuteWriter => writer.int(type).bool(false).int(-1);
const last = (writer: JuteWriter): JuteWriter => writer.int(-1).bool(true).int(-1);

/** Answered with an error; the connection goes on. */
it.each<[string, number, number, (writer: JuteWriter) => unknown]>([
  ['an ACL of 2,147,483,647 entries', Op.create, -5, writer => writer.string('/x').bytes(Buffer.alloc(0)).int(huge)],
  ['an ACL of -2 entries', Op.create, -114, writer => writer.string('/x').bytes(Buffer.alloc(0)).int(-2).int(0)],
  ['an ACL without its end', Op.setAcl, -5, writer => writer.string('/lock').int(2).int(31).string('world')],
  ['2,147,483,647 watches', Op.setWatches, -5, writer => writer.long(0n).int(huge)],
  ['data of 2,147,483,647 bytes', Op.setData, -5, writer => writer.string('/lock').int(huge)],
  ['a path of 2,147,483,647 bytes', Op.getData, -5, writer => writer.int(huge)],
  ['a path of -2 bytes', Op.exists, -5, writer => writer.int(-2)],
  ['a null path', Op.create, -5, writer => writer.int(-1).bytes(Buffer.alloc(0)).int(0).int(0)],
  ['a null path and a wrong mode', Op.create, -8, writer => writer.int(-1).bytes(Buffer.alloc(0)).int(0).int(9)],
  ['a null path to delete', Op.delete, -5, writer => writer.int(-1).int(-1)],
  ['a null path to read', Op.getData, -5, writer => writer.int(-1).bool(true)],
  ['a null path in a multi', Op.multi, -5, writer => last(part(writer, Op.check).int(-1).int(-1))],
  ['a null list of watches', Op.setWatches, -5, writer => writer.long(0n).int(-1).int(0).int(0)],
  ['a null path of a watch', Op.setWatches, -5, writer => writer.long(0n).int(0).int(0).int(1).int(-1)],
  ['another configuration', Op.reconfig, -123, writer => writer.int(-1).string('').string('').long(-1n)],
  ['another configuration, cut short', Op.reconfig, -5, writer => writer.int(-1).string('').string('')],
  [
    'a path that is no UTF-8',
    Op.create,
    -8,
    writer =>
      writer.bytes(Buffer.from('2fc328ff', 'hex')).int(-1).int(1).int(31).string('world').string('anyone').int(0),
  ],
  ['a path of 100,000 levels', Op.exists, -101, writer => writer.string('/a'.repeat(100_000)).bool(true)],
  [
    'a node 100,000 levels down',
    Op.create,
    -101,
    writer => writeCreate(writer, '/a'.repeat(100_000), Buffer.alloc(0), 0),
  ],
  ['flags that mean nothing', Op.create, -8, writer => writeCreate(writer, '/x', Buffer.alloc(0), huge)],
  ['a multi without an end', Op.multi, -5, writer => part(writer, Op.delete).string('/x').int(-1)],
  [
    'a multi in a multi',
    Op.multi,
    -5,
    writer => last(last(part(part(writer, Op.multi), Op.delete).string('/x').int(-1))),
  ],
  ['a ping in a multi', Op.multi, -5, writer => last(part(writer, Op.ping))],
  ['a write in a multiRead', Op.multiRead, -5, writer => last(part(writer, Op.delete).string('/x').int(-1))],
  ['a watch of an unknown kind', Op.addWatch, -5, writer => writer.string('/lock').int(huge)],
  ['watches of an unknown kind removed', Op.removeWatches, -5, writer => writer.string('/lock').int(-1)],
])('%s is an error', async (_, op, code, write) => {
  const client = await WireClient.withSession(sandbox.port);
  expect((await client.request(op, write)).error).toBe(code);
  expect((await client.request(Op.exists, writer => writer.string('/lock').bool(false))).error).toBe(0);
  client.close();
  await expectWitnessAtWork();
});

it.each([10, 14_000, -2, 0x7fff_ffff, -0x8000_0000])(
  'request type %i: not implemented, and the connection ends',
  async op => {
    const client = await WireClient.withSession(sandbox.port);
    expect((await client.request(op)).error).toBe(-6);
    await client.ended();
  },
);

it('an ACL of 80,000 different entries is answered, behind no one', patient, async () => {
  const client = await WireClient.withSession(sandbox.port);
  client.send(Op.create, writer => {
    writer.string('/x').bytes(Buffer.alloc(0)).int(80_000);
    for (let index = 0; index < 80_000; index++) writer.int(index).int(-1).int(-1);
    return writer.int(0);
  });
  await expectWitnessAtWork();
  expect((await client.reply()).error).toBe(-114);
  client.close();
});

it('a multi of 20,000 parts is done or refused as a whole', patient, async () => {
  const client = await WireClient.withSession(sandbox.port);
  const parts = (count: number, isRefused: boolean) => (writer: JuteWriter) => {
    for (let index = 0; index < count; index++) part(writer, Op.check).string('/lock').int(-1);
    if (isRefused) part(writer, Op.check).string('/none').int(-1);
    return last(writer);
  };
  expect((await client.request(Op.multi, parts(20_000, false))).error).toBe(0);
  const { error, body } = await client.request(Op.multi, parts(19_999, true));
  expect([error, body.int(), body.bool(), body.int()]).toEqual([0, -1, false, 0]);
  client.close();
});

/** A request of each kind that makes sense, without its type. */
const sensible = new Map<number, (writer: JuteWriter) => unknown>([
  [Op.create, writer => writeCreate(writer, '/fuzz', Buffer.from('data'), 3)],
  [Op.createTtl, writer => writeCreate(writer, '/fuzz', Buffer.from('data'), 5).long(5n)],
  [Op.delete, writer => writer.string('/fuzz').int(-1)],
  [Op.setData, writer => writer.string('/fuzz').bytes(Buffer.from('data')).int(-1)],
  [Op.setAcl, writer => writer.string('/fuzz').int(1).int(31).string('world').string('anyone').int(-1)],
  [Op.getChildren2, writer => writer.string('/').bool(true)],
  [Op.multi, writer => last(writeCreate(part(writer, Op.create), '/fuzz', Buffer.alloc(3), 3))],
  [Op.multiRead, writer => last(part(writer, Op.getData).string('/fuzz').bool(false))],
  [
    Op.setWatches2,
    writer => writer.long(0n).strings(['/a']).strings(['/b']).strings([]).strings(['/c']).strings(['/d']),
  ],
  [Op.addWatch, writer => writer.string('/fuzz').int(1)],
  [Op.auth, writer => writer.int(0).string('digest').bytes(Buffer.from('a:b'))],
]);

it('truncated and garbled requests of every kind end in an answer or the end of the connection', patient, async () => {
  const random = seededRandom(19);
  const fresh = (): Promise<WireClient> => WireClient.withSession(sandbox.port);
  let client = await fresh();
  const counts = { answered: 0, ended: 0 };
  for (const [op, write] of sensible) {
    const whole = wireFrame(writer => write(writer.int(7).int(op))).subarray(4);
    for (let length = 0; length < whole.length; length++) {
      const bytes = Buffer.from(random.next() < 0.5 ? whole.subarray(0, length) : whole);
      if (bytes.length > 8) bytes[8 + random.below(bytes.length - 8)] = random.below(256);
      client.socket.write(wireFrame(writer => writer.bytes(bytes)).subarray(4));
      try {
        await client.frame();
        counts.answered++;
      } catch {
        counts.ended++;
        client = await fresh();
      }
    }
  }
  client.close();
  expect(counts.answered).toBeGreaterThan(300);
  await expectWitnessAtWork();
});

it('random bytes end the connection or wait for more', patient, async () => {
  for (let seed = 1; seed <= 200; seed++) {
    const client = seed % 2 === 0 ? await WireClient.open(sandbox.port) : await WireClient.withSession(sandbox.port);
    client.socket.write(randomBytes(seed * 7));
    const frame = wireFrame(writer => writer.bytes(randomBytes(seed))).subarray(4);
    client.socket.end(frame);
    await client.ended();
  }
  await expectWitnessAtWork();
});

/** What waits in sockets is counted here, and not in `external`. */
function buffersInUse(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('memory', patient, () => {
  it('a client that never reads what it asks for waits, and so do its requests', async () => {
    await witness.create('/large', Buffer.alloc(1_000_000));
    const client = await WireClient.withSession(sandbox.port, { timeoutMs: longMs });
    const before = memoryInUse();
    client.socket.pause();
    for (let index = 0; index < 100; index++) client.send(Op.getData, writer => writer.string('/large').bool(false));
    for (let index = 0; index < 20; index++) await expectWitnessAtWork();
    // 100 MB were asked for.
    expect(memoryInUse() - before).toBeLessThan(30e6);
    expect(sandbox.sessions().map(({ sessionId }) => sessionId)).toContain(client.session.sessionId);
    client.socket.resume();
    let bytes = 0;
    for (let index = 0; index < 100; index++) bytes += (await client.frame()).length;
    expect(bytes).toBeGreaterThan(100e6);
    client.close();
  });

  it('one request that asks for more than the memory holds ends its connection', async () => {
    await witness.create('/huge', Buffer.alloc(1_000_000));
    const client = await WireClient.withSession(sandbox.port);
    client.send(Op.multiRead, writer => {
      for (let index = 0; index < 20_000; index++) part(writer, Op.getData).string('/huge').bool(false);
      return last(writer);
    });
    await client.ended();
    await expectWitnessAtWork();
  });

  it('a client that never reads its events is given up', async () => {
    const client = await WireClient.withSession(sandbox.port, { timeoutMs: longMs });
    expect((await client.request(Op.addWatch, writer => writer.string('/').int(1))).error).toBe(0);
    const before = memoryInUse();
    client.socket.pause();
    const name = `/${'x'.repeat(500_000)}`;
    const isConnected = (): boolean =>
      sandbox
        .sessions()
        .some(({ sessionId, address }) => sessionId === client.session.sessionId && address !== undefined);
    let rounds = 0;
    for (; isConnected() && rounds < 200; rounds++) {
      await witness.create(name);
      await witness.request(Op.delete, writer => writer.string(name).int(-1));
    }
    // Two events of 500 kB each: 32 MiB may wait, and the system takes a few MB more.
    expect(rounds).toBeLessThan(60);
    // The system gives what waited in the socket back when the socket is closed, which is a moment later.
    await eventually(() => expect(memoryInUse() - before).toBeLessThan(5e6));
    client.close();
    await expectWitnessAtWork();
  });

  it('a client that never reads our last words is given up', async () => {
    const { sandbox: own, server } = await startSandboxServer({ handshakeTimeMs: 1_000, maxSessionTimeoutMs: longMs });
    const watcher = await WireClient.withSession(own.port, { timeoutMs: longMs });
    for (let index = 0; index < 40; index++) {
      const path = `/${index}${'x'.repeat(500_000)}`;
      expect((await watcher.request(Op.exists, writer => writer.string(path).bool(true))).error).toBe(-101);
    }
    const before = buffersInUse();
    const client = await WireClient.open(own.port);
    client.socket.pause();
    // The answer has 20 MB, more than the system takes.
    client.socket.write('wchp');
    await eventually(() => expect(buffersInUse() - before).toBeGreaterThan(10e6));
    expect(server.connections.size).toBe(2);
    await eventually(() => expect(server.connections.size).toBe(1));
    await eventually(() => expect(buffersInUse() - before).toBeLessThan(5e6));
    // It has not gone by itself.
    expect(client.isEnded).toBe(false);
    for (const each of [client, watcher]) each.close();
    await own.close();
  });

  it('3,000 connections one after another, with sessions and without, leave nothing but the sessions', async () => {
    const half = await startSandbox({ tickTimeMs: 50 });
    const handshake = connectFrame({ timeoutMs: 100 });
    let before = 0;
    for (let index = 0; index < 3_000; index++) {
      if (index === 500) before = memoryInUse();
      const socket = connect({ port: half.port, host: '127.0.0.1' });
      await once(socket, 'connect');
      if (index % 2 === 0) {
        socket.write(handshake);
        await once(socket, 'data');
      } else if (index % 3 === 0) socket.write('GET / HTTP/1.1\r\n\r\n');
      socket.on('error', () => undefined);
      socket.resetAndDestroy();
    }
    await eventually(() => expect(half.sessions()).toEqual([]));
    expect(memoryInUse() - before).toBeLessThan(10e6);
    await half.close();
  });
});

describe('ports', () => {
  it('nothing but 127.0.0.1 is listened on', async () => {
    const listen = vi.spyOn(Server.prototype, 'listen');
    const other = await startSandbox();
    const listeners = listen.mock.contexts as Server[];
    listen.mockRestore();
    expect(listeners.map(listener => listener.address())).toEqual([
      { address: '127.0.0.1', family: 'IPv4', port: other.port },
    ]);
    expect(other.connectString).toBe(`127.0.0.1:${other.port}`);
    await other.close();
  });

  // Elsewhere a system may take its time to refuse, or its firewall says nothing at all.
  it.runIf(process.platform === 'linux')('no other address of this machine leads to it', patient, async () => {
    const own = Object.values(networkInterfaces())
      .flatMap(addresses => addresses ?? [])
      .filter(({ internal, scopeid }) => !internal && (scopeid ?? 0) === 0)
      .map(({ address }) => address);
    // All of 127.0.0.0/8 is this machine.
    const answers = [...own, '127.0.0.2', '::1'].map(async host => {
      const socket = connect({ port: sandbox.port, host });
      const [error] = (await Promise.race([once(socket, 'error'), once(socket, 'connect')])) as [Error | undefined];
      socket.destroy();
      return [host, error instanceof Error];
    });
    for (const [host, isRefused] of await Promise.all(answers)) expect(isRefused, String(host)).toBe(true);
  });

  it('a port that is taken is a clear error', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(startSandbox({ port })).rejects.toThrow(new SandboxPortError(port, 'EADDRINUSE'));
    other.close();
    const second = startSandbox({ port: sandbox.port });
    await expect(second).rejects.toMatchObject({ name: 'SandboxPortError', port: sandbox.port, code: 'EADDRINUSE' });
  });
});

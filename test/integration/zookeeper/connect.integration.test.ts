import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectFailure } from '../../../src/zookeeper/connectFailure.ts';
import { connect, type ConnectOptions } from '../../../src/zookeeper/connect.ts';
import { CancelledError, ConnectError } from '../../../src/zookeeper/errors.ts';
import { freePorts } from '../../../scripts/zookeeper/ports.ts';
import { eventually } from '../../support/eventually.ts';
import {
  closing,
  httpServer,
  hugeFrame,
  silent,
  sshServer,
  startFakeServer,
  type FakeServer,
  type Script,
} from '../../support/fakeServer.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { lateness } from '../../support/lateness.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';

const realm = useTestRealm();
const fakes: FakeServer[] = [];

afterEach(async () => {
  await Promise.all(fakes.splice(0).map(fake => fake.close()));
});

async function fake(script: Script): Promise<FakeServer> {
  const server = await startFakeServer(script);
  fakes.push(server);
  return server;
}

async function failure(connectString: string, options: ConnectOptions = {}): Promise<ConnectError> {
  const late = lateness();
  const start = performance.now();
  const limit = options.connectTimeoutMs ?? 1_500;
  const outcome: unknown = await connect(connectString, { connectTimeoutMs: limit, ...options }).catch(
    (error: unknown) => error,
  );
  expect(performance.now() - start).toBeLessThan(limit + 300 + late());
  expect(outcome).toBeInstanceOf(ConnectError);
  return outcome as ConnectError;
}

const tlsAlert: Script = async connection => {
  await connection.nextFrame();
  connection.sendRaw(Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46]));
};
const notServing: Script = async connection => {
  await connection.nextFrame();
  connection.sendRaw('This ZooKeeper instance is not currently serving requests\n');
  connection.end();
};
const halfAnswer: Script = async connection => {
  await connection.nextFrame();
  connection.sendRaw(Buffer.from([0, 0, 0, 37, 0, 0]));
};

describe('F29 what is wrong with a server is reported within the connect deadline, and nothing stays open', () => {
  it.each<[string, Script, ConnectFailure, RegExp]>([
    ['a web server', httpServer, 'not-zookeeper', /HTTP\/1\.1 400/],
    ['an SSH server', sshServer, 'not-zookeeper', /SSH-2\.0-OpenSSH/],
    ['a TLS server', tlsAlert, 'tls', /answered in TLS/],
    ['a server without quorum', notServing, 'closed', /serves no requests/],
    ['a server that is silent', silent, 'timeout', /no answer/],
    ['a server that stops in the middle', halfAnswer, 'timeout', /no answer/],
    ['a server that announces 2 GB', hugeFrame, 'not-zookeeper', /answered/],
    ['a server that hangs up', closing, 'closed', /may require TLS/],
  ])('%s', async (_, script, kind, detail) => {
    const server = await fake(script);
    // What a server says at once must not be overtaken by the deadline.
    const mayPass = kind === 'timeout' || script === notServing;
    const error = await failure(server.connectString, mayPass ? {} : { connectTimeoutMs: 5_000 });
    expect(error.causes).toHaveLength(1);
    expect(error.causes[0]).toMatchObject({ host: '127.0.0.1', port: server.port, failure: kind });
    expect(error.causes[0]!.detail).toMatch(detail);
    expect(error.message).toContain(server.connectString);
    await eventually(() => expect(server.openConnections).toBe(0));
  });

  it('an unknown host', async () => {
    const error = await failure('no-such-host.invalid:2181', { connectTimeoutMs: 5_000 });
    expect(error.causes).toMatchObject([{ host: 'no-such-host.invalid', port: 2181, failure: 'dns' }]);
  });

  it('a closed port, which may open until the time is over', async () => {
    const [port] = await freePorts(1);
    const error = await failure(`127.0.0.1:${port}`);
    expect(error.causes).toMatchObject([{ port, failure: 'refused' }]);
    // A timer of Node may fire up to 1 ms early.
    expect(error.message).toMatch(/^after 1(?:499|[5-9]\d\d) ms: 127/);
  });

  it('the time that it took, where all causes are for good', async () => {
    const web = await fake(httpServer);
    const error = await failure(web.connectString, { connectTimeoutMs: 60_000 });
    expect(error.message).toMatch(/^after \d{1,4} ms: 127/);
  });

  it('one cause per server, those that were never reached included', async () => {
    const [port] = await freePorts(1);
    const web = await fake(httpServer);
    const mute = await fake(silent);
    const list = `127.0.0.1:${port},${web.connectString},${mute.connectString}`;
    const error = await failure(list, { connectTimeoutMs: 3_000 });
    const kinds = new Map(error.causes.map(cause => [cause.port, cause.failure]));
    expect(kinds).toEqual(
      new Map<number, ConnectFailure>([
        [port!, 'refused'],
        [web.port, 'not-zookeeper'],
        [mute.port, 'timeout'],
      ]),
    );
  });
});

it('F33 passes over dead and silent servers', async () => {
  const [port] = await freePorts(1);
  const mute = await fake(silent);
  const list = `127.0.0.1:${port},${mute.connectString},${realm.serverConnectString}${realm.chroot}`;
  const client = await connect(list, { connectTimeoutMs: 9_000 });
  expect(client.server).toBe(realm.serverConnectString);
  await client.create('/made');
  expect(await realm.observer.get('/made')).toBeDefined();
  await client.close();
});

describe('AbortSignal', () => {
  it('ends an attempt at once', async () => {
    const mute = await fake(silent);
    const abort = new AbortController();
    const attempt = connect(mute.connectString, { signal: abort.signal });
    await eventually(() => expect(mute.openConnections).toBe(1));
    abort.abort();
    await expect(attempt).rejects.toBeInstanceOf(CancelledError);
    await eventually(() => expect(mute.openConnections).toBe(0));
  });

  it('opens nothing when it came first', async () => {
    const mute = await fake(silent);
    await expect(connect(mute.connectString, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(CancelledError);
    expect(mute.connections).toHaveLength(0);
  });

  it('does not touch an open session', async () => {
    const abort = new AbortController();
    const client = await connect(realm.connectString, { signal: abort.signal });
    abort.abort();
    await client.sync('/');
    expect(client.state).toBe('connected');
    await client.close();
  });
});

it.runIf(Object.values(networkInterfaces()).some(all => all?.some(each => each.address === '::1')))(
  'speaks IPv6',
  async () => {
    const proxy = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]), { host: '::1' });
    const client = await connect(`[::1]:${proxy.port}${realm.chroot}`);
    await client.create('/six');
    expect(await realm.observer.get('/six')).toBeDefined();
    await client.close();
    await proxy.close();
  },
);

it('negotiates the session timeout with the server', async () => {
  const short = await connect(realm.connectString, { sessionTimeoutMs: 1 });
  const long = await connect(realm.connectString, { sessionTimeoutMs: 10_000_000 });
  expect([short.sessionTimeoutMs, long.sessionTimeoutMs]).toEqual([200, 60_000]);
  expect(short.sessionId).not.toBe(long.sessionId);
  await Promise.all([short.close(), long.close()]);
});

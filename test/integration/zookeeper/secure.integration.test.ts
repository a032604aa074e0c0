import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TlsOptions as ServerTlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../../scripts/zookeeper/ports.ts';
import type { ServerFailure } from '../../../src/zookeeper/connectFailure.ts';
import { connect, type ConnectOptions } from '../../../src/zookeeper/connect.ts';
import { AuthenticationFailedError, ConnectError } from '../../../src/zookeeper/errors.ts';
import { collectingLogger } from '../../support/collectingLogger.ts';
import { eventually } from '../../support/eventually.ts';
import { startSecuredZooKeeper } from '../../support/securedZooKeeper.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import {
  createAuthority,
  encryptKey,
  notYetValid,
  selfSigned,
  type PemPair,
  type TestAuthority,
} from '../../support/tlsMaterial.ts';
import type { ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';

let folder: string;
let authority: TestAuthority;
let client: PemPair;
let ensemble: ZooKeeperEnsemble;
let securePort: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zookeeper-tls-'));
  authority = await createAuthority(folder);
  client = await authority.issue({ name: 'client' });
  const users = { alice: 'canary-1', bob: 'gr\u00fcn' };
  ({ ensemble, securePort } = await startSecuredZooKeeper(authority, { clientAuth: 'need', users }));
});
afterAll(async () => {
  await ensemble.stop();
  await rm(folder, { recursive: true, force: true });
});

const secure = (): string => `localhost:${securePort}`;

async function failure(connectString: string, options: ConnectOptions): Promise<ServerFailure> {
  const { logger, lines } = collectingLogger();
  const attempt = connect(connectString, { logger, ...options });
  const error: unknown = await attempt.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectError);
  expect(String(error) + lines.join()).not.toMatch(/PRIVATE KEY|canary/);
  return (error as ConnectError).causes[0]!;
}

describe('TLS', () => {
  it('opens a session with a client certificate, verifies the server, and survives a reconnect', async () => {
    const proxy = await startTcpProxy(securePort);
    const options = { tls: { ...client, ca: authority.cert } };
    const session = await connect(`localhost:${proxy.port}`, options);
    await session.create('/secure', { mode: 'ephemeral', data: Buffer.from('x') });
    const states: string[] = [];
    session.onState(({ state }) => states.push(state));
    proxy.cut();
    await eventually(() => expect(states.at(-1)).toBe('connected'));
    expect((await session.exists('/secure'))?.ephemeralOwner).toBe(session.sessionId);
    expect(await session.whoAmI()).toContainEqual({ scheme: 'x509', user: 'CN=client' });
    await session.close();
    await proxy.close();
  });

  it('checks the name that it is given, for an address too', async () => {
    const tls = { ...client, ca: authority.cert };
    const session = await connect(`127.0.0.1:${securePort}`, { tls: { ...tls, servername: 'localhost' } });
    await session.close();
    const wrong = await failure(secure(), { tls: { ...tls, servername: 'zk1.example.com' } });
    expect(wrong).toMatchObject({ failure: 'tls', reason: 'wrong-host', detail: 'DNS:localhost' });
    const address = await failure(`127.0.0.1:${securePort}`, { tls });
    expect(address).toMatchObject({ failure: 'tls', reason: 'wrong-host', detail: 'DNS:localhost' });
  });

  it('reads a key with a passphrase, and reports a wrong one before it dials', async () => {
    const key = await encryptKey(folder, client.key, 'canary-pass');
    const tls = { ca: authority.cert, cert: client.cert, key };
    const session = await connect(secure(), { tls: { ...tls, passphrase: 'canary-pass' } });
    await session.close();
    for (const passphrase of ['canary-wrong', undefined]) {
      const why = await failure(secure(), { tls: passphrase === undefined ? tls : { ...tls, passphrase } });
      expect(why).toMatchObject({ failure: 'tls', reason: 'own-files' });
    }
  });

  it('reports that the PEM texts are no PEM texts', async () => {
    const why = await failure(secure(), { tls: { ca: authority.cert, cert: 'canary', key: 'canary' } });
    expect(why).toMatchObject({ failure: 'tls', reason: 'own-files' });
  });

  it('reports an unknown authority', async () => {
    const why = await failure(secure(), { tls: client });
    expect(why).toMatchObject({ failure: 'tls', reason: 'unknown-authority' });
  });

  it('distinguishes that the server demands a client certificate from that it refuses ours', async () => {
    const none = await failure(secure(), { tls: { ca: authority.cert } });
    expect(none).toMatchObject({ failure: 'tls', reason: 'certificate-demanded' });
    const stranger = await selfSigned(folder, 'stranger');
    const unknown = await failure(secure(), { tls: { ...stranger, ca: authority.cert } });
    expect(unknown).toMatchObject({ failure: 'tls', reason: 'certificate-refused' });
  });

  it('reports a plain port', async () => {
    const why = await failure(ensemble.connectString, { tls: { ...client, ca: authority.cert } });
    expect(why).toMatchObject({ failure: 'tls', reason: 'hung-up' });
  });

  it('reports a port that answers in plain text', async () => {
    const server = createPlainServer(socket => socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.2\r\n'));
    const [port] = await freePorts(1);
    await new Promise<void>(resolve => server.listen(port, 'localhost', resolve));
    const why = await failure(`localhost:${port!}`, { tls: { ca: authority.cert } });
    expect(why).toMatchObject({ failure: 'tls', reason: 'plain-port' });
    server.close();
  });

  it('reports a TLS port that is spoken to in plain', async () => {
    const why = await failure(secure(), {});
    expect(why).toMatchObject({ failure: 'closed', reason: 'mute' });
  });

  it('reports certificates that have expired, are not valid yet, or are self-signed', async () => {
    const expired = await authority.issue({ name: 'expired', altNames: 'DNS:localhost', days: -1 });
    const alone = await selfSigned(folder, 'localhost');
    const early = await notYetValid(folder, 'localhost');
    for (const [pair, ca, reason] of [
      [expired, authority.cert, 'expired'],
      [early, early.cert, 'not-yet-valid'],
      [alone, authority.cert, 'self-signed'],
    ] as const) {
      const port = await listenTls(pair);
      const why = await failure(`localhost:${port}`, { tls: { ca } });
      expect(why).toMatchObject({ failure: 'tls', reason });
    }
  });

  it('refuses TLS 1.1', async () => {
    const pair = await authority.issue({ name: 'old', altNames: 'DNS:localhost' });
    const port = await listenTls({
      ...pair,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const why = await failure(`localhost:${port}`, { tls: { ca: authority.cert } });
    expect(why).toMatchObject({ failure: 'tls', reason: 'no-common-version' });
  });

  it('gives up on a server that does not finish the TLS handshake', async () => {
    const proxy = await startTcpProxy(securePort);
    proxy.blackHole('down');
    const why = await failure(`localhost:${proxy.port}`, { tls: { ca: authority.cert }, connectTimeoutMs: 500 });
    expect(why.failure).toBe('timeout');
    proxy.blackHole('none');
    await eventually(() => expect(proxy.openConnections).toBe(0));
    await proxy.close();
  });
});

/** A TLS server that never says a word of ZooKeeper's; ends with the tests. */
async function listenTls(options: ServerTlsOptions): Promise<number> {
  const server = createServer(options, socket => socket.on('error', () => undefined));
  server.on('tlsClientError', () => undefined);
  const [port] = await freePorts(1);
  await new Promise<void>(resolve => server.listen(port, 'localhost', resolve));
  server.unref();
  return port!;
}

describe('F17 SASL DIGEST-MD5', () => {
  it.each(['alice:canary-1', 'bob:gr\u00fcn'])('logs in as %s, again after a reconnect', async credential => {
    const proxy = await startTcpProxy(ensemble.ports[0]!);
    const auth = [{ scheme: 'sasl', credential }];
    const session = await connect(proxy.connectString, { auth });
    const user = credential.split(':')[0]!;
    expect(await session.whoAmI()).toContainEqual({ scheme: 'sasl', user });
    const acl = [{ scheme: 'sasl', id: user, permissions: 'cdrwa' }];
    await session.create(`/${user}`, { acl, mode: 'ephemeral' });
    const opcodes: (number | undefined)[] = [];
    proxy.onRequest(({ opcode }) => {
      opcodes.push(opcode);
      return 'forward';
    });
    await session.watchTree('/', () => undefined);
    const states: string[] = [];
    session.onState(({ state }) => states.push(state));
    proxy.cut();
    await eventually(() => expect(states.at(-1)).toBe('connected'));
    expect((await session.getData(`/${user}`)).stat.ephemeralOwner).toBe(session.sessionId);
    // Connect, both SASL tokens, the watches, the request.
    const again = opcodes.slice(opcodes.lastIndexOf(undefined));
    expect(again.slice(0, 5)).toEqual([undefined, 102, 102, 105, 4]);
    const stranger = await connect(ensemble.connectString);
    await expect(stranger.getData(`/${user}`)).rejects.toMatchObject({ codeName: 'NO_AUTH' });
    await Promise.all([stranger.close(), session.close()]);
    await proxy.close();
  });

  it.each(['alice:canary-wrong', 'alice:', 'nobody:canary'])('tells that %s is wrong', async credential => {
    const { logger, lines } = collectingLogger();
    const attempt = connect(ensemble.connectString, { auth: [{ scheme: 'sasl', credential }], logger });
    const error: unknown = await attempt.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuthenticationFailedError);
    expect(String(error)).toContain('SASL user or password are wrong');
    expect(String(error) + lines.join()).not.toContain('canary');
  });
});

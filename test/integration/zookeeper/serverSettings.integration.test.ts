import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../scripts/zookeeper/temporaryFolder.ts';
import { connect, type ConnectOptions } from '../../../src/zookeeper/connect.ts';
import { AuthenticationFailedError } from '../../../src/zookeeper/errors.ts';
import { collectingLogger } from '../../support/collectingLogger.ts';
import { eventually } from '../../support/eventually.ts';
import { reply, sessionServer, startFakeServer } from '../../support/fakeServer.ts';
import { saslProperties } from '../../support/securedZooKeeper.ts';
import { withSession } from '../../support/sessionUnderTest.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';

/** A lone server for one group of tests. */
function useServer(systemProperties: () => Promise<Record<string, string>>): () => ZooKeeperEnsemble {
  let server: ZooKeeperEnsemble | undefined;
  beforeAll(async () => {
    server = await startZooKeeper({ systemProperties: await systemProperties() });
  });
  afterAll(() => server?.stop());
  return () => server!;
}

const alice = { scheme: 'sasl', credential: 'alice:canary-1' };
const digest = { scheme: 'digest', credential: 'alice:canary-1' };

/** Connects through a proxy: how that ends, how many connections it took, and what was logged. */
async function tryConnect(server: ZooKeeperEnsemble, auth: ConnectOptions['auth']) {
  const proxy = await startTcpProxy(server.ports[0]!);
  const { logger, lines } = collectingLogger();
  try {
    const error: unknown = await connect(proxy.connectString, { ...(auth && { auth }), logger }).then(
      client => client.close(),
      (reason: unknown) => reason,
    );
    await eventually(() => expect(proxy.openConnections).toBe(0));
    return { error, connections: proxy.counts.connections, log: lines.join('\n') };
  } finally {
    await proxy.close();
  }
}

describe('F36 a server that serves no session without a SASL log-in', () => {
  let folder: string;
  const server = useServer(async () => {
    folder = await temporaryFolder('zookeeper-sasl-');
    return {
      ...(await saslProperties(folder, { alice: 'canary-1' })),
      'zookeeper.sessionRequireClientSASLAuth': 'true',
    };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['no credential', undefined],
    ['a digest credential', [digest]],
  ])('with %s connecting says so, at once, and was never connected', async (_, auth) => {
    const { error, connections, log } = await tryConnect(server(), auth);
    expect(error).toBeInstanceOf(AuthenticationFailedError);
    expect(error).toMatchObject({ why: { kind: 'login', refusal: 'required', scheme: 'sasl' } });
    expect(connections).toBe(1);
    expect(log).not.toContain('attached');
  });

  it('a wrong password is still a wrong password', async () => {
    const { error } = await tryConnect(server(), [{ scheme: 'sasl', credential: 'alice:wrong' }]);
    expect(error).toMatchObject({ why: { refusal: 'wrong-account' } });
  });

  it('serves a session that has logged in, also after a reconnect', () =>
    withSession(server().ports, { sessionTimeoutMs: 20_000, auth: [alice] }, async session => {
      const { client, proxy } = session;
      const heard: string[] = [];
      await client.create('/logged-in', { mode: 'ephemeral' });
      await client.getData('/logged-in', { watch: ({ type }) => heard.push(type) });
      proxy.cut();
      await eventually(() => expect(session.states).toEqual(['uncertain', 'connected']));
      await client.setData('/logged-in', Buffer.from('x'), 0);
      await eventually(() => expect(heard).toEqual(['dataChanged']));
    }));
});

describe('F36 a server that serves no session without one of the log-ins that it names', () => {
  const server = useServer(() =>
    Promise.resolve({ 'zookeeper.enforce.auth.enabled': 'true', 'zookeeper.enforce.auth.schemes': 'digest' }),
  );

  it('says so to a session without one, and serves a session that has it', async () => {
    expect((await tryConnect(server(), undefined)).error).toMatchObject({ why: { refusal: 'required' } });
    expect((await tryConnect(server(), [digest])).error).toBeUndefined();
  });
});

it('F36 a log-in that a server requires only later ends the session with that reason', async () => {
  let requiresLogIn = false;
  const required = -124;
  const fake = await startFakeServer(
    sessionServer({ sessionId: 5n, timeoutMs: 20_000 }, ({ xid }, connection) => {
      if (requiresLogIn) setImmediate(() => connection.end());
      return reply({ xid, error: requiresLogIn ? required : 0 }, Buffer.alloc(68));
    }),
  );
  const client = await connect(fake.connectString);
  try {
    await client.exists('/');
    requiresLogIn = true;
    await expect(client.exists('/')).rejects.toMatchObject({ codeName: 'SESSION_CLOSED_REQUIRE_SASL_AUTH' });
    expect(client.state).toBe('lost');
    await expect(client.exists('/')).rejects.toMatchObject({ why: { kind: 'login', refusal: 'required' } });
    expect(fake.connections).toHaveLength(1);
  } finally {
    await client.close();
    await fake.close();
  }
});

describe('F35 a server whose jute.maxbuffer is below the frames that set watches again', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ maxFrameBytes: 20_000 });
  });
  afterAll(() => server.stop());
  const many = 400;

  it('gets smaller frames until it takes them: connected, every watch lives, and the log says why', async () => {
    const { logger, lines } = collectingLogger();
    await withSession([server.port], { sessionTimeoutMs: 30_000, logger }, async ({ client, proxy }) => {
      const paths = Array.from({ length: many }, (_, index) => `/${'w'.repeat(100)}-${index}`);
      const heard = new Set<string>();
      const trees = new Set<string>();
      // With these alone a session learns what its server lacks, on a new connection each time.
      await client.create('/first');
      await client.watchTree('/first', () => undefined);
      await client.readMany([{ op: 'getData', path: '/first' }]);
      await Promise.all(paths.map(path => client.create(path)));
      await Promise.all(paths.map(path => client.getData(path, { watch: () => heard.add(path) })));
      for (const path of paths.slice(0, many / 2)) {
        await client.watchTree(`${path}/tree`, () => trees.add(path));
      }
      const shrunk = () => lines.filter(line => line.includes('jute.maxbuffer')).length;
      proxy.cut();
      await eventually(async () => {
        expect(client.state).toBe('connected');
        // Answered behind the watches.
        await client.exists('/');
      }, 25_000);
      const tries = shrunk();
      expect(tries).toBeGreaterThan(0);
      // The size that worked is remembered: the next reconnect needs one connection.
      const before = proxy.counts.connections;
      proxy.cut();
      await eventually(() => expect(proxy.counts.connections).toBe(before + 1));
      await eventually(async () => {
        expect(client.state).toBe('connected');
        await client.exists('/');
      });
      expect(shrunk()).toBe(tries);
      // A bulk reading is split too.
      const reads = Array.from({ length: 5 }, () => paths.map(path => ({ op: 'getData', path }) as const)).flat();
      const answers = await client.readMany(reads);
      expect(answers.filter(({ op }) => op === 'getData')).toHaveLength(reads.length);
      expect(proxy.counts.connections).toBe(before + 1);
      trees.clear();
      await Promise.all(paths.map(path => client.setData(path, Buffer.from('x'), 0)));
      await Promise.all(paths.slice(0, many / 2).map(path => client.create(`${path}/tree`)));
      await eventually(() => expect([heard.size, trees.size]).toEqual([many, many / 2]));
    });
  });
});

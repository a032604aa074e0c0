import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../src/zookeeper/connect.ts';
import { ConnectError, NotConnectedError } from '../../../src/zookeeper/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { JsonLines } from '../../support/jsonLines.ts';
import { connectInformed } from '../../support/informedSession.ts';
import { lateness } from '../../support/lateness.ts';
import { withSession } from '../../support/sessionUnderTest.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';

describe('a lone server that comes back with its data', () => {
  let ensemble: ZooKeeperEnsemble;
  beforeAll(async () => {
    ensemble = await startZooKeeper();
  });
  afterAll(() => ensemble.stop());
  const server = () => ensemble.servers[0]!;

  it('F1 restarts within T: the same session with its node, watches live, nothing was sent in between', () =>
    withSession(ensemble.ports, { sessionTimeoutMs: 40_000 }, async session => {
      const { client } = session;
      await client.create('/f1', { mode: 'ephemeral' });
      const { sessionId } = client;
      const heard: string[] = [];
      await client.watchTree('/f1', event => heard.push(event.type));
      // A server that is starting may take a connection and never answer it: the client would wait for it, T/3.
      await session.proxy.setAccepting(false);
      await server().kill();
      await eventually(() => expect(client.state).toBe('uncertain'));
      await expect(client.remove('/f1', 0)).rejects.toBeInstanceOf(NotConnectedError);
      await server().restart();
      await session.proxy.setAccepting(true);
      await eventually(() => expect(client.state).toBe('connected'), 25_000);
      expect((await client.exists('/f1'))?.ephemeralOwner).toBe(sessionId);
      await client.setData('/f1', Buffer.from('x'), 0);
      await eventually(() => expect(heard).toEqual(['reread', 'dataChanged']));
      expect(session.states).not.toContain('lost');
    }));

  it('F2 restarts later than T: lost at T, a new session works, the old node goes', () =>
    withSession(ensemble.ports, { sessionTimeoutMs: 2_000 }, async session => {
      await session.client.create('/f2', { mode: 'ephemeral' });
      const late = lateness();
      const start = performance.now();
      await server().kill();
      await eventually(() => expect(session.client.state).toBe('lost'));
      expect(performance.now() - start).toBeLessThan(2_000 + 500 + late());
      await server().restart();
      const next = await connect(ensemble.connectString);
      await eventually(async () => expect(await next.exists('/f2')).toBeUndefined());
      expect(next.sessionId).not.toBe(session.client.sessionId);
      await next.close();
      expect(session.states).toEqual(['uncertain', 'lost']);
    }));
});

describe('a lone server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  it('F15 freezes in bursts shorter than 2T/3: requests wait, no state is reported', () =>
    withSession([server.port], { sessionTimeoutMs: 10_000 }, async session => {
      for (let burst = 0; burst < 3; burst++) {
        server.pause();
        const waiting = session.client.exists('/');
        await new Promise(resolve => setTimeout(resolve, 1_000));
        server.resume();
        expect(await waiting).toBeDefined();
      }
      expect(session.states).toEqual([]);
    }));

  it('F16 freezes longer than T: uncertain at 2T/3, lost at T', () =>
    withSession([server.port], { sessionTimeoutMs: 3_000 }, async session => {
      const late = lateness();
      const start = performance.now();
      server.pause();
      try {
        await eventually(() => expect(session.client.state).toBe('lost'));
      } finally {
        server.resume();
      }
      expect(session.saidAt('uncertain')! - start).toBeLessThanOrEqual(2_000 + 500 + late());
      expect(session.saidAt('lost')! - start).toBeLessThanOrEqual(3_000 + 500 + late());
    }));

  it('F27 the process itself is frozen longer than T: the first look afterwards is never "connected"', async () => {
    const program = fileURLToPath(new URL('../../support/sessionProgram.ts', import.meta.url));
    const frozen = new JsonLines('session program', process.execPath, [program, server.connectString, '6000']);
    try {
      expect(await frozen.request('state')).toBe('connected');
      frozen.pause();
      await new Promise(resolve => setTimeout(resolve, 8_000));
      // Waits in the pipe: it is answered by the first code that runs after the thaw.
      const first = frozen.request('state');
      const write = frozen.request('create', { path: '/f27' }).catch(String);
      frozen.resume();
      expect(await first).not.toBe('connected');
      expect(await write).toMatch(/NotConnectedError|SessionLostError|OutcomeUnknownError/);
      await eventually(async () => expect(await frozen.request('state')).toBe('lost'));
      // It was this program that stopped, not the server.
      expect(((await frozen.request('causes')) as unknown[])[0]).toMatchObject({ kind: 'stopped' });
    } finally {
      frozen.resume();
      await frozen.close();
    }
  });

  it('F22 is wiped: reported as such instead of retried for ever (D27); a new session works', async () => {
    const wiped = await startTestServer();
    try {
      await withSession([wiped.port], { sessionTimeoutMs: 40_000 }, async session => {
        for (let index = 0; index < 20; index++) await session.client.create(`/n${index}`);
        // As in F1.
        await session.proxy.setAccepting(false);
        await wiped.wipe();
        await session.proxy.setAccepting(true);
        await eventually(() => expect(session.client.state).toBe('lost'), 18_000);
        expect(session.changes.at(-1)!.reason).toMatch(/wiped or restored/);
        const next = await connect(wiped.connectString);
        expect(await next.exists('/n1')).toBeUndefined();
        await next.close();
      });
    } finally {
      await wiped.stop();
    }
  });
});

describe('an ensemble', () => {
  let ensemble: ZooKeeperEnsemble;
  beforeAll(async () => {
    ensemble = await startZooKeeper({ nodes: 3, systemProperties: { 'readonlymode.enabled': 'true' } });
  });
  afterEach(async () => {
    ensemble.resume();
    await ensemble.launch();
  });
  afterAll(() => ensemble.stop());

  it('F3 loses its leader: the session and its node survive the election', async () => {
    const client = await connect(ensemble.connectString, { sessionTimeoutMs: 20_000 });
    const states: string[] = [];
    client.onState(change => states.push(change.state));
    await client.create('/f3', { mode: 'ephemeral' });
    await ensemble.servers[await ensemble.complete()]!.kill();
    await eventually(async () => {
      expect(client.state).toBe('connected');
      await client.create('/f3-', { mode: 'ephemeral_sequential' });
    }, 25_000);
    expect((await client.exists('/f3'))?.ephemeralOwner).toBe(client.sessionId);
    expect(states).not.toContain('lost');
    await client.close();
  });

  it("F4 the session's server freezes: uncertain at 2T/3, the session and its node survive on another", async () => {
    const leader = await ensemble.complete();
    // A frozen leader would be an election as well: F3.
    const followers = ensemble.ports.filter((_, index) => index !== leader).map(port => `127.0.0.1:${port}`);
    const client = await connectInformed(followers.join(','), { sessionTimeoutMs: 9_000 });
    const told: { state: string; at: number }[] = [];
    client.onState(({ state }) => told.push({ state, at: performance.now() }));
    await client.create('/f4', { mode: 'ephemeral' });
    const frozen = client.server!;
    const late = lateness();
    const start = performance.now();
    ensemble.servers[ensemble.ports.findIndex(port => frozen === `127.0.0.1:${port}`)]!.pause();
    await eventually(() => expect(told.map(({ state }) => state)).toEqual(['uncertain', 'connected']), 20_000);
    expect(told[0]!.at - start).toBeLessThanOrEqual(6_000 + 500 + late());
    expect(client.server).not.toBe(frozen);
    expect((await client.exists('/f4'))?.ephemeralOwner).toBe(client.sessionId);
    ensemble.resume();
    await client.close();
  });

  it(
    'F5 F6 loses its quorum: told as such, lost at T, read-only servers named, back when the quorum is',
    { timeout: 90_000 },
    async () => {
      const survivor = ensemble.ports[0]!;
      await withSession([survivor], { sessionTimeoutMs: 40_000 }, async session => {
        await session.client.create('/f5', { mode: 'ephemeral' });
        await Promise.all([ensemble.servers[1]!.kill(), ensemble.servers[2]!.kill()]);
        await eventually(() => expect(session.client.state).toBe('uncertain'));
        await expect(session.client.create('/x')).rejects.toBeInstanceOf(NotConnectedError);
        await eventually(() => {
          expect(session.changes.map(change => change.reason).join()).toMatch(/lost its quorum and is read-only/);
        }, 35_000);
        const refused: unknown = await connect(`127.0.0.1:${survivor}`).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(ConnectError);
        expect((refused as ConnectError).causes).toMatchObject([{ failure: 'read-only' }]);
        expect(session.states).not.toContain('lost');
        await ensemble.launch();
        await eventually(() => expect(session.client.state).toBe('connected'), 35_000);
        expect((await session.client.exists('/f5'))?.ephemeralOwner).toBe(session.client.sessionId);
      });
    },
  );
});

import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import type { ConnectOptions } from '../../../src/zookeeper/connect.ts';
import { NotConnectedError, OutcomeUnknownError, ReplyLostError } from '../../../src/zookeeper/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { freshChroot } from '../../support/freshChroot.ts';
import { lateness } from '../../support/lateness.ts';
import { startObserver, type Observer } from '../../support/observer.ts';
import { endSessionElsewhere, sessionKey } from '../../support/secondClient.ts';
import { withSession, type SessionUnderTest } from '../../support/sessionUnderTest.ts';
import { turnsOf } from '../../support/turns.ts';

/**
 * Session timeout of a short scene, ms: a machine that pauses for 2 s must not reach 2T/3. A scene that lasts has a longer one,
 * since the last answer may be T/3 old when the pause begins.
 */
const T = 6_000;
const port = Number(inject('zooKeeper').split(':')[1]);
let observer: Observer;

beforeAll(async () => {
  observer = await startObserver(inject('zooKeeper'));
});
afterAll(() => observer.stop());

interface Seen {
  /** Sees what the session sees. */
  observer: Observer;
  /** Whether our ephemeral node is still there, as the observer sees it. */
  lives: () => Promise<boolean>;
}

/** A session that owns `/mine`; scenes run side by side. */
function scene(
  options: ConnectOptions & { servers?: number },
  run: (scene: SessionUnderTest, seen: Seen) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const { servers = 1, ...rest } = options;
    const chroot = await freshChroot(observer);
    const within = observer.within(chroot);
    const lives = async () => (await within.get('/mine')) !== undefined;
    const ports = Array.from({ length: servers }, () => port);
    await withSession(ports, { sessionTimeoutMs: T, chroot, ...rest }, async session => {
      await session.client.create('/mine', { mode: 'ephemeral' });
      await run(session, { observer: within, lives });
    });
    await observer.delete(chroot, { recursive: true });
  };
}

function passed(ms: number): Promise<unknown> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

it.concurrent(
  'F7 half-open link: uncertain by 2T/3 + 0.5 s, lost by T after the last acknowledged request, and before the server',
  scene({ sessionTimeoutMs: 4_500 }, async (session, { lives }) => {
    // Asked as soon as it is reported: a process that pauses then would find the session lost.
    const answers: Promise<unknown>[] = [];
    session.client.onState(({ state }) => {
      if (state === 'uncertain') answers.push(session.client.exists('/').catch((error: unknown) => error));
    });
    const late = lateness();
    const start = performance.now();
    session.proxy.blackHole('both');
    await eventually(() => expect(session.client.state).toBe('lost'));
    expect(await answers[0]).toBeInstanceOf(NotConnectedError);
    expect(session.saidAt('uncertain')! - start).toBeLessThanOrEqual(3_000 + 500 + late());
    expect(session.saidAt('lost')! - start).toBeLessThanOrEqual(4_500 + 500 + late());
    expect(turnsOf(session.states)).toEqual(['uncertain', 'lost']);
    await eventually(async () => expect(await lives()).toBe(false));
  }),
);

it.concurrent(
  'F7 half-open link: the session and its node survive on another server',
  scene({ servers: 2, sessionTimeoutMs: 9_000 }, async (session, { lives }) => {
    const { sessionId } = session.client;
    const late = lateness();
    const start = performance.now();
    const dead = session.attached;
    dead.blackHole('both');
    await eventually(() => expect(turnsOf(session.states)).toEqual(['uncertain', 'connected']), 20_000);
    expect(session.saidAt('uncertain')! - start).toBeLessThanOrEqual(6_000 + 500 + late());
    expect(session.attached).not.toBe(dead);
    expect(session.client.sessionId).toBe(sessionId);
    expect((await session.client.exists('/mine'))?.ephemeralOwner).toBe(sessionId);
    await passed(9_000);
    expect(await lives()).toBe(true);
    expect(session.client.state).toBe('connected');
  }),
);

it.concurrent(
  'F8 one-way loss: a write that arrived and was never answered has an unknown outcome; reads are merely lost',
  scene({}, async (session, { observer: seen }) => {
    session.proxy.blackHole('down');
    const written = session.client.create('/written');
    const read = session.client.exists('/');
    await expect(written).rejects.toBeInstanceOf(OutcomeUnknownError);
    await expect(read).rejects.toBeInstanceOf(ReplyLostError);
    expect(session.client.state).not.toBe('connected');
    expect(await seen.get('/written')).toBeDefined();
  }),
);

it.concurrent(
  'F8 one-way loss: a write that never arrived is not sent later either (D2)',
  scene({ sessionTimeoutMs: 9_000 }, async (session, { observer: seen }) => {
    session.proxy.blackHole('up');
    await expect(session.client.remove('/mine', 0)).rejects.toBeInstanceOf(OutcomeUnknownError);
    // What the network still holds is thrown away with the connection.
    session.proxy.cut();
    await expect(session.client.remove('/mine', 0)).rejects.toBeInstanceOf(NotConnectedError);
    session.proxy.blackHole('none');
    await eventually(() => expect(session.client.state).toBe('connected'));
    await session.client.sync('/');
    expect(await seen.get('/mine')).toBeDefined();
  }),
);

it.concurrent(
  'F9 delay: nothing fails, nothing is reordered, no state is reported',
  scene({ sessionTimeoutMs: 10_000 }, async session => {
    session.proxy.delay('up', 60);
    session.proxy.delay('down', 60);
    const names = ['a', 'b', 'c', 'd'];
    const made = await Promise.all(names.map(name => session.client.create(`/${name}`)));
    const order = made.map(({ stat }) => stat.czxid);
    expect(order).toEqual([...order].sort((x, y) => Number(x - y)));
    expect(session.states).toEqual([]);
  }),
);

it.concurrent(
  'F10 slow large reply: the connection and the session survive, the state is uncertain meanwhile, requests go on',
  scene({ sessionTimeoutMs: 6_000 }, async (session, { lives }) => {
    const { client, proxy } = session;
    await client.create('/large', { data: Buffer.alloc(600_000) });
    const connections = proxy.counts.connections;
    proxy.trickle('down', { bytes: 2_000, everyMs: 40 });
    const reading = client.getData('/large').catch((error: unknown) => error);
    await eventually(() => expect(client.state).toBe('uncertain'));
    expect(client.server).toBeDefined();
    const asked = client.exists('/mine').catch((error: unknown) => error);
    expect(await reading).toBeInstanceOf(ReplyLostError);
    await eventually(() => expect(client.state).toBe('connected'), 30_000);
    proxy.trickle('down', undefined);
    await asked;
    expect((await client.exists('/mine'))?.ephemeralOwner).toBe(client.sessionId);
    expect(await lives()).toBe(true);
    expect(proxy.counts.connections).toBe(connections);
    // The pongs that waited behind the reply are old news: trust comes back with those of the last T.
    expect(session.states).not.toContain('lost');
    expect(session.states.at(-1)).toBe('connected');
  }),
);

it.concurrent(
  'D5 a client that only receives events keeps its session by its own pings',
  scene({ sessionTimeoutMs: 9_000 }, async (session, { observer: seen }) => {
    const heard: string[] = [];
    await session.client.watchTree('/noise', event => heard.push(event.path));
    const end = performance.now() + 2 * 9_000;
    await seen.create('/noise');
    while (performance.now() < end) {
      await seen.set('/noise', 'x');
      await passed(100);
    }
    await eventually(() => expect(heard.length).toBeGreaterThan(5));
    expect(session.states).toEqual([]);
    expect(await seen.get('/mine')).toBeDefined();
  }),
);

it.concurrent(
  'F11 flapping link: no false lost, one connection for each cut, one session, one node',
  scene({}, async (session, { observer: seen }) => {
    const { client, proxy } = session;
    const { sessionId } = client;
    for (let cut = 0; cut < 5; cut++) {
      await passed(300);
      proxy.cut();
    }
    await eventually(() => expect(client.state).toBe('connected'));
    expect(session.states).not.toContain('lost');
    expect(client.sessionId).toBe(sessionId);
    // The first connection of the session counts too.
    expect(proxy.counts.connections).toBeLessThanOrEqual(1 + 5);
    expect((await seen.ls('/')).map(node => [node.name, node.ephemeralOwner])).toEqual([['mine', sessionId]]);
  }),
);

it.concurrent(
  'F12 session expired elsewhere: lost as soon as a server says so',
  scene({ sessionTimeoutMs: 20_000 }, async (session, { lives }) => {
    const { proxy, client } = session;
    const key = await sessionKey(session);
    await proxy.setAccepting(false);
    proxy.cut();
    await endSessionElsewhere(port, key);
    expect(await lives()).toBe(false);
    await proxy.setAccepting(true);
    await eventually(() => expect(client.state).toBe('lost'));
    expect(session.changes.at(-1)!.reason).toContain('expired');
  }),
);

it.concurrent(
  'F13 connection lost exactly on the create reply: outcome unknown, one node, none is made later',
  scene({}, async (session, { observer: seen }) => {
    session.proxy.cutInsteadOfReply(1);
    const error: unknown = await session.client
      .create('/queue-', { mode: 'ephemeral_sequential' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ operation: 'create', path: '/queue-' });
    session.proxy.forwardAll();
    await eventually(() => expect(session.client.state).toBe('connected'));
    await session.client.sync('/');
    const nodes = await seen.ls('/');
    expect(nodes.map(node => [node.name, node.ephemeralOwner])).toEqual([
      ['mine', session.client.sessionId],
      ['queue-0000000001', session.client.sessionId],
    ]);
  }),
);

it.concurrent(
  'F14 connection lost exactly on the delete reply: outcome unknown, never repeated',
  scene({}, async (session, { observer: seen, lives }) => {
    const deletes: number[] = [];
    session.proxy.onRequest(({ opcode }) => {
      if (opcode === 2) deletes.push(opcode);
      return 'forward';
    });
    session.proxy.cutInsteadOfReply(1);
    await expect(session.client.remove('/mine', 0)).rejects.toBeInstanceOf(OutcomeUnknownError);
    session.proxy.onReply(() => 'forward');
    await eventually(() => expect(session.client.state).toBe('connected'));
    expect(await lives()).toBe(false);
    await seen.create('/mine');
    await session.client.sync('/');
    expect(await lives()).toBe(true);
    expect(deletes).toHaveLength(1);
  }),
);

// Alone: so many watches keep this process busy.
it(
  'F25 6,000 long watches: one reconnect re-sends them in packets that the server takes (D9)',
  scene({ sessionTimeoutMs: 30_000 }, async (session, { observer: seen }) => {
    const { client, proxy } = session;
    const heard: string[] = [];
    const paths = Array.from({ length: 6_000 }, (_, index) => `/${'w'.repeat(200)}${index}`);
    await Promise.all(paths.map(path => client.exists(path, { watch: event => heard.push(event.path) })));
    const connections = proxy.counts.connections;
    proxy.cut();
    await eventually(() => expect(session.states).toEqual(['uncertain', 'connected']), 25_000);
    await client.sync('/');
    expect(proxy.counts.connections).toBe(connections + 1);
    await seen.create(paths[0]!);
    await seen.create(paths[5_999]!);
    await eventually(() => expect(heard).toEqual([paths[0], paths[5_999]]));
  }),
);

it.concurrent(
  'F33 a reconnect passes over a dead server and a black hole within the last third of the timeout',
  async () => {
    await withSession([port, port, port], { sessionTimeoutMs: 9_000 }, async session => {
      const attached = session.attached;
      const [dead, mute] = session.proxies.filter(proxy => proxy !== attached);
      await dead!.setAccepting(false);
      mute!.blackHole('both');
      attached.cut();
      await eventually(() => expect(session.states).toEqual(['uncertain', 'connected']), 9_000);
    });
  },
);

it(
  'F28 a jump of the wall clock changes nothing but the time that is shown',
  scene({ sessionTimeoutMs: 9_000 }, async session => {
    const real = Date.now.bind(Date);
    const jumped = vi.spyOn(Date, 'now').mockImplementation(() => real() + 3_600_000);
    try {
      await passed(3_500);
      await session.client.sync('/');
      expect(session.client.state).toBe('connected');
      expect(session.client.lastContactAt).toBeGreaterThan(real() + 3_500_000);
      jumped.mockImplementation(() => real() - 3_600_000);
      await passed(1_500);
      expect(session.client.state).toBe('connected');
    } finally {
      jumped.mockRestore();
    }
    expect(session.states).toEqual([]);
  }),
);

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { WireClient, writeCreate } from '../../support/wireClient.ts';

/** For tests that wait for the clock: `eventually` alone waits 10 s. */
const patient = { timeout: 30_000 };
let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ tickTimeMs: 20, maxSessionTimeoutMs: 60_000 });
});
afterEach(() => sandbox.close());

function open(session: Parameters<typeof WireClient.withSession>[1] = {}): ReturnType<typeof WireClient.withSession> {
  return WireClient.withSession(sandbox.port, { timeoutMs: 60_000, ...session });
}

async function exists(client: WireClient, path: string, isWatched = false): Promise<number> {
  return (await client.request(Op.exists, writer => writer.string(path).bool(isWatched))).error;
}

const addressOf = (sessionId: bigint): string | undefined =>
  sandbox.sessions().find(session => session.sessionId === sessionId)?.address;

it.each([
  [-1, 40],
  [0, 40],
  [39, 40],
  [1_000, 1_000],
  [0x7fff_ffff, 60_000],
])('a time-out of %i ms becomes %i', async (timeoutMs, negotiated) => {
  expect((await open({ timeoutMs })).session.timeoutMs).toBe(negotiated);
});

describe('a session', () => {
  it('moves to another connection, and the first one ends with its watches', async () => {
    const first = await open();
    await first.create('/e', Buffer.alloc(0), 1);
    await exists(first, '/watched', true);
    const second = await open(first.session);
    expect(second.session).toMatchObject({ sessionId: first.session.sessionId, password: first.session.password });
    await first.ended();
    expect(sandbox.sessions()).toHaveLength(1);
    expect(addressOf(first.session.sessionId)).toBe(`127.0.0.1:${second.socket.localPort}`);
    await second.create('/watched');
    expect(await exists(second, '/e')).toBe(0);
    expect([first.events, second.events]).toEqual([[], []]);
  });

  it('is reopened after its connection was lost, with a time-out negotiated once more', patient, async () => {
    const first = await open();
    await first.create('/e', Buffer.alloc(0), 1);
    sandbox.disconnect(first.session.sessionId);
    await first.ended();
    await eventually(() => expect(addressOf(first.session.sessionId)).toBeUndefined());
    const second = await open({ ...first.session, timeoutMs: 5_000 });
    expect(second.session).toEqual({ ...first.session, timeoutMs: 5_000 });
    expect(await exists(second, '/e')).toBe(0);
  });

  it('is not given for a wrong password, but its connection ends, as on a real server', async () => {
    const first = await open();
    await first.create('/e', Buffer.alloc(0), 1);
    for (const password of [Buffer.alloc(16), Buffer.alloc(0), first.session.password.subarray(0, 15)]) {
      const thief = await open({ ...first.session, password });
      expect(thief.session).toMatchObject({ sessionId: 0n, timeoutMs: 0 });
      await thief.ended();
    }
    await first.ended();
    expect(await exists(await open(first.session), '/e')).toBe(0);
  });

  it('is over when it is closed', async () => {
    const [first, other] = [await open(), await open()];
    await first.create('/e', Buffer.alloc(0), 1);
    expect(await exists(other, '/e', true)).toBe(0);
    expect((await first.request(Op.closeSession)).error).toBe(0);
    await first.ended();
    // One request later: an event comes before the reply that shows the change.
    expect(await exists(other, '/e')).toBe(-101);
    expect(other.events).toEqual([{ type: 'deleted', path: '/e' }]);
    expect((await open(first.session)).session.sessionId).toBe(0n);
  });

  it('expires when its client is silent, with its nodes; pings alone keep an older one alive', patient, async () => {
    const alive = await open({ timeoutMs: 1_000 });
    const silent = await open({ timeoutMs: 1_000 });
    await silent.create('/e', Buffer.alloc(0), 1);
    await eventually(async () => {
      expect((await alive.request(Op.ping)).xid).toBe(-2);
      expect(silent.isEnded).toBe(true);
    });
    expect(sandbox.sessions().map(({ sessionId }) => sessionId)).toEqual([alive.session.sessionId]);
    expect(await exists(alive, '/e')).toBe(-101);
  });

  it('expires at once where that is asked for, whether it is connected or not', patient, async () => {
    const [connected, away] = [await open(), await open()];
    await connected.create('/a', Buffer.alloc(0), 1);
    await away.create('/b', Buffer.alloc(0), 1);
    away.close();
    await eventually(() => expect(addressOf(away.session.sessionId)).toBeUndefined());
    for (const { session } of [connected, away]) sandbox.expire(session.sessionId);
    await connected.ended();
    expect(sandbox.sessions()).toEqual([]);
    const other = await open();
    expect([await exists(other, '/a'), await exists(other, '/b')]).toEqual([-101, -101]);
    // Nothing happens for sessions that are gone.
    sandbox.expire(connected.session.sessionId);
    sandbox.disconnect(connected.session.sessionId);
  });
});

describe('a pause', () => {
  it('answers nothing, and everything afterwards, in order', async () => {
    const client = await open();
    sandbox.pause();
    sandbox.pause();
    client.send(Op.create, writer => writeCreate(writer, '/p', Buffer.alloc(0), 0));
    client.send(Op.delete, writer => writer.string('/p').int(0));
    const late = await WireClient.open(sandbox.port);
    const handshake = late.handshake();
    const first = client.reply();
    let isAnswered = false;
    void Promise.race([first, handshake]).then(() => (isAnswered = true));
    // Long enough for what would be answered: the client inside the process is as fast as it gets.
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(isAnswered).toBe(false);
    sandbox.resume();
    expect((await handshake).sessionId).not.toBe(0n);
    const replies = [await first, await client.reply()];
    expect(replies.map(({ xid, error }) => ({ xid, error }))).toEqual([
      { xid: 1, error: 0 },
      { xid: 2, error: 0 },
    ]);
    expect(await exists(client, '/p')).toBe(-101);
  });

  it('lets sessions expire whose time ran out meanwhile', patient, async () => {
    const client = await open({ timeoutMs: 1_000 });
    sandbox.pause();
    const end = performance.now() + 1_100;
    await eventually(() => expect(performance.now()).toBeGreaterThan(end));
    expect(sandbox.sessions()).toHaveLength(1);
    sandbox.resume();
    await client.ended();
    expect(sandbox.sessions()).toEqual([]);
  });
});

describe('inside the process', () => {
  it('a client works without a socket, beside others', patient, async () => {
    const { openSocket } = sandbox;
    const client = await connect('nowhere:1', { openSocket, sessionTimeoutMs: 10_000 });
    const other = await open();
    await client.create('/inside', { data: Buffer.from('x'), mode: 'ephemeral' });
    expect(await exists(other, '/inside')).toBe(0);
    const large = Array.from({ length: 3_000 }, (_, index) => client.create(`/inside-${index}`));
    await Promise.all(large);
    expect(await client.getChildren('/')).toMatchObject({ children: expect.any(Array) as string[] });
    const states: string[] = [];
    client.onState(({ state }) => states.push(state));
    sandbox.disconnect(client.sessionId);
    await eventually(() => expect(states).toEqual(['uncertain', 'connected']));
    sandbox.expire(client.sessionId);
    await eventually(() => expect(client.state).toBe('lost'));
    expect(await exists(other, '/inside')).toBe(-101);
    await client.close();
  });

  it('there is no connection to a sandbox that is closed', async () => {
    const { openSocket } = sandbox;
    await sandbox.close();
    const attempt = connect('nowhere:1', { openSocket, connectTimeoutMs: 300 });
    await expect(attempt).rejects.toThrow();
    expect(sandbox.sessions()).toEqual([]);
  });
});

it('there is one timer for all sessions, locks and containers, and none without them', patient, async () => {
  const program = fileURLToPath(new URL('timersProgram.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const none = { timers: 0, listeners: 0 };
  expect(JSON.parse(stdout)).toEqual({
    before: none,
    started: { timers: 0, listeners: 1 },
    used: { timers: 1, listeners: 1 },
    closed: none,
  });
});

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import { SessionLost } from '../../../src/recipes/errors.ts';
import { engine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { JsonLines } from '../../support/jsonLines.ts';
import type { LeaseLook } from '../../support/leaseLook.ts';
import { attachElsewhere, sessionKey } from '../../support/secondClient.ts';
import { withSession } from '../../support/sessionUnderTest.ts';
import type { TcpProxy } from '../../support/tcpProxy.ts';
import { startTestServer } from '../../support/testServer.ts';
import { startZooKeeper } from '../../support/zookeeperServer.ts';
import { allCases, begin, fill, lockOf, lockPath, rivalOf } from './cases.ts';
import { ephemerals, useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

describe('L19 a program that holds a lock is frozen for longer than its session lives', () => {
  it('its lease is never held again: not at the first look after the thaw, and not after', async () => {
    const program = fileURLToPath(new URL('../../support/leaseProgram.ts', import.meta.url));
    const frozen = new JsonLines('lease program', process.execPath, [program, realm.connectString, '5000', lockPath]);
    const looks = async (): Promise<LeaseLook[]> => (await frozen.request('looks')) as LeaseLook[];
    try {
      // It answers once it holds.
      await looks();
      const next = begin(createLock(await realm.open(), lockPath, { recipe: 'mutex', dialect: 'curator' }));
      await next.waits;
      await eventually(async () => expect((await looks()).at(-1)?.state).toBe('held'));
      frozen.pause();
      const lease = await next.taking;
      const takenAt = now();
      frozen.resume();
      await eventually(async () => {
        expect((await looks()).at(-1)).toMatchObject({ state: 'lost', isAborted: true });
      });
      const all = await looks();
      const after = all.filter(({ at }) => at > takenAt);
      expect(after.length).toBeGreaterThan(0);
      expect(after.filter(({ state }) => state === 'held')).toEqual([]);
      // It was frozen indeed: the last look before lies a session timeout back at least.
      const lastHeld = all.findLast(({ state }) => state === 'held')!;
      expect(after[0]!.at - lastHeld.at).toBeGreaterThan(2_500);
      expect(lease.state).toBe('held');
      await lease.release();
    } finally {
      frozen.resume();
      await frozen.close();
    }
  });
});

/** One of each way to hold and to wait; what a session means to them does not depend on the dialect. */
const kinds = allCases.filter(
  ({ title, recipe }) => recipe === 'semaphore' || recipe === 'exclusive' || title.endsWith('(curator)'),
);

/** Hides from the server which session comes back: it opens a new one, as ClickHouse Keeper does, and the old one lives on. */
function forgetSession(proxy: TcpProxy): void {
  proxy.onRequest(({ xid, frame }) => {
    if (xid !== undefined) return 'forward';
    // Length, protocol version, last zxid, timeout; then the session's id, the length of its password, the password.
    const stripped = Buffer.from(frame);
    stripped.fill(0, 20, 28);
    stripped.fill(0, 32, 48);
    return stripped;
  });
}

describe.each(kinds)('L23 the server hands out a new session without a word: $title', one => {
  it('the lease is lost, the waiter fails, and neither goes on in the new session', async () => {
    const { client: holding, proxy: first } = await realm.openBehindProxy({ sessionTimeoutMs: 6_000 });
    const lease = await lockOf(holding, one).acquire();
    const others = await fill(async () => rivalOf(await realm.open(), one), one.limit - 1);
    const { client: waiting, proxy: second } = await realm.openBehindProxy({ sessionTimeoutMs: 6_000 });
    const attempt = begin(rivalOf(waiting, one));
    await attempt.waits;
    const before = new Set((await ephemerals(realm.observer)).map(({ path }) => path));
    for (const proxy of [first, second]) {
      forgetSession(proxy);
      proxy.cut();
    }
    await expect(attempt.taking).rejects.toThrow(SessionLost);
    await eventually(() => expect(lease.state).toBe('lost'));
    expect(lease.stateCause).toMatchObject({ kind: 'session', cause: { kind: 'replaced' } });
    expect(lease.signal.aborted).toBe(true);
    // The old sessions end in their own time, and their nodes with them; nothing new has come.
    const left = await ephemerals(realm.observer);
    expect(left.filter(({ path }) => !before.has(path))).toEqual([]);
    await lease.release();
    for (const other of others) await other.release();
  });
});

/** Two members of an ensemble; of the sandbox, which is one server, elsewhere is another connection to it. */
async function twoPlaces(): Promise<{ home: number; elsewhere: number; stop: () => Promise<void> }> {
  if (engine() === 'sandbox') {
    const server = await startTestServer({ tickTimeMs: 200 });
    return { home: server.port, elsewhere: server.port, stop: () => server.stop() };
  }
  const ensemble = await startZooKeeper({ nodes: 3, tickTime: 200 });
  const [home, elsewhere] = ensemble.ports;
  return { home: home!, elsewhere: elsewhere!, stop: () => ensemble.stop() };
}

describe('L25 a session that is attached in two places', () => {
  it('is taken back: the lease stays ours, and what was asked meanwhile is done once', async () => {
    const { home, elsewhere, stop } = await twoPlaces();
    try {
      await withSession([home], { sessionTimeoutMs: 8_000 }, async session => {
        const { client } = session;
        const make = () => createLock(client, '/moved', { recipe: 'mutex', dialect: 'curator' });
        await (await make().acquire()).release();
        const key = await sessionKey(session);
        const id = client.sessionId;

        const first = await attachElsewhere(elsewhere, key);
        const lease = await make().acquire({ timeoutMs: 10_000 });
        const names = (await client.getChildren('/moved')).children;
        expect(names.map(name => `/moved/${name}`)).toEqual([lease.path]);
        expect(session.states).toContain('uncertain');

        const outages = session.states.filter(state => state === 'uncertain').length;
        const second = await attachElsewhere(elsewhere, key);
        await lease.release();
        expect(session.states.filter(state => state === 'uncertain').length).toBeGreaterThan(outages);
        await client.sync('/moved');
        expect((await client.getChildren('/moved')).children).toEqual([]);
        expect([client.sessionId, session.states.includes('lost')]).toEqual([id, false]);
        for (const socket of [first, second]) socket.destroy();
      });
    } finally {
      await stop();
    }
  });
});

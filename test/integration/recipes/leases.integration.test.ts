import { describe, expect, it } from 'vitest';
import { SessionLost } from '../../../src/recipes/errors.ts';
import type { Lease, LeaseState } from '../../../src/recipes/lock.ts';
import { eventually } from '../../support/eventually.ts';
import { endSessionElsewhere, sessionKey } from '../../support/secondClient.ts';
import { withSession } from '../../support/sessionUnderTest.ts';
import type { SpiedClient } from '../../support/spiedClient.ts';
import { allCases, begin, fill, lockOf, lockPath, rivalOf } from './cases.ts';
import { unplug, type Fault } from './faults.ts';
import { useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();
const serverPort = (): number => Number(realm.serverConnectString.split(':')[1]);

/** A session that lives as long as a test needs, and ends when `end` is called: during an outage, and its client hears of it after. */
async function openMortal(): Promise<{ client: SpiedClient; end: () => Promise<void> }> {
  const { client, proxy } = await realm.openBehindProxy({ sessionTimeoutMs: 20_000 });
  const key = await sessionKey({ proxy, client });
  const end = async (): Promise<void> => {
    await unplug(proxy);
    await eventually(() => expect(client.state).toBe('uncertain'));
    await endSessionElsewhere(serverPort(), key);
    await proxy.setAccepting(true);
  };
  return { client, end };
}

describe.each(allCases)('$title', one => {
  it('says what it holds, and says it once when it is released', async () => {
    const lease = await lockOf(await realm.open(), one).acquire();
    const states: LeaseState[] = [];
    lease.onState(state => states.push(state));
    const node = await realm.observer.get(lease.path);
    expect(node?.czxid).toBe(lease.fencingToken);
    expect(lease.paths).toEqual([lease.path]);
    expect([lease.state, lease.stateCause, lease.signal.aborted]).toEqual(['held', undefined, false]);
    const first = lease.release();
    await Promise.all([first, lease.release()]);
    await lease.release();
    expect(await realm.observer.get(lease.path)).toBeUndefined();
    expect(states).toEqual(['released']);
    expect(lease.signal.aborted).toBe(false);
  });

  it('gives every grant a larger token', async () => {
    const tokens: bigint[] = [];
    for (let grant = 0; grant < 3; grant++) {
      const lease = await lockOf(await realm.open(), one).acquire();
      tokens.push(lease.fencingToken);
      await lease.release();
    }
    expect(tokens.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(tokens);
    expect(new Set(tokens).size).toBe(3);
  });

  it('L20 is lost with its session, says so, and a client that waits gets the lock', async () => {
    const { client, end } = await openMortal();
    const single = { ...one, limit: 1 };
    const lease = await lockOf(client, single).acquire();
    const states: LeaseState[] = [];
    lease.onState(state => states.push(state));
    const next = begin(rivalOf(await realm.open(), single));
    await next.waits;
    const lastHeld = next.taking.then(() => lease.state);
    await end();
    await eventually(() => expect(lease.state).toBe('lost'));
    expect(await lastHeld).not.toBe('held');
    await (await next.taking).release();
    expect(lease.signal.aborted).toBe(true);
    expect(lease.stateCause?.kind).toBe('session');
    expect(states.slice(-2)).toEqual(['uncertain', 'lost']);
    // Nothing is left to give back, and saying so is no error.
    await lease.release();
    expect(lease.state).toBe('lost');
  });

  it('fails when the session ends while it waits', async () => {
    const held = await fill(async () => rivalOf(await realm.open(), one), one.limit);
    const { client, end } = await openMortal();
    const attempt = begin(rivalOf(client, one));
    await attempt.waits;
    await end();
    await expect(attempt.taking).rejects.toThrow(SessionLost);
    for (const lease of held) await lease.release();
  });

  it('fails when the session is closed while it waits', async () => {
    const held = await fill(async () => rivalOf(await realm.open(), one), one.limit);
    const client = await realm.open();
    const attempt = begin(rivalOf(client, one));
    await attempt.waits;
    await Promise.all([client.close(), expect(attempt.taking).rejects.toThrow(SessionLost)]);
    for (const lease of held) await lease.release();
  });
});

describe.each(allCases.filter(({ recipe }) => recipe === 'semaphore'))('$title', one => {
  it('L20 is not acquired by a session that ends at any of its steps', async () => {
    await (await lockOf(await realm.open(), one).acquire()).release();
    let happened = true;
    for (let at = 1; happened; at++) {
      const { client, end } = await openMortal();
      const fault: Fault = { happened: false };
      client.beforeCall = async ({ number }) => {
        if (number !== at) return;
        fault.happened = true;
        await end();
      };
      const outcome = await lockOf(client, one)
        .acquire()
        .catch((error: unknown) => error);
      client.beforeCall = undefined;
      happened = fault.happened;
      if (happened) expect(outcome).toBeInstanceOf(SessionLost);
      else await (outcome as Lease).release();
    }
  });
});

describe('a mutex', () => {
  it.each(allCases.filter(({ recipe }) => recipe === 'mutex'))('is reentrant: $title', async one => {
    const lock = lockOf(await realm.open(), one);
    const [first, second] = await Promise.all([lock.acquire(), lock.acquire()]);
    const third = await lock.acquire({ timeoutMs: 0 });
    expect(new Set([first.path, second.path, third.path]).size).toBe(1);
    const rival = begin(lockOf(await realm.open(), one));
    await rival.waits;
    await first.release();
    await first.release();
    await third.release();
    expect([first.state, second.state]).toEqual(['released', 'held']);
    expect(rival.places).toHaveLength(1);
    await second.release();
    await (await rival.taking).release();
  });

  it('reports each of its leases when that one is released', async () => {
    const lock = lockOf(await realm.open(), allCases[0]!);
    const leases = [await lock.acquire(), await lock.acquire()] as const;
    const states: string[] = [];
    leases[0].onState(state => states.push(`first ${state}`));
    leases[1].onState(state => states.push(`second ${state}`));
    await leases[0].release();
    expect(states).toEqual(['first released']);
    await leases[1].release();
    expect(states).toEqual(['first released', 'second released']);
  });

  it('is not reentrant between lock objects', async () => {
    const client = await realm.open();
    const lease = await lockOf(client, allCases[0]!).acquire();
    await expect(lockOf(client, allCases[0]!).acquire({ timeoutMs: 0 })).rejects.toMatchObject({
      name: 'LockTimeout',
      timeoutMs: 0,
    });
    await lease.release();
  });

  it.each(allCases.filter(({ recipe }) => recipe !== 'mutex' && recipe !== 'read'))(
    'is the only one that is reentrant: $title is not',
    async one => {
      const lock = lockOf(await realm.open(), { ...one, limit: 1 });
      const lease = await lock.acquire();
      await expect(lock.acquire({ timeoutMs: 0 })).rejects.toMatchObject({ name: 'LockTimeout', timeoutMs: 0 });
      await lease.release();
    },
  );

  it('L20 starts again after the loss of its lease: what was lost is not shared', async () => {
    await withSession([serverPort()], { chroot: realm.chroot, sessionTimeoutMs: 20_000 }, async session => {
      const lock = lockOf(session.client, allCases[0]!);
      const lease = await lock.acquire();
      // Ended by the server while everything here is well: what a forced expiry looks like.
      await endSessionElsewhere(serverPort(), await sessionKey(session));
      const next = await lockOf(await realm.open(), allCases[0]!).acquire({ timeoutMs: 5_000 });
      await eventually(() => expect([lease.state, lease.signal.aborted]).toEqual(['lost', true]));
      await expect(lock.acquire()).rejects.toThrow(SessionLost);
      await next.release();
    });
  });

  it('lets the second acquire try for itself when the first one fails', async () => {
    const holder = await lockOf(await realm.open(), allCases[0]!).acquire();
    const lock = lockOf(await realm.open(), allCases[0]!);
    const hasty = begin(lock, { timeoutMs: 100 });
    const patient = begin(lock);
    await expect(hasty.taking).rejects.toMatchObject({ name: 'LockTimeout', timeoutMs: 100 });
    await patient.waits;
    await holder.release();
    const lease: Lease = await patient.taking;
    expect(lease.path.startsWith(lockPath)).toBe(true);
    await lease.release();
  });
});

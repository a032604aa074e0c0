import { describe, expect, it } from 'vitest';
import { RemovedFromQueue } from '../../../src/recipes/errors.ts';
import type { Lease, LeaseState } from '../../../src/recipes/lock.ts';
import { eventually } from '../../support/eventually.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import type { TcpProxy } from '../../support/tcpProxy.ts';
import { turnsOf } from '../../support/turns.ts';
import { allCases, begin, lockOf, lockPath, rivalOf } from './cases.ts';
import { loseReply, opcode, unplug } from './faults.ts';
import { useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();
const find = (title: string) => allCases.find(one => one.title === title)!;
const mutex = find('mutex (curator)');

function statesOf(lease: Lease): LeaseState[] {
  const states: LeaseState[] = [];
  lease.onState(state => states.push(state));
  return states;
}

/** The states of a lease; `unread` instead of `held` when no reading was answered since it was uncertain. */
function checkedStatesOf(lease: Lease, proxy: TcpProxy): string[] {
  const states: string[] = [];
  let reading: number | undefined;
  let isRead = false;
  proxy.onRequest(request => {
    if (request.opcode === opcode.getData) reading = request.xid;
    return 'forward';
  });
  proxy.onReply(({ xid, error }) => {
    if (xid !== undefined && xid === reading) isRead = error === 0;
    return 'forward';
  });
  lease.onState(state => {
    states.push(state === 'held' && !isRead ? 'unread' : state);
    isRead = false;
  });
  return states;
}

describe.each(allCases)('$title', one => {
  it('L24 the node of the holder is deleted by another client: the lease is lost, and says why', async () => {
    const single = { ...one, limit: 1 };
    const client = await realm.open();
    const lease = await rivalOf(client, single).acquire();
    const states = statesOf(lease);
    // Also within the first moments, in which the own node is not watched yet.
    await realm.observer.delete(lease.path);
    await eventually(() => expect(lease.state).toBe('lost'));
    expect(lease.stateCause?.kind).toBe('node-deleted');
    expect([states, lease.signal.aborted]).toEqual([['lost'], true]);
    const next = await rivalOf(await realm.open(), single).acquire({ timeoutMs: 0 });
    await lease.release();
    expect(await realm.observer.get(next.path)).toBeDefined();
    expect(next.fencingToken).toBeGreaterThan(lease.fencingToken);
    await next.release();
  });

  it('L24 the same later, when it is watched', async () => {
    const lease = await lockOf(await realm.open(), one).acquire();
    await new Promise(resolve => setTimeout(resolve, 80));
    await realm.observer.delete(lease.path);
    await eventually(() => expect(lease.state).toBe('lost'));
    await lease.release();
  });
});

describe.each([find('mutex (distributedlock-net)'), find('mutex (zk-ruby)'), find('exclusive')])('$title', one => {
  it('L30 the name is used again by another client: the release leaves that node alone', async () => {
    const lease = await lockOf(await realm.open(), one).acquire();
    await realm.observer.delete('/locks', { recursive: true });
    const other = await realm.observer.create(lease.path, { ephemeral: true });
    expect(other).toBe(lease.path);
    await eventually(() => expect(lease.state).toBe('lost'));
    await lease.release();
    expect((await realm.observer.get(other))?.ephemeralOwner).toBe(realm.observer.sessionId);
  });
});

describe('L30 while it waits', () => {
  it('leaves the node of another client alone when its own is gone', async () => {
    const one = find('mutex (distributedlock-net)');
    const holder = await lockOf(await realm.open(), one).acquire();
    const client = await realm.open();
    const attempt = begin(lockOf(client, one));
    const { path } = await attempt.waits;
    const isMissed = Promise.withResolvers<boolean>();
    client.afterCall = async ({ operation, path: asked }) => {
      if (operation !== 'readMany' && asked !== path) return;
      // Replaced between the look that missed it and the cleaning behind it.
      client.afterCall = undefined;
      await realm.observer.create(path!);
      isMissed.resolve(true);
    };
    await realm.observer.delete(path!);
    await expect(attempt.taking).rejects.toThrow(RemovedFromQueue);
    expect(await isMissed.promise).toBe(true);
    expect((await realm.observer.get(path!))?.ephemeralOwner).toBe(0n);
    await realm.observer.delete(path!);
    await holder.release();
  });
});

describe('a holder', () => {
  it('L18 behind a black hole is uncertain before, and lost when, its session may be over', async () => {
    const { client, proxy } = await realm.openBehindProxy({ sessionTimeoutMs: 5_000 });
    const lease = await lockOf(client, mutex).acquire();
    const states = statesOf(lease);
    const next = begin(lockOf(await realm.open(), mutex));
    await next.waits;
    proxy.blackHole('both');
    const both: string[] = [];
    let hasNext = false;
    void next.taking.then(() => (hasNext = true));
    await eventually(
      () => {
        if (hasNext && lease.state === 'held') both.push('both hold');
        expect([lease.state, hasNext]).toEqual(['lost', true]);
      },
      20_000,
      1,
    );
    expect(both).toEqual([]);
    expect(turnsOf(states)).toEqual(['uncertain', 'lost']);
    await lease.release();
    await (await next.taking).release();
  });

  it('L21, L22 whose connection flaps keeps its one node and is held in the end', async () => {
    const { client, proxy } = await realm.openBehindProxy({ sessionTimeoutMs: 20_000 });
    const lease = await lockOf(client, mutex).acquire();
    const states = checkedStatesOf(lease, proxy);
    const random = seededRandom(21);
    for (let flap = 0; flap < 6; flap++) {
      await unplug(proxy);
      await new Promise(resolve => setTimeout(resolve, random.below(60)));
      await proxy.setAccepting(true);
      await new Promise(resolve => setTimeout(resolve, random.below(60)));
    }
    await eventually(() => expect(lease.state).toBe('held'));
    // Every further outage is reported, also when the lease is uncertain still. `held` takes turns with it.
    for (const [index, state] of turnsOf(states).entries()) expect(state).toBe(index % 2 === 0 ? 'uncertain' : 'held');
    expect((await realm.observer.ls(lockPath)).map(({ path }) => path)).toEqual([lease.path]);
    await lease.release();
  });

  it('L21, L22 whose connection breaks again before its node was read stays uncertain until it is', async () => {
    const { client, proxy } = await realm.openBehindProxy({ sessionTimeoutMs: 20_000 });
    const lease = await lockOf(client, mutex).acquire();
    const states = statesOf(lease);
    await unplug(proxy);
    await eventually(() => expect(lease.state).toBe('uncertain'));
    const reading = loseReply(proxy, opcode.getData);
    await proxy.setAccepting(true);
    await eventually(() => expect(lease.state).toBe('held'));
    expect([reading.happened, states]).toEqual([true, ['uncertain', 'uncertain', 'held']]);
    await lease.release();
  });

  it('L21 whose node was replaced during an outage is lost, not held again', async () => {
    const one = find('exclusive');
    const { client, proxy } = await realm.openBehindProxy();
    const lease = await lockOf(client, one).acquire();
    const states = statesOf(lease);
    await unplug(proxy);
    await eventually(() => expect(lease.state).toBe('uncertain'));
    await realm.observer.delete(lease.path);
    await realm.observer.create(lease.path, { ephemeral: true });
    await proxy.setAccepting(true);
    await eventually(() => expect(lease.state).toBe('lost'));
    expect([states, lease.stateCause?.kind]).toEqual([['uncertain', 'lost'], 'node-replaced']);
    await lease.release();
    expect((await realm.observer.get(lease.path))?.ephemeralOwner).toBe(realm.observer.sessionId);
  });

  it('L27 a release during an outage ends when the node is gone', async () => {
    const { client, proxy } = await realm.openBehindProxy();
    const lease = await lockOf(client, mutex).acquire();
    await unplug(proxy);
    let isDone = false;
    const releasing = lease.release().then(() => (isDone = true));
    expect(lease.state).toBe('released');
    await new Promise(resolve => setTimeout(resolve, 60));
    expect(isDone).toBe(false);
    await proxy.setAccepting(true);
    await releasing;
    expect(await realm.observer.ls(lockPath)).toEqual([]);
  });

  it('L29 is not disturbed by the cancel of an attempt that is over, nor is the next one', async () => {
    const lock = lockOf(await realm.open(), mutex);
    const former = new AbortController();
    await (await lock.acquire({ signal: former.signal })).release();
    former.abort();
    const lease = await lock.acquire({ timeoutMs: 0 });
    expect(lease.state).toBe('held');
    await lease.release();
  });
});

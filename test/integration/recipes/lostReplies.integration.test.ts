import { describe, expect, it } from 'vitest';
import { LockCancelled, LockTimeout, SessionLost } from '../../../src/recipes/errors.ts';
import { findOwnNode } from '../../../src/recipes/ownNode.ts';
import { eventually } from '../../support/eventually.ts';
import type { SpiedClient } from '../../support/spiedClient.ts';
import { allCases, begin, fill, lockOf, rivalOf, type RecipeCase } from './cases.ts';
import { answerCreateWith, loseReply, loseRequest, opcode, unplug } from './faults.ts';
import { ephemerals, useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();

async function ownNodes(client: SpiedClient): Promise<string[]> {
  const nodes = await ephemerals(realm.observer);
  return nodes.filter(({ ephemeralOwner }) => ephemeralOwner === client.sessionId).map(({ path }) => path);
}

/** Leaves the directories behind, so that the next create is that of a contender. */
async function prepare(one: RecipeCase): Promise<void> {
  await (await lockOf(await realm.open(), one).acquire()).release();
}

const mutex = allCases.find(({ title }) => title === 'mutex (curator)')!;
/** Has no id in its names: it is found by its data. */
const nameless = allCases.find(({ title }) => title === 'mutex (zk-ruby)')!;
const exclusive = allCases.find(({ recipe }) => recipe === 'exclusive')!;

describe.each(allCases)('$title', one => {
  it('L1, L2 lost reply of create: holds with one node, its own', async () => {
    await prepare(one);
    const { client, proxy } = await realm.openBehindProxy();
    const fault = loseReply(proxy, opcode.create);
    const lease = await lockOf(client, one).acquire({ timeoutMs: 10_000 });
    expect(fault.happened).toBe(true);
    expect(await ownNodes(client)).toEqual([lease.path]);
    await lease.release();
  });

  it.each([-7, -122])(
    'a create that is carried out and answered in doubt (%d): holds with one node, its own',
    async code => {
      await prepare(one);
      const { client, proxy } = await realm.openBehindProxy();
      const fault = answerCreateWith(proxy, code);
      const lease = await lockOf(client, one).acquire({ timeoutMs: 10_000 });
      expect(fault.happened).toBe(true);
      expect(await ownNodes(client)).toEqual([lease.path]);
      await lease.release();
    },
  );

  it('L27 lost reply of the release: the node is gone, and release says so', async () => {
    const { client, proxy } = await realm.openBehindProxy();
    const lease = await lockOf(client, one).acquire();
    const fault = loseReply(proxy, opcode.delete);
    await lease.release();
    expect(fault.happened).toBe(true);
    expect(await ownNodes(client)).toEqual([]);
  });

  it('L27 lost release: it is repeated', async () => {
    const { client, proxy } = await realm.openBehindProxy();
    const lease = await lockOf(client, one).acquire();
    const fault = loseRequest(proxy, opcode.delete);
    await lease.release();
    expect(fault.happened).toBe(true);
    expect(await ownNodes(client)).toEqual([]);
  });

  it('L7 the time is over while the connection is cut: the node goes when it is back', async () => {
    const held = await fill(async () => rivalOf(await realm.open(), one), one.limit);
    const { client, proxy } = await realm.openBehindProxy();
    const attempt = begin(rivalOf(client, one), { timeoutMs: 3_000 });
    await attempt.waits;
    await unplug(proxy);
    await expect(attempt.taking).rejects.toThrow(LockTimeout);
    await proxy.setAccepting(true);
    // The session lives on, so it is not its end that takes the node.
    await eventually(() => expect(client.state).toBe('connected'));
    await eventually(async () => expect(await ownNodes(client)).toEqual([]));
    for (const lease of held) await lease.release();
  });
});

/** Both a queue that needs its name's id and one that needs its data, the single node, and all that take two steps. */
const stepwise = [mutex, nameless, exclusive, ...allCases.filter(({ recipe }) => recipe === 'semaphore')];

describe.each(stepwise)('L5, L28 $title', one => {
  it.each([
    ['reply', loseReply],
    ['request', loseRequest],
  ] as const)('the connection breaks at any %s: it holds in the end, or leaves nothing', async (_, lose) => {
    await prepare(one);
    const holder = await realm.open();
    let happened = true;
    for (let nth = 1; happened; nth++) {
      const held = await fill(() => Promise.resolve(rivalOf(holder, one)), one.limit);
      const { client, proxy } = await realm.openBehindProxy();
      const fault = lose(proxy, undefined, nth);
      const attempt = begin(rivalOf(client, one), { timeoutMs: 10_000 });
      void attempt.waits.then(
        () => held.shift()?.release(),
        () => undefined,
      );
      const lease = await attempt.taking;
      happened = fault.happened;
      proxy.forwardAll();
      expect(await ownNodes(client)).toEqual([lease.path]);
      await lease.release();
      for (const other of held) await other.release();
    }
  });

  it('L5 a cancel during an outage leaves nothing, wherever the outage began', async () => {
    await prepare(one);
    let happened = true;
    for (let nth = 1; happened; nth++) {
      const { client, proxy } = await realm.openBehindProxy();
      const fault = loseReply(proxy, undefined, nth);
      const abort = new AbortController();
      const subscription = client.onState(() => abort.abort());
      const taking = lockOf(client, one).acquire({ signal: abort.signal });
      const outcome = await taking.catch((error: unknown) => error);
      happened = fault.happened;
      subscription.dispose();
      if (!happened) await (await taking).release();
      else expect(outcome).toBeInstanceOf(LockCancelled);
      await eventually(async () => expect(await ownNodes(client)).toEqual([]));
    }
  });
});

describe('a lost create', () => {
  it.each([mutex, exclusive])('L3 of a session that expires is not adopted by the next one: $title', async one => {
    await prepare(one);
    const { client, proxy } = await realm.openBehindProxy({ sessionTimeoutMs: 3_000 });
    const fault = loseReply(proxy, opcode.create);
    const taking = lockOf(client, one).acquire();
    await proxy.setAccepting(false);
    await expect(taking).rejects.toThrow(SessionLost);
    expect(fault.happened).toBe(true);
    const next = await realm.open();
    const lease = await lockOf(next, one).acquire({ timeoutMs: 15_000 });
    expect((await ephemerals(realm.observer)).map(({ ephemeralOwner }) => ephemeralOwner)).toEqual([next.sessionId]);
    await lease.release();
  });

  it('L3 is found by id and session: the same id of another session is a stranger', async () => {
    const client = await realm.open();
    const attemptId = crypto.randomUUID();
    const name = (id: string): string => `_c_${id}-lock-`;
    const find = (): Promise<unknown> =>
      findOwnNode({ client, directory: '/q', mode: 'ephemeral_sequential', name, hasIdInName: true }, attemptId);
    expect(await find()).toBeUndefined();
    await realm.observer.create(`/q/${name(attemptId)}`, { ephemeral: true, sequence: true });
    expect(await find()).toBeUndefined();
    const { path, stat } = await client.create(`/q/${name(attemptId)}`, { mode: 'ephemeral_sequential' });
    expect(await find()).toEqual({ path, czxid: stat.czxid });
    await client.remove(path, 0);
  });

  it('L4 is looked for after a sync with the leader', async () => {
    await prepare(mutex);
    const { client, proxy } = await realm.openBehindProxy();
    loseReply(proxy, opcode.create);
    const lease = await lockOf(client, mutex).acquire();
    const after = client.calls.slice(2).map(({ operation }) => operation);
    expect(after.slice(0, 2)).toEqual(['sync', 'getChildren']);
    await lease.release();
  });
});

describe('on a dead connection', () => {
  it.each([
    ['time limit', { timeoutMs: 100 }, LockTimeout],
    ['cancel', { signal: AbortSignal.timeout(100) }, LockCancelled],
  ] as const)('L7 a %s is not held up, and the node goes later', async (_, options, failure) => {
    await prepare(mutex);
    const { client, proxy } = await realm.openBehindProxy({ sessionTimeoutMs: 30_000 });
    proxy.blackHole('down');
    const start = performance.now();
    const limits = 'signal' in options ? { signal: AbortSignal.timeout(100) } : options;
    await expect(lockOf(client, mutex).acquire(limits)).rejects.toThrow(failure);
    // Long before the session time-out, which is when the connection would be given up.
    expect(performance.now() - start).toBeLessThan(15_000);
    await eventually(async () => expect(await ownNodes(client)).toHaveLength(1));
    proxy.blackHole('none');
    await eventually(async () => expect(await ownNodes(client)).toEqual([]));
  });
});

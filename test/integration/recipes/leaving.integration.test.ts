import { describe, expect, it } from 'vitest';
import { LockCancelled, LockTimeout } from '../../../src/recipes/errors.ts';
import type { Lease } from '../../../src/recipes/lock.ts';
import type { SpiedCall, SpiedClient } from '../../support/spiedClient.ts';
import { allCases, begin, fill, lockOf, rivalOf, untilAnswered, type RecipeCase } from './cases.ts';
import { ephemerals, expectLeft, leftovers, useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();

/** @param since the cancel, or the start of the attempt that has just failed, ms of `performance` */
function expectNoNodeOf(client: SpiedClient, since: number): Promise<void> {
  return expectLeft(realm.observer, client, performance.now() - since);
}

async function expectFree(one: RecipeCase): Promise<void> {
  const lease = await rivalOf(await realm.open(), one).acquire({ timeoutMs: 0 });
  await lease.release();
}

describe.each(allCases)('$title', one => {
  it('leaves no node when the time is over, and lets the next one in', async () => {
    const held = await fill(async () => rivalOf(await realm.open(), one), one.limit);
    const client = await realm.open();
    const before = performance.now();
    await expect(rivalOf(client, one).acquire({ timeoutMs: 120 })).rejects.toThrow(LockTimeout);
    // It waited; a timer may be early by the fraction of a millisecond that its clock does not know, and then some.
    expect(performance.now() - before).toBeGreaterThanOrEqual(100);
    await expectNoNodeOf(client, before);
    for (const lease of held) await lease.release();
    await expectFree(one);
  });

  it('looks once when it may not wait', async () => {
    const held = await fill(async () => rivalOf(await realm.open(), one), one.limit);
    const client = await realm.open();
    const start = performance.now();
    const attempt = begin(rivalOf(client, one), { timeoutMs: 0 });
    await expect(attempt.taking).rejects.toMatchObject({ name: 'LockTimeout', timeoutMs: 0 });
    await expectNoNodeOf(client, start);
    expect(attempt.places).toEqual([]);
    // No watch was asked for: a client that does not wait needs not be informed.
    for (const lease of held) await lease.release();
    await client.exists('/');
    expect(client.fired).toEqual([]);
  });

  it.each(['sent', 'answered'] as const)('leaves no node when it is cancelled at any request, %s', async moment => {
    const client = await realm.open();
    let calls = await cancelAt(client, one, moment, Infinity);
    expect(calls).toBeGreaterThan(0);
    for (let at = 1; at <= calls; at++) {
      // The number of calls may differ a little from one attempt to the next: the last one decides.
      calls = Math.max(calls, await cancelAt(client, one, moment, at));
      expect(await leftovers(realm.observer, [client])).toEqual([]);
    }
    await expectFree(one);
  });

  it('leaves no node when it is cancelled while nothing but a notification can wake it', async () => {
    const held = await fill(async () => rivalOf(await realm.open(), one), one.limit);
    const client = await realm.open();
    const abort = new AbortController();
    const attempt = begin(rivalOf(client, one), { signal: abort.signal });
    await attempt.waits;
    await untilAnswered(client);
    const asked = client.calls.length;
    const cancelledAt = performance.now();
    abort.abort();
    await expect(attempt.taking).rejects.toThrow(LockCancelled);
    await expectNoNodeOf(client, cancelledAt);
    // An exclusive node is the holder's: a client that waits for it has none to delete.
    if (one.recipe !== 'exclusive') expect(client.calls.length).toBeGreaterThan(asked);
    for (const lease of held) await lease.release();
    await expectFree(one);
  });

  it('is not disturbed by a cancel that comes too early or too late', async () => {
    const client = await realm.open();
    const lock = lockOf(client, one);
    await expect(lock.acquire({ signal: AbortSignal.abort() })).rejects.toThrow(LockCancelled);
    expect(client.asked).toEqual([]);
    const abort = new AbortController();
    const lease = await lock.acquire({ signal: abort.signal });
    abort.abort();
    expect(lease.state).toBe('held');
    await lease.release();
    await (await lock.acquire({ timeoutMs: 0 })).release();
  });
});

/**
 * Acquires behind another client that releases as soon as we wait, and cancels at the n-th request: then nothing is left.
 *
 * @returns how many requests the attempt has made
 */
async function cancelAt(
  client: SpiedClient,
  one: RecipeCase,
  moment: 'sent' | 'answered',
  at: number,
): Promise<number> {
  const held = await fill(async () => rivalOf(await holders(), one), one.limit);
  const abort = new AbortController();
  const start = client.calls.length;
  let cancelledAt = 0;
  const hook = ({ number }: SpiedCall): void => {
    if (number - start !== at) return;
    cancelledAt = performance.now();
    abort.abort();
  };
  client.duringCall = moment === 'sent' ? hook : undefined;
  client.afterCall = moment === 'answered' ? hook : undefined;
  const attempt = begin(rivalOf(client, one), { signal: abort.signal });
  void attempt.waits.then(() => held.shift()?.release()).catch(() => undefined);
  let lease: Lease | undefined;
  try {
    lease = await attempt.taking;
    expect(abort.signal.aborted).toBe(false);
    expect(lease.state).toBe('held');
  } catch (error) {
    expect(error).toBeInstanceOf(LockCancelled);
    await expectNoNodeOf(client, cancelledAt);
  }
  const calls = client.calls.length - start;
  client.duringCall = client.afterCall = undefined;
  await lease?.release();
  for (const other of held) await other.release();
  return calls;
}

let shared: SpiedClient | undefined;

/** One session for all who stand in front: opening one per attempt would take most of the time. */
async function holders(): Promise<SpiedClient> {
  if (shared?.state !== 'connected') shared = await realm.open();
  return shared;
}

describe('the guard after each test', () => {
  it('sees a node and a listener that are left', async () => {
    const client = await realm.open();
    const lease = await lockOf(client, allCases[0]!).acquire();
    expect(await leftovers(realm.observer, [client])).toEqual([`node ${lease.path}`, '1 listeners on a client']);
    expect((await ephemerals(realm.observer)).map(({ path }) => path)).toEqual([lease.path]);
    await lease.release();
    expect(await leftovers(realm.observer, [client])).toEqual([]);
    const subscription = client.onState(() => undefined);
    expect(await leftovers(realm.observer, [client])).toEqual(['1 listeners on a client']);
    subscription.dispose();
  });
});

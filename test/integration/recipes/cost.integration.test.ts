import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { memoryInUse } from '../../support/memoryInUse.ts';
import type { NodePlan } from '../../support/observer.ts';
import type { TcpProxy } from '../../support/tcpProxy.ts';
import { allCases, begin, lockOf, lockPath, rivalOf, untilAnswered, type RecipeCase } from './cases.ts';
import { useLockRealm } from './lockRealm.ts';

const realm = useLockRealm();

/** What kazoo calls its contenders, without the number. */
const name = (at: number): string => `${lockPath}/${at.toString(16).padStart(32, '0')}__lock__`;

/** Queues of one directory: what everything else is measured by. */
const plain = allCases.filter(({ recipe }) => recipe !== 'exclusive' && recipe !== 'semaphore');

/** Requests that have been sent, and in how many packets at least. */
function count(proxy: TcpProxy): { requests: number; bytes: number } {
  return { requests: proxy.counts.frames.up, bytes: proxy.counts.bytes.up + proxy.counts.bytes.down };
}

describe.each(plain)('$title', one => {
  it('takes a free lock with two requests that leave together, and releases it with one', async () => {
    await (await lockOf(await realm.open(), one).acquire()).release();
    const { client, proxy } = await realm.openBehindProxy();
    const lock = lockOf(client, one);
    const start = count(proxy);
    const answersBefore = proxy.counts.frames.down;
    // The first request waits at the gate for the second: were they not sent together, this would never end.
    proxy.onReply(() => (proxy.counts.frames.up - start.requests < 2 ? 'drop' : 'forward'));
    const lease = await lock.acquire({ timeoutMs: 5_000 });
    expect(count(proxy).requests - start.requests).toBe(2);
    await lease.release();
    expect(count(proxy).requests - start.requests).toBe(3);
    expect(proxy.counts.frames.down - answersBefore).toBe(3);
    expect(client.calls.map(({ operation }) => operation)).toEqual(['create', 'getChildren', 'remove']);
  });
});

describe('a lease', () => {
  it('is watched once it is held for longer than a moment, with one request', async () => {
    const { client, proxy } = await realm.openBehindProxy();
    const lease = await lockOf(client, plain[0]!).acquire();
    const start = count(proxy).requests;
    await eventually(() => expect(client.asked.at(-1)).toBe(`getData ${lease.path}`));
    await new Promise(resolve => setTimeout(resolve, 150));
    expect(count(proxy).requests - start).toBe(1);
    expect(client.asked.at(-1)).toBe(`getData ${lease.path}`);
    await lease.release();
  });
});

/** Bytes on the waiter's connection from the release of the one in front of it until it holds. */
async function handOverBytes(one: RecipeCase, behind: number): Promise<number> {
  const holder = await rivalOf(await realm.open(), one).acquire();
  const { client, proxy } = await realm.openBehindProxy();
  const attempt = begin(rivalOf(client, one));
  const { path } = await attempt.waits;
  await untilAnswered(client);
  const prefix = path!.slice(0, path!.length - 10);
  const crowd = await realm.observer.openSession();
  const nodes: NodePlan[] = Array.from({ length: behind }, () => ({ path: prefix, ephemeral: true, sequence: true }));
  await crowd.createMany(nodes);
  const start = count(proxy).bytes;
  await holder.release();
  const lease = await attempt.taking;
  const bytes = count(proxy).bytes - start;
  await crowd.closeSession();
  await lease.release();
  return bytes;
}

/**
 * What a waiter asks for when `ahead` before it have gone, while `behind` stand behind it that were there before it.
 *
 * @returns operations with the first node that each is about
 */
async function askedAfter(ahead: number, behind: number): Promise<string[]> {
  const one = allCases.find(({ title }) => title === 'mutex (kazoo)')!;
  const crowd = await realm.observer.openSession();
  await crowd.ensure(lockPath);
  const later = (at: number): string => `${name(at)}${String(1_000_000 + at).padStart(10, '0')}`;
  await crowd.createMany(Array.from({ length: behind }, (_, at) => ({ path: later(at), ephemeral: true })));
  const before = Array.from({ length: ahead }, (_, at) => ({ path: name(at), ephemeral: true, sequence: true }));
  const paths = await crowd.createMany(before);
  const client = await realm.open();
  const attempt = begin(lockOf(client, one));
  await attempt.waits;
  await untilAnswered(client);
  client.calls.length = 0;
  for (const path of paths) await crowd.delete(path);
  const lease = await attempt.taking;
  const asked = client.calls.map(({ operation, path }) => {
    if (path === lease.path) return `${operation} of the own node`;
    return path === paths[0] ? `${operation} of the first one` : `${operation} ${path}`;
  });
  await lease.release();
  await crowd.closeSession();
  return asked;
}

describe('who is left of those in front', () => {
  it('learns from a listing where the queue was short a moment ago', async () => {
    // A moment is a second, and the twenty before it go one after the other.
    const listing = ['readMany of the own node'];
    await eventually(async () => expect(await askedAfter(20, 0)).toEqual(listing), 20_000);
  });

  it('is asked for by name, in one request, where it was long', async () => {
    expect(await askedAfter(10, 50)).toEqual(['readMany of the first one']);
  });

  it('is asked for by name where there were few', async () => {
    expect(await askedAfter(2, 0)).toEqual(['readMany of the first one']);
  });
});

describe('a waiter', () => {
  it('keeps nothing that grows with the queue', async () => {
    const one = allCases.find(({ title }) => title === 'mutex (kazoo)')!;
    const clients = await Promise.all(Array.from({ length: 8 }, () => realm.open()));
    const crowd = await realm.observer.openSession();
    await crowd.ensure(lockPath);
    await crowd.createMany(
      Array.from({ length: 5_000 }, (_, at) => ({ path: name(at), ephemeral: true, sequence: true })),
    );
    const before = memoryInUse();
    const attempts = clients.map(client => begin(lockOf(client, one)));
    for (const { waits } of attempts) expect((await waits).ahead).toBeGreaterThanOrEqual(5_000);
    await Promise.all(clients.map(untilAnswered));
    // The others, as each of the eight reads them, take 14 MB in all. What is compiled meanwhile takes half a megabyte, and replies
    // that were read take some until they are freed.
    await eventually(() => expect(memoryInUse() - before).toBeLessThan(5_000_000));
    await crowd.closeSession();
    await Promise.all(attempts.map(async ({ taking }) => (await taking).release()));
  });
});

describe('L17 a hand-over', () => {
  // Curator's read/write lock lets a reader join in front of those who wait: its waiters list again.
  it.each(plain.filter(({ recipe, dialect }) => recipe === 'mutex' || dialect !== 'curator'))(
    'costs the same however many wait behind: $title',
    async one => {
      const few = await handOverBytes(one, 2);
      const many = await handOverBytes(one, 300);
      expect(many).toBeLessThan(1_500);
      expect(Math.abs(many - few)).toBeLessThan(64);
    },
  );

  it('wakes none of a thousand in vain', async () => {
    const one = allCases.find(({ title }) => title === 'mutex (kazoo)')!;
    const client = await realm.open();
    const crowd = await realm.observer.openSession();
    await crowd.ensure(lockPath);
    const nodes = Array.from({ length: 1_000 }, (_, at) => ({ path: name(at), ephemeral: true, sequence: true }));
    const paths = await crowd.createMany(nodes);
    const attempt = begin(lockOf(client, one));
    const { path: own } = await attempt.waits;
    await untilAnswered(client);
    client.calls.length = 0;
    for (const path of paths.slice(0, 900)) await crowd.delete(path);
    await client.exists('/');
    expect(client.fired).toEqual([]);
    // That it looks after its own node is no wake-up.
    expect(client.asked.filter(asked => asked !== `getData ${own}`)).toEqual(['exists /']);
    // Its predecessor leaves the queue without having had its turn: whose turn is it now?
    await crowd.delete(paths.at(-1)!);
    await eventually(() => expect(attempt.places).toHaveLength(2));
    expect(attempt.places[1]).toMatchObject({ ahead: 99, waitsFor: paths.at(-2) });
    await crowd.closeSession();
    await (await attempt.taking).release();
  });
});

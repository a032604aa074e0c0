import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { Op, readStat, type Stat } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { WireClient, writeCreate } from '../../support/wireClient.ts';

// What a server removes by itself, by its own clock: containers that are empty again, and TTL nodes whose time is over.

const patient = { timeout: 30_000 };
const hourMs = 3_600_000n;
let sandbox: Sandbox;
let client: WireClient;

beforeEach(async () => {
  sandbox = await startSandbox({ containerCheckMs: 20, maxSessionTimeoutMs: 60_000 });
  client = await WireClient.withSession(sandbox.port, { timeoutMs: 60_000 });
});
afterEach(async () => {
  client.close();
  await sandbox.close();
});

async function create(path: string, flags: number, ttlMs?: bigint): Promise<Stat> {
  const op = ttlMs === undefined ? Op.createContainer : Op.createTtl;
  const { error, body } = await client.request(op, writer => {
    writeCreate(writer, path, Buffer.alloc(0), flags);
    if (ttlMs !== undefined) writer.long(ttlMs);
  });
  expect(error).toBe(0);
  expect(body.string()).toBe(path);
  return readStat(body);
}

const exists = async (path: string): Promise<boolean> =>
  (await client.request(Op.exists, writer => writer.string(path).bool(false))).error === 0;
const remove = (path: string): Promise<unknown> => client.request(Op.delete, writer => writer.string(path).int(-1));
const gone = (path: string): Promise<void> => eventually(async () => expect(await exists(path)).toBe(false));

it('a container goes when its last child went, and its watchers learn of it', patient, async () => {
  for (const path of ['/new', '/used', '/full']) await create(path, 4);
  for (const path of ['/used/a', '/used/b', '/full/a', '/full/b']) await client.create(path);
  await client.request(Op.addWatch, writer => writer.string('/used').int(0));
  for (const path of ['/used/a', '/used/b', '/full/a']) await remove(path);
  await gone('/used');
  expect(client.events.at(-1)).toEqual({ type: 'deleted', path: '/used' });
  // The round that removed one removes all it may.
  expect([await exists('/new'), await exists('/full')]).toEqual([true, true]);
  await remove('/full/b');
  await gone('/full');
  expect(await exists('/new')).toBe(true);
});

it('a TTL node goes when its time is over, not before, and not while it has children', patient, async () => {
  await create('/long', 5, hourMs);
  const parent = await create('/parent', 5, 100n);
  await client.create('/parent/child');
  const { mtime } = await create('/short', 5, 300n);
  await gone('/short');
  expect(Date.now()).toBeGreaterThan(mtime + 300);
  // Its time was over long ago.
  expect(parent.mtime).toBeLessThanOrEqual(mtime);
  expect([await exists('/long'), await exists('/parent')]).toEqual([true, true]);
  await remove('/parent/child');
  await gone('/parent');
  expect(await exists('/long')).toBe(true);
});

it('a TTL node whose data is set lives on from there', patient, async () => {
  await create('/kept', 5, 400n);
  const { body } = await client.request(Op.setData, writer => writer.string('/kept').bytes(Buffer.from('x')).int(-1));
  const { mtime } = readStat(body);
  await gone('/kept');
  expect(Date.now()).toBeGreaterThan(mtime + 400);
});

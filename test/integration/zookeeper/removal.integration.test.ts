import { afterEach, beforeEach, expect, it } from 'vitest';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';
import { WireClient, writeCreate } from '../../support/wireClient.ts';

// What servers remove by themselves. Our client makes neither kind of node: these are raw requests.

const patient = { timeout: 60_000 };
const hourMs = 3_600_000n;
let server: TestServer;
let client: WireClient;

beforeEach(async () => {
  server = await startTestServer({ containerCheckMs: 100, makesTtlNodes: true });
  client = await WireClient.withSession(server.port, { timeoutMs: 60_000 });
});
afterEach(async () => {
  client.close();
  await server.stop();
});

async function create(path: string, flags: number, ttlMs?: bigint): Promise<void> {
  const op = ttlMs === undefined ? Op.createContainer : Op.createTtl;
  const reply = await client.request(op, writer => {
    writeCreate(writer, path, Buffer.alloc(0), flags);
    if (ttlMs !== undefined) writer.long(ttlMs);
  });
  expect(reply.error).toBe(0);
}

const exists = async (path: string): Promise<boolean> =>
  (await client.request(Op.exists, writer => writer.string(path).bool(false))).error === 0;
const remove = (path: string): Promise<unknown> => client.request(Op.delete, writer => writer.string(path).int(-1));
const gone = (path: string): Promise<void> => eventually(async () => expect(await exists(path)).toBe(false), 20_000);

it('a container that is empty again goes, and watches say so; one that never had a child stays', patient, async () => {
  for (const path of ['/new', '/used', '/full']) await create(path, 4);
  for (const path of ['/used/a', '/full/a']) await client.create(path);
  await client.request(Op.addWatch, writer => writer.string('/used').int(1));
  await remove('/used/a');
  await gone('/used');
  expect(client.events).toEqual([
    { type: 'deleted', path: '/used/a' },
    { type: 'deleted', path: '/used' },
  ]);
  await remove('/full/a');
  await gone('/full');
  expect(await exists('/new')).toBe(true);
});

it('a TTL node goes when its time is over, but not while it has children', patient, async () => {
  await create('/long', 5, hourMs);
  await create('/parent', 5, 100n);
  await client.create('/parent/child');
  await create('/short', 5, 500n);
  await create('/numbered-', 6, 500n);
  await gone('/short');
  await eventually(async () => {
    const { body } = await client.request(Op.getChildren, writer => writer.string('/').bool(false));
    expect(body.strings().sort()).toEqual(['long', 'parent', 'zookeeper']);
  });
  await remove('/parent/child');
  await gone('/parent');
  expect(await exists('/long')).toBe(true);
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { CancelledError, ReplyTooLargeError, ZooKeeperError } from '../../../src/zookeeper/errors.ts';
import { connectInformed } from '../../support/informedSession.ts';
import { useTestRealm } from '../../support/freshChroot.ts';

const realm = useTestRealm();
let client: ZooKeeperClient;

beforeEach(async () => {
  client = await connectInformed(realm.connectString);
});
afterEach(() => client.close());

const hostileNames = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '[Retry](command:workbench.action.terminal.sendSequence?%7B%7D)',
  '$(trash) `code`',
  'right\u202eto left',
  'zero\u200bwidth',
  'e\u0301',
  '\u00e9',
  '..\\..\\evil',
  ' blank ',
  '日本語',
  'x'.repeat(2_000),
];

describe('create', () => {
  it('answers with path and stat in every mode', async () => {
    const modes = ['persistent', 'persistent_sequential', 'ephemeral', 'ephemeral_sequential', 'container'] as const;
    for (const [index, mode] of modes.entries()) {
      const { path, stat } = await client.create(`/${mode}-`, { mode, data: Buffer.from([index, 255, 0]) });
      const isSequential = mode.endsWith('sequential');
      expect(path).toMatch(isSequential ? /^\/\w+-\d{10}$/ : /-$/);
      const seen = await realm.observer.get(path);
      expect(seen).toMatchObject({ czxid: stat.czxid, ctime: stat.ctime, dataLength: 3, version: 0 });
      expect([...seen!.data]).toEqual([index, 255, 0]);
      expect(seen!.ephemeralOwner).toBe(mode.startsWith('ephemeral') ? client.sessionId : 0n);
      expect(stat.ephemeralOwner).toBe(seen!.ephemeralOwner);
    }
  });

  it('sets the ACL that it is given', async () => {
    const acl = [{ scheme: 'world', id: 'anyone', permissions: 'cdra' }];
    await client.create('/guarded', { acl });
    expect(await client.getAcl('/guarded')).toMatchObject({ acl, stat: { aversion: 0 } });
    await expect(client.setData('/guarded', Buffer.from('x'), 0)).rejects.toMatchObject({
      codeName: 'NO_AUTH',
      operation: 'setData',
      path: '/guarded',
    });
  });

  it('carries a megabyte and refuses more before anything is sent', async () => {
    const data = Buffer.alloc(1_000_000, 'x');
    await client.create('/large', { data });
    const read = await client.getData('/large');
    expect(Buffer.compare(read.data, data)).toBe(0);
    await expect(client.create('/larger', { data: Buffer.alloc(1_000_001) })).rejects.toThrow(RangeError);
    await expect(client.setData('/large', Buffer.alloc(1_000_001), 0)).rejects.toThrow(RangeError);
    expect(await client.exists('/larger')).toBeUndefined();
    expect(client.state).toBe('connected');
  });
});

it('reads what an independent client wrote', async () => {
  await realm.observer.create('/node', { data: 'hello' });
  await realm.observer.create('/node/child');
  await realm.observer.set('/node', 'hello again');
  const seen = (await realm.observer.get('/node'))!;
  const { data, stat } = await client.getData('/node');
  expect(Buffer.from(data).toString()).toBe('hello again');
  expect({ ...seen, ...stat }).toEqual(seen);
  expect(Object.keys(stat)).toHaveLength(11);
  expect(await client.exists('/node')).toEqual(stat);
  expect(await client.getChildren('/node')).toEqual({ children: ['child'], stat });
  expect(await client.exists('/nowhere')).toBeUndefined();
});

it('passes hostile names through unchanged', async () => {
  for (const name of hostileNames) await client.create(`/${name}`, { data: Buffer.from(name) });
  const { children } = await client.getChildren('/');
  expect(children.sort()).toEqual([...hostileNames].sort());
  const reads = await client.readMany(hostileNames.map(name => ({ op: 'getData', path: `/${name}` })));
  expect(reads.map(read => (read.op === 'getData' ? Buffer.from(read.data).toString() : read.op))).toEqual(
    hostileNames,
  );
  for (const name of hostileNames) await client.remove(`/${name}`, 0);
  expect(await realm.observer.ls('/')).toEqual([]);
});

it('writes only what has the version that was read', async () => {
  const { path } = await client.create('/versioned');
  expect((await client.setData(path, Buffer.from('1'), 0)).version).toBe(1);
  await expect(client.setData(path, Buffer.from('2'), 0)).rejects.toMatchObject({ codeName: 'BAD_VERSION' });
  await expect(client.remove(path, 0)).rejects.toMatchObject({ codeName: 'BAD_VERSION', operation: 'remove' });
  await expect(client.remove(path, -1)).rejects.toThrow(RangeError);
  await expect(client.setData(path, Buffer.alloc(0), -1)).rejects.toThrow(RangeError);
  expect((await realm.observer.get(path))!.data.toString()).toBe('1');
  await client.remove(path, 1);
  expect(await realm.observer.get(path)).toBeUndefined();
});

describe('errors name code, operation and the path as the user wrote it', () => {
  it.each([
    ['NO_NODE', 'getData', (c: ZooKeeperClient) => c.getData('/gone'), '/gone'],
    ['NO_NODE', 'getChildren', (c: ZooKeeperClient) => c.getChildren('/gone'), '/gone'],
    ['NO_NODE', 'getAcl', (c: ZooKeeperClient) => c.getAcl('/gone'), '/gone'],
    ['NO_NODE', 'setData', (c: ZooKeeperClient) => c.setData('/gone', Buffer.alloc(0), 0), '/gone'],
    ['NO_NODE', 'remove', (c: ZooKeeperClient) => c.remove('/gone', 0), '/gone'],
    ['NO_NODE', 'create', (c: ZooKeeperClient) => c.create('/gone/child'), '/gone/child'],
    ['NODE_EXISTS', 'create', (c: ZooKeeperClient) => c.create('/there'), '/there'],
    ['NOT_EMPTY', 'remove', (c: ZooKeeperClient) => c.remove('/full', 0), '/full'],
    ['NO_CHILDREN_FOR_EPHEMERALS', 'create', (c: ZooKeeperClient) => c.create('/brief/x'), '/brief/x'],
    ['BAD_ARGUMENTS', 'create', (c: ZooKeeperClient) => c.create('/bad\u0001name'), '/bad\u0001name'],
    ['BAD_ARGUMENTS', 'exists', (c: ZooKeeperClient) => c.exists('no slash'), 'no slash'],
    ['BAD_ARGUMENTS', 'exists', (c: ZooKeeperClient) => c.exists('/a/../b'), '/a/../b'],
    ['INVALID_ACL', 'create', (c: ZooKeeperClient) => c.create('/acl', { acl: [] }), '/acl'],
  ] as const)('%s from %s', async (codeName, operation, run, path) => {
    await client.create('/there');
    await client.create('/full');
    await client.create('/full/child');
    await client.create('/brief', { mode: 'ephemeral' });
    const error: unknown = await Promise.resolve(run(client)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ZooKeeperError);
    expect(error).toMatchObject({ codeName, operation, path });
    expect((error as Error).message).toContain(path);
    expect(client.state).toBe('connected');
  });
});

it('syncs', async () => {
  await expect(client.sync('/')).resolves.toBeUndefined();
});

describe('readMany', () => {
  it('answers in the order of the requests, failures included', async () => {
    await realm.observer.create('/a', { data: 'A' });
    await realm.observer.create('/b', { data: 'B' });
    await realm.observer.create('/b/c');
    await client.create('/locked', { acl: [{ scheme: 'world', id: 'anyone', permissions: 'cda' }] });
    const answers = await client.readMany([
      { op: 'getData', path: '/b' },
      { op: 'getData', path: '/gone' },
      { op: 'getChildren', path: '/b' },
      { op: 'getData', path: '/locked' },
      { op: 'getChildren', path: '/gone' },
      { op: 'getData', path: '/a' },
    ]);
    // The clean-up lists what it deletes.
    await realm.observer.setAcl('/locked', [{ scheme: 'world', id: 'anyone', permissions: 'cdrwa' }]);
    expect(answers.map(answer => (answer.op === 'error' ? answer.error : undefined))).toEqual([
      undefined,
      expect.objectContaining({ codeName: 'NO_NODE', path: '/gone', operation: 'getData' }),
      undefined,
      expect.objectContaining({ codeName: 'NO_AUTH', path: '/locked' }),
      expect.objectContaining({ codeName: 'NO_NODE', operation: 'getChildren' }),
      undefined,
    ]);
    expect(answers[0]).toMatchObject({ path: '/b', stat: { numChildren: 1 } });
    expect(answers[2]).toMatchObject({ path: '/b', children: ['c'] });
    expect(answers[5]).toMatchObject({ path: '/a', stat: await client.exists('/a') });
  });

  it('reads nothing when nothing is asked', async () => {
    expect(await client.readMany([])).toEqual([]);
  });

  it('stops between two batches when it is cancelled', async () => {
    await realm.observer.createMany(Array.from({ length: 300 }, (_, index) => ({ path: `/n${index}` })));
    const reads = Array.from({ length: 300 }, (_, index) => ({ op: 'getData', path: `/n${index}` }) as const);
    const abort = new AbortController();
    let results = 0;
    const stopped = client.readMany(reads, {
      signal: abort.signal,
      onResult: () => {
        results++;
        abort.abort();
      },
    });
    await expect(stopped).rejects.toThrow(CancelledError);
    expect(results).toBe(16);
  });

  it('hands each result over in its place, and then keeps none', async () => {
    await realm.observer.createMany(Array.from({ length: 300 }, (_, index) => ({ path: `/n${index}`, data: 'd' })));
    const paths = Array.from({ length: 310 }, (_, index) => `/n${index}`);
    const taken = new Map<number, string>();
    const kept = await client.readMany(
      paths.map(path => ({ op: 'getData', path })),
      { onResult: ({ op, path }, at) => taken.set(at, `${op} ${path}`) },
    );
    expect(kept).toEqual([]);
    expect(paths.map((_, at) => taken.get(at))).toEqual(
      paths.map((path, at) => (at < 300 ? `getData ${path}` : `error ${path}`)),
    );
  });

  it('keeps replies small when nodes are large', async () => {
    const sizes = Array.from({ length: 40 }, (_, index) => (index % 3 === 0 ? 900_000 : 10));
    for (const [index, size] of sizes.entries()) {
      await client.create(`/n${index}`, { data: Buffer.alloc(size, index) });
    }
    const answers = await client.readMany(sizes.map((_, index) => ({ op: 'getData', path: `/n${index}` })));
    expect(answers.map(answer => (answer.op === 'getData' ? [answer.data.length, answer.data[0]] : answer))).toEqual(
      sizes.map((size, index) => [size, index]),
    );
  });
});

it('refuses a too large reply for that node only', async () => {
  await client.close();
  client = await connectInformed(realm.connectString, { replyLimitBytes: 10_000 });
  await client.create('/large', { data: Buffer.alloc(20_000) });
  await client.create('/small', { data: Buffer.from('s') });
  const server = client.server;
  await expect(client.getData('/large')).rejects.toThrow(ReplyTooLargeError);
  const answers = await client.readMany([
    { op: 'getData', path: '/small' },
    { op: 'getData', path: '/large' },
    { op: 'getChildren', path: '/' },
  ]);
  expect(answers).toMatchObject([
    { op: 'getData', path: '/small' },
    { op: 'error', path: '/large', error: { name: 'ReplyTooLargeError', bytes: expect.any(Number) as number } },
    { op: 'getChildren', children: expect.arrayContaining(['small', 'large']) as string[] },
  ]);
  expect([client.state, client.server]).toEqual(['connected', server]);
});

it('sends what one tick asks for in one flush, in order', async () => {
  const created = client.create('/queue', { mode: 'persistent' });
  const made = client.create('/queue/n-', { mode: 'ephemeral_sequential' });
  const listed = client.getChildren('/queue');
  expect((await made).path).toBe('/queue/n-0000000000');
  expect((await listed).children).toEqual(['n-0000000000']);
  await created;
});

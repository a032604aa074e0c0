import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLogs } from '../../../src/replay/openLogs.ts';
import { isZooKeeperError } from '../../../src/zookeeper/errors.ts';
import { LogWriter } from '../../support/logWriter.ts';
import { saveSnapshot } from '../../support/snapshotWriter.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

it('sessions have their beginnings and ends', async () => {
  const writer = new LogWriter({ zxid: 11n, time: 1_000 });
  const closed = writer.createSession(5_000);
  const expired = writer.createSession(6_000);
  const open = writer.createSession(7_000);
  writer.closeSession(closed);
  writer.closeSession(expired, 'expired');
  writer.closeSession(0x77n, 'expired');
  await writer.save(folder);
  await saveSnapshot(folder, 10n, {
    sessions: new Map([
      [0x77n, 8_000],
      [0x78n, 9_000],
    ]),
  });
  const recording = await openLogs(folder);
  expect(recording.session(closed)).toEqual({
    opened: { zxid: 11n, time: 1_000 },
    timeoutMs: 5_000,
    ended: { zxid: 14n, time: 1_003 },
    how: 'closed',
  });
  expect(recording.session(expired)).toMatchObject({ ended: { zxid: 15n }, how: 'expired' });
  expect(recording.session(open)).toEqual({ opened: { zxid: 13n, time: 1_002 }, timeoutMs: 7_000 });
  expect(recording.session(0x77n)).toEqual({ timeoutMs: 8_000, ended: { zxid: 16n, time: 1_005 }, how: 'expired' });
  expect(recording.session(0x78n)).toEqual({ timeoutMs: 9_000 });
  expect(recording.session(1n)).toBeUndefined();
  expect(recording.sessions().size).toBe(5);
});

it('an instant means the last transaction at or before it', async () => {
  const writer = new LogWriter({ zxid: 5n, time: 1_000 });
  for (const time of [1_000, 1_000, 1_010, 1_005, 4_000_000_000, 1_020]) {
    writer.time = time;
    writer.error(1n, -101);
  }
  writer.zxid = (1n << 32n) + 1n;
  writer.time = 2_000;
  writer.error(1n, -101);
  await writer.save(folder);
  const recording = await openLogs(folder);
  const zxidAt = (time: number): bigint => recording.momentAt({ time }).zxid;
  expect([0, 1_000, 1_004, 1_005, 1_019, 1_020, 1_999, 2_000, 9_999].map(zxidAt)).toEqual([
    5n,
    6n,
    6n,
    8n,
    8n,
    10n,
    10n,
    (1n << 32n) + 1n,
    (1n << 32n) + 1n,
  ]);
  expect(recording.momentAt({ zxid: 7n })).toEqual({ zxid: 7n, time: 1_010 });
  expect(recording.momentAt({ zxid: 0n })).toEqual(recording.from);
  expect(recording.momentAt({ zxid: 500n })).toEqual({ zxid: 10n, time: 1_020 });
  expect(recording.momentAt({ zxid: 1n << 60n })).toEqual(recording.to);
});

it('a moment is read, and nothing else', async () => {
  const writer = new LogWriter();
  writer.create(1n, '/a', { data: 'x'.repeat(2_000), acl: [{ scheme: 'world', id: 'anyone', permissions: 1 }] });
  writer.create(1n, '/a/b', { ephemeral: true, data: 'me' });
  writer.setData(1n, '/a/b', undefined, 1);
  await writer.save(folder);
  const recording = await openLogs(folder);
  const client = recording.at({ zxid: 2n });
  expect(client).toMatchObject({ state: 'connected', lastContactAt: recording.momentAt({ zxid: 2n }).time });
  expect(Buffer.from((await client.getData('/a')).data).toString()).toBe('x'.repeat(2_000));
  expect(await client.getData('/a/b')).toMatchObject({
    data: new Uint8Array([109, 101]),
    stat: { ephemeralOwner: 1n },
  });
  expect((await recording.at({ zxid: 3n }).getData('/a/b')).data).toHaveLength(0);
  expect((await client.getAcl('/a')).acl).toEqual([{ scheme: 'world', id: 'anyone', permissions: 'r' }]);
  expect(await client.exists('/nothing')).toBeUndefined();
  const errors = [client.getData('/nothing'), client.getChildren(''), client.getAcl('/nothing')];
  for (const each of errors) expect(isZooKeeperError(await failure(each), 'NO_NODE')).toBe(true);
  const writes = [client.create('/x'), client.setData('/a', new Uint8Array(), 0), client.remove('/a', 0)];
  for (const each of writes) expect(isZooKeeperError(await failure(each), 'NOT_READONLY')).toBe(true);
  await client.sync('/');
  (await client.watchTree('/', () => expect.unreachable())).dispose();
  expect(await client.whoAmI()).toBeUndefined();
  client.confirmByQuorum().dispose();
});

it('many reads are answered as one after the other', async () => {
  const writer = new LogWriter();
  writer.create(1n, '/a', { data: 'short' });
  writer.create(1n, '/b', { data: 'y'.repeat(2_000) });
  await writer.save(folder);
  const client = (await openLogs(folder)).at({ zxid: 2n });
  const reads = [
    { op: 'getData', path: '/b' },
    { op: 'getData', path: '/none' },
    { op: 'getChildren', path: '/' },
    { op: 'getData', path: '/a' },
  ] as const;
  const results = await client.readMany(reads);
  expect(results.map(({ op, path }) => `${op} ${path}`)).toEqual([
    'getData /b',
    'error /none',
    'getChildren /',
    'getData /a',
  ]);
  const received = new Map<number, unknown>();
  expect(await client.readMany(reads, { onResult: (result, at) => received.set(at, result) })).toEqual([]);
  expect([0, 1, 2, 3].map(at => received.get(at))).toEqual(results);
  const stop = new AbortController();
  stop.abort();
  expect(await failure(client.readMany(reads, { signal: stop.signal }))).toMatchObject({ name: 'CancelledError' });
});

it('opening can be cancelled, and shows how far it is', async () => {
  const writer = new LogWriter();
  for (let each = 0; each < 5_000; each++) writer.error(1n, -101);
  await writer.save(folder);
  for (let each = 0; each < 5_000; each++) writer.error(1n, -101);
  await writer.save(folder);
  const steps: [number, number][] = [];
  await openLogs(folder, { onProgress: (done, of) => steps.push([done, of]) });
  const [first = [1, 0]] = steps;
  expect(first[0]).toBe(0);
  expect(steps.at(-1)).toEqual([first[1], first[1]]);
  expect(steps.length).toBeGreaterThan(3);
  for (const at of [0, 2]) {
    const stop = new AbortController();
    let count = 0;
    const onProgress = (): void => {
      if (count++ === at) stop.abort();
    };
    const error = await failure(openLogs(folder, { signal: stop.signal, onProgress }));
    expect(error).toMatchObject({ name: 'CancelledError' });
  }
});

it('a moment whose log is gone cannot be read', async () => {
  const writer = new LogWriter();
  writer.create(1n, '/a');
  writer.create(1n, '/b');
  const path = await writer.save(folder);
  const recording = await openLogs(folder);
  await rm(path);
  expect(await failure(recording.at({ zxid: 1n }).exists('/a'))).toMatchObject({ name: 'StoredDataError', file: path });
});

it('clients of a closed recording fail', async () => {
  const writer = new LogWriter();
  writer.create(1n, '/a');
  await writer.save(folder);
  const recording = await openLogs(folder);
  const client = recording.at({ zxid: 1n });
  await client.exists('/a');
  const other = recording.at({ zxid: 1n });
  const states: string[] = [];
  other.onState(({ state }) => states.push(state));
  await other.close();
  expect(states).toEqual(['closed']);
  expect(client.state).toBe('connected');
  await recording.close();
  expect(client.state).toBe('closed');
  expect(await failure(client.exists('/a'))).toMatchObject({ name: 'NotConnectedError' });
  expect(await recording.readMore()).toBe(false);
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fillServerFolder, serverJars } from '../../../scripts/zookeeper/serverFolder.ts';
import { temporaryFolder } from '../../../scripts/zookeeper/temporaryFolder.ts';
import type { Transaction } from '../../../src/dataTree/transaction.ts';
import { readLog } from '../../../src/replay/logFile.ts';
import { listLogFolder } from '../../../src/replay/logFolder.ts';
import { readSnapshot, type SnapshotResult } from '../../../src/replay/snapshotFile.ts';
import type { SnapshotNode } from '../../../src/replay/snapshotNodes.ts';
import { readStored, type StoredData } from '../../../src/replay/storedData.ts';
import type { Compression } from '../../../src/replay/unpacked.ts';
import { ErrorCode } from '../../../src/zookeeper/wire/errorCodes.ts';
import { Op, readAclBits, readStat } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { serverVersion } from '../../support/serverVersion.ts';
import { WireClient } from '../../support/wireClient.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { RecordedPlay } from './recordedPlay.ts';

/** The servers of this machine: the one that all tests play on, and, unless that was chosen, those of a folder. */
const folder = process.env['ZOOKEEPER_SERVERS'];
const isChosen = (process.env['ZOOKEEPER_HOME'] ?? '') !== '';
const jars = folder === undefined || folder === '' || isChosen ? [] : serverJars(folder);
const servers = [{ name: 'the server of the tests', jar: undefined }, ...jars.map(jar => ({ name: jar.version, jar }))];

let ensemble: ZooKeeperEnsemble | undefined;
let home: string | undefined;

afterEach(async () => {
  await ensemble?.stop();
  if (home !== undefined) await rm(home, { recursive: true });
  ensemble = undefined;
  home = undefined;
});

async function start(
  jar: (typeof servers)[number]['jar'],
  systemProperties: Record<string, string>,
): Promise<ZooKeeperEnsemble> {
  if (jar !== undefined) {
    home = await temporaryFolder('zookeeper-home-');
    await fillServerFolder(home, jar);
  }
  ensemble = await startZooKeeper({
    ...(home !== undefined && { home }),
    systemProperties: {
      'zookeeper.snapCount': '20',
      'znode.container.checkIntervalMs': '100',
      'zookeeper.extendedTypesEnabled': 'true',
      ...systemProperties,
    },
  });
  return ensemble;
}

/** Plays everything that a log has a record for. @returns what the clients did, in order */
async function play(server: { port: number; data: string; version: string }): Promise<RecordedPlay> {
  const { port, data, version } = server;
  const clients = new RecordedPlay(port);
  const [a, b] = [await clients.session(40_000), await clients.session(50_000)];
  const held = ['/app/held', await playCreates(clients, a, isAtLeast(version, '3.5.0') ? Op.create2 : Op.create)];
  await clients.setData(a, '/app', 'first', 1);
  await clients.setData(b, '/app', undefined, 2);
  await clients.setData(b, '/app', 'long '.repeat(1_000), 3);
  await clients.setAcl(b, '/app/one-0000000001', 1);
  await clients.create(a, '/app/taken', 'ephemeral');
  await clients.delete(b, '/app/taken');
  await clients.multi(a, [
    clients.checkPart('/app', 3),
    clients.createPart(a, '/app/several', 'ephemeral'),
    clients.setDataPart('/app', 'in a multi', 4),
    clients.deletePart('/app/gone'),
  ]);
  held.push('/app/several');
  await clients.multi(b, [
    clients.undonePart(b, '/app/undone', 'ephemeral'),
    clients.refusedPart(clients.deletePart('/missing'), ErrorCode.NO_NODE),
    clients.refusedPart(clients.setDataPart('/app', 'undone', 9), ErrorCode.RUNTIME_INCONSISTENCY),
  ]);
  const paths = (all: string[]): string[] | undefined => (isAtLeast(version, '3.6.0') ? all : undefined);
  await playExpiry(clients, data, paths(['/app/expired']));
  if (isAtLeast(version, '3.5.3')) await playRemovals(clients, b, data);
  await clients.closeSession(a, paths(held));
  for (let write = 1; write <= 50; write++) await clients.setData(b, '/app/kept', `write ${write}`, write);
  return clients;
}

function isAtLeast(version: string, release: string): boolean {
  return version.localeCompare(release, 'en', { numeric: true }) >= 0;
}

type Client = Parameters<RecordedPlay['create']>[0];

/** @returns the path of a node that is held */
async function playCreates(clients: RecordedPlay, a: Client, newest: number): Promise<string> {
  await clients.create(a, '/app', 'persistent');
  await clients.createAgain(a, '/app');
  await clients.create(a, '/app/kept', 'persistent', { data: '' });
  await clients.create(a, '/app/one-', 'sequential', { op: newest });
  await clients.create(a, '/app/held', 'ephemeral', { op: newest });
  await clients.create(a, '/app/gone', 'persistent', { acl: [{ permissions: 31, scheme: 'world', id: 'anyone' }] });
  return clients.create(a, '/app/lock-', 'ephemeral sequential');
}

/** A client that is silent for too long. */
async function playExpiry(clients: RecordedPlay, data: string, paths: string[] | undefined): Promise<void> {
  const client = await clients.session(500);
  await clients.create(client, '/app/expired', 'ephemeral');
  client.close();
  const { sessionId } = client.session;
  clients.note({ sessionId, cxid: 0, change: { type: 'closeSession', ...(paths && { paths }) } });
  await hasWritten(data, clients);
}

/** Nodes that the server removes by itself. */
async function playRemovals(clients: RecordedPlay, client: Client, data: string): Promise<void> {
  await clients.create(client, '/box', 'container', { op: Op.createContainer });
  await clients.create(client, '/box/child', 'persistent');
  await clients.delete(client, '/box/child');
  clients.note({ sessionId: 0n, cxid: 0, change: { type: 'delete', path: '/box' } });
  await hasWritten(data, clients);
  await clients.create(client, '/short', 'ttl', { op: Op.createTtl });
  clients.note({ sessionId: 0n, cxid: 0, change: { type: 'delete', path: '/short' } });
  await hasWritten(data, clients);
}

async function hasWritten(data: string, { done }: RecordedPlay): Promise<void> {
  const written = async (): Promise<number> => (await transactions(data)).filter(each => !isSecondRemoval(each)).length;
  await eventually(async () => expect(await written()).toBe(done.length), 30_000, 50);
}

/** A server that is slow removes a node again before it is gone: that is refused, and logged too. */
function isSecondRemoval({ sessionId, change }: Transaction<StoredData>): boolean {
  return sessionId === 0n && change.type === 'error' && change.code === ErrorCode.NO_NODE;
}

async function transactions(data: string): Promise<Transaction<StoredData>[]> {
  const { logs, problems } = await listLogFolder(data);
  const all: Transaction<StoredData>[] = [];
  expect(problems).toEqual([]);
  for (const { path, firstZxid } of logs) {
    const before = all.length;
    for await (const { records, problem } of readLog(path)) {
      expect(problem).toBeUndefined();
      for (const { transaction } of records) all.push(transaction);
    }
    expect(all[before]?.zxid).toBe(firstZxid);
  }
  return all;
}

/** As `Done` has it: data are bytes, and paths in the order of their names. */
async function asDone({ sessionId, cxid, zxid, change }: Transaction<StoredData>): Promise<unknown> {
  if (change.type === 'closeSession' && change.paths !== undefined) {
    return { sessionId, cxid, zxid, change: { ...change, paths: [...change.paths].sort() } };
  }
  const isLong = 'data' in change && change.data !== undefined && !(change.data instanceof Uint8Array);
  const data = isLong ? { data: new Uint8Array(await readStored(change.data)) } : {};
  return { sessionId, cxid, zxid, change: { ...change, ...data } };
}

/** What a client reads of all nodes, in the form of a snapshot. */
async function readTree(port: number): Promise<Map<string, SnapshotNode>> {
  const client = await WireClient.withSession(port);
  const nodes = new Map<string, SnapshotNode>();
  const paths = ['/'];
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    const asked = path;
    const { body: children } = await client.request(Op.getChildren2, writer => writer.string(asked).bool(false));
    for (const name of children.strings()) paths.push(path === '/' ? `/${name}` : `${path}/${name}`);
    const { body } = await client.request(Op.getData, writer => writer.string(asked).bool(false));
    const data = body.optionalBytes();
    const { numChildren, dataLength, ephemeralOwner, cversion, ...stat } = readStat(body);
    expect(dataLength).toBe(data?.length ?? 0);
    const acl = readAclBits((await client.request(Op.getAcl, writer => writer.string(asked))).body);
    const created = (cversion + numChildren) / 2;
    nodes.set(path, { ...stat, data: data && new Uint8Array(data), acl, owner: ephemeralOwner, cversion: created });
  }
  client.close();
  return nodes;
}

async function readWhole(file: string): Promise<{
  result: SnapshotResult;
  nodes: Map<string, SnapshotNode>;
  sessions: Map<bigint, number>;
}> {
  const nodes = new Map<string, SnapshotNode>();
  const sessions = new Map<bigint, number>();
  const result = await readSnapshot(file, {
    session: (id, timeoutMs) => sessions.set(id, timeoutMs),
    node: (path, node) => nodes.set(path, node),
  });
  return { result, nodes, sessions };
}

const compressions: Compression[] = ['none', 'gz', 'snappy'];
const cases = servers.flatMap(({ name, jar }) =>
  compressions
    .filter(compression => compression === 'none' || jar === undefined || !/^3\.[45]\./.test(jar.version))
    .map(compression => ({ name, jar, compression })),
);

describe.each(cases)('logs and snapshots of $name (snapshots: $compression)', ({ jar, compression }) => {
  it('say exactly what was done', async () => {
    const begun = Date.now();
    const method = compression === 'none' ? '' : compression;
    const server = (await start(jar, { 'zookeeper.snapshot.compression.method': method })).servers[0]!;
    const data = join(server.folder, 'data');
    const version = await serverVersion(server.port);
    const clients = await play({ port: server.port, data, version });
    const logged = await transactions(data);
    const ended = Date.now();

    expect(logged.map(({ zxid }) => zxid)).toEqual(logged.map((_, at) => BigInt(at + 1)));
    const expected = clients.done.map(each => ({ ...each, zxid: each.zxid ?? (expect.any(BigInt) as bigint) }));
    const done = logged.filter(each => !isSecondRemoval(each));
    expect(await Promise.all(done.map(asDone))).toEqual(expected);
    for (const { time } of logged) {
      expect(time).toBeGreaterThanOrEqual(begun);
      expect(time).toBeLessThanOrEqual(ended);
    }
    expect((await listLogFolder(data)).logs.length).toBeGreaterThan(2);

    clients.leave();
    await server.restart();
    const { snapshots } = await listLogFolder(data);
    const read = await Promise.all(snapshots.map(({ path }) => readWhole(path)));
    expect(snapshots.map(each => each.compression)).toEqual(snapshots.map(() => compression));
    expect(read.map(({ result }) => result.problem)).toEqual(snapshots.map(() => undefined));
    const { result, nodes, sessions } = read.at(-1)!;
    const truth = await readTree(server.port);
    const last = logged.at(-1)!.zxid;
    if (isAtLeast(version, '3.5.0')) {
      // A server that starts writes what it has read.
      expect([snapshots.at(-1)!.zxid, result.lastZxid]).toEqual([last, last]);
    } else {
      // The last snapshot is from before, when only this node was written to.
      for (const each of [nodes, truth]) expect(each.delete('/app/kept')).toBe(true);
    }
    expect(nodes).toEqual(truth);
    expect([...sessions.values()]).toEqual([50_000]);
  });
});

describe.each(['true', 'false'])('a server that writes no paths of closed sessions (digests: %s)', digests => {
  it('has logs and snapshots that can be read', async () => {
    const properties = { 'zookeeper.closeSessionTxn.enabled': 'false', 'zookeeper.digest.enabled': digests };
    const server = (await start(undefined, properties)).servers[0]!;
    const data = join(server.folder, 'data');
    const clients = new RecordedPlay(server.port);
    const client = await clients.session(30_000);
    await clients.create(client, '/held', 'ephemeral');
    await clients.closeSession(client, undefined);
    expect(await Promise.all((await transactions(data)).map(asDone))).toMatchObject(clients.done);
    expect((await transactions(data)).at(-1)?.change).toEqual({ type: 'closeSession' });
    await server.restart();
    const { snapshots } = await listLogFolder(data);
    expect((await readWhole(snapshots.at(-1)!.path)).result).toMatchObject({ lastZxid: 3n, nodes: 4 });
  });
});

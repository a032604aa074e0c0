import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ClusterNode, ContenderNode } from '../../../src/app/clusters/clusterModel.ts';
import type { AuditedAct } from '../../../src/app/deletes/auditList.ts';
import type { ClusterRegistry } from '../../../src/app/clusters/clusterRegistry.ts';
import { runDeletes, type DeleteSteps } from '../../../src/app/deletes/deletePipeline.ts';
import { lookAtContender } from '../../../src/app/deletes/lookAtContender.ts';
import { actFor, lookForStale } from '../../../src/app/deletes/lookForStale.ts';
import { forceDelete } from '../../../src/inspector/forceDelete.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { clusterNode, lockNode, profileNamed } from '../../unit/extension/fixtures.ts';

const realm = useTestRealm();
const lockPath = '/locks/a';
const stem = `${lockPath}/_c_01234567-89ab-cdef-0123-456789abcdef-lock-`;
const ownerQuery = { adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } };

let proxy: TcpProxy;
let client: ZooKeeperClient;
let cluster: ClusterNode;
let wire: { listings: number; reads: Map<string, number>; syncs: number; deletes: number };

beforeEach(async () => {
  wire = { listings: 0, reads: new Map(), syncs: 0, deletes: 0 };
  proxy = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]));
  client = await connect(proxy.connectString + realm.chroot);
  cluster = clusterNode({ profile: profileNamed('orders', { connectString: proxy.connectString + realm.chroot }) });
  proxy.onRequest(({ opcode, frame }) => {
    count(opcode, frame);
    return 'forward';
  });
});
afterEach(async () => {
  proxy.forwardAll();
  await Promise.all([client.close(), proxy.close()]);
});

const opcodes = { delete: 2, getData: 4, getChildren: [8, 12], sync: 9, multiRead: 22 };

/** Counts what one request frame asks for: length, xid and opcode, then the record; a multiRead holds many. */
function count(opcode: number | undefined, frame: Buffer): void {
  // Those of the root keep the session alive.
  if (opcode === opcodes.sync && frame.readInt32BE(12) > 1) wire.syncs++;
  if (opcode === opcodes.delete) wire.deletes++;
  if (opcode !== opcodes.multiRead) {
    if (opcode !== undefined && opcode > 0) countRead(opcode, frame, 12);
    return;
  }
  for (let at = 12; frame.readUInt8(at + 4) === 0;) at = countRead(frame.readInt32BE(at), frame, at + 9);
}

/** @returns where the record of a read ends: a path and one byte for the watch */
function countRead(type: number, frame: Buffer, at: number): number {
  const end = at + 4 + frame.readInt32BE(at);
  const path = frame.toString('utf8', at + 4, end).slice(realm.chroot.length);
  if (opcodes.getChildren.includes(type) && path === lockPath) wire.listings++;
  if (type === opcodes.getData) wire.reads.set(path, (wire.reads.get(path) ?? 0) + 1);
  return end + 1;
}

async function run<Seen>(steps: DeleteSteps<Seen>): Promise<{ outcomes: Set<string>; records: AuditedAct[] }> {
  const records: AuditedAct[] = [];
  const parts = {
    registry: { get: () => ({ node: cluster, connection: { client } }) } as unknown as ClusterRegistry,
    audit: { record: (act: AuditedAct) => Promise.resolve(void records.push(act)) },
    sessions: { clientOf: () => Promise.resolve(client) },
  };
  const reports = await runDeletes(parts, cluster, steps);
  return { outcomes: new Set(reports.map(({ outcome }) => outcome)), records };
}

it('deletes exactly the 100 stale nodes of 1,000 with one reading of the queue, and reads each again before it goes', async () => {
  await realm.observer.ensure(lockPath);
  const plans = Array.from({ length: 1_000 }, (_, at) => ({ path: stem, sequence: true, ephemeral: at % 10 !== 5 }));
  const paths = await realm.observer.createMany(plans);
  const stale = new Set(paths.filter((_, at) => at % 10 === 5));
  const unused = (): never => {
    throw new Error('only one lock is read');
  };
  const browser = { node: cluster, findBelowRoots: unused, refresh: unused };
  const { outcomes, records } = await run({
    look: () =>
      lookForStale(browser, client, lockNode(undefined, cluster, lockPath), {
        ownerQuery,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      }),
    confirm: ({ choices }) => {
      // The program that made a node without an owner may live: the person chooses.
      expect(choices.filter(({ isPicked }) => isPicked)).toEqual([]);
      return Promise.resolve(choices.map(actFor));
    },
  });
  expect(outcomes).toEqual(new Set(['deleted']));
  expect(records).toHaveLength(100);
  expect([wire.listings, wire.syncs, wire.deletes]).toEqual([1, 100, 100]);
  expect(paths.filter(path => wire.reads.get(path) !== (stale.has(path) ? 2 : 1))).toEqual([]);
  const left = new Set((await realm.observer.ls(lockPath)).map(({ path }) => path));
  expect(left).toEqual(new Set(paths.filter(path => !stale.has(path))));
});

it('looks for empty lock directories beside lock directories, not beside a lock that is one node', async () => {
  const { observer } = realm;
  for (const path of [lockPath, '/locks/b/child', '/codis3/demo/proxy/child']) await observer.ensure(path);
  for (const path of ['/locks/b/child', '/codis3/demo/proxy/child']) await observer.delete(path);
  await observer.createMany([
    { path: stem, sequence: true, ephemeral: true },
    { path: '/codis3/demo/topom', data: '{"admin_addr":"10.0.0.4:18080"}' },
  ]);
  for (const path of [lockPath, '/codis3/demo/topom']) {
    const [queue] = await readQueues(client, path);
    cluster.locks.set(path, lockNode(queue, cluster, path));
  }
  const found = { locks: [], visited: 0, truncated: false, denied: [] };
  const browser = { node: cluster, findBelowRoots: () => Promise.resolve(found), refresh: () => Promise.resolve() };
  const { choices } = await lookForStale(browser, client, undefined, {
    ownerQuery,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  expect(choices.map(choice => actFor(choice).target.path)).toEqual(['/locks/b']);
});

it('reads the queue of a force delete once, with the pipeline and without', async () => {
  await realm.observer.ensure(lockPath);
  const plans = Array.from({ length: 3 }, () => ({ path: stem, sequence: true, ephemeral: true }));
  const [first] = await realm.observer.createMany(plans);
  const [queue] = await readQueues(client, lockPath);
  const [holder, next] = queue!.contenders;
  const row: ContenderNode = {
    type: 'contender',
    lock: lockNode(queue, cluster, lockPath),
    contender: holder!,
    position: 1,
    ahead: undefined,
  };
  wire.listings = 0;
  const { outcomes } = await run({
    look: () => lookAtContender(client, row, { ownerQuery, isOwn: false, now: Date.now() }),
    confirm: seen => {
      if (seen.kind !== 'found') throw new Error(seen.kind);
      const { target, consequences } = seen;
      return Promise.resolve([{ action: 'force delete', target, recognised: consequences.contender }]);
    },
  });
  expect([outcomes, holder?.path]).toEqual([new Set(['deleted']), first]);
  expect([wire.listings, wire.deletes]).toEqual([1, 1]);
  expect(await forceDelete(client, next!)).toBe('deleted');
  expect([wire.listings, wire.deletes]).toEqual([2, 2]);
});

it('refuses a contender with children before anything is asked', async () => {
  await realm.observer.ensure(lockPath);
  const path = await realm.observer.create(stem, { sequence: true });
  await realm.observer.create(`${path}/child`);
  const [queue] = await readQueues(client, lockPath);
  const row: ContenderNode = {
    type: 'contender',
    lock: lockNode(queue, cluster, lockPath),
    contender: queue!.contenders[0]!,
    position: 1,
    ahead: undefined,
  };
  const looking = run({
    look: () => lookAtContender(client, row, { ownerQuery, isOwn: false, now: Date.now() }),
    confirm: () => Promise.reject(new Error('a question was asked')),
  });
  await expect(looking).rejects.toMatchObject({ name: 'RefusedDelete', reason: 'has-children', path });
});

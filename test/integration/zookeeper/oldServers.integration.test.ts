import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReadRequest, TreeEvent, ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { RemovedFromQueue } from '../../../src/recipes/errors.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { allCases, begin, lockOf, lockPath } from '../recipes/cases.ts';

/**
 * A server of an older release: requests that came later reach the real server under a number that it does not know, so
 * that it answers and behaves as a server that lacks them.
 */
const realm = useTestRealm();
let proxy: TcpProxy;
let client: ZooKeeperClient;

beforeEach(async () => {
  proxy = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]));
});
afterEach(async () => {
  await client.close();
  await proxy.close();
});

const unknownOpcode = 99;
const unimplemented = -6;
const since36: readonly number[] = [Op.multiRead, Op.addWatch, Op.setWatches2, Op.whoAmI];
const since35: readonly number[] = [...since36, Op.create2, Op.createContainer, Op.removeWatches];

async function connectTo(missing: readonly number[]): Promise<void> {
  proxy.onRequest(({ opcode, frame }) => {
    if (opcode === undefined || !missing.includes(opcode)) return 'forward';
    const changed = Buffer.from(frame);
    changed.writeInt32BE(unknownOpcode, 8);
    return changed;
  });
  client = await connect(proxy.connectString + realm.chroot, { sessionTimeoutMs: 20_000 });
}

describe('3.5', () => {
  beforeEach(() => connectTo(since36));

  it('asks again, in order, what was under way when the first refusal ended the connection', async () => {
    await realm.observer.create('/n');
    const order: string[] = [];
    const note = (name: string) => () => order.push(name);
    await Promise.all([
      client.sync('/').then(note('sync')),
      client.getData('/n').then(note('read before')),
      client.readMany([{ op: 'getData', path: '/n' }]).then(note('read in bulk')),
      client.exists('/n').then(note('read behind')),
    ]);
    expect(order.slice(0, 2)).toEqual(['sync', 'read before']);
    expect(order.slice(2).sort()).toEqual(['read behind', 'read in bulk']);
    expect(proxy.counts.connections).toBe(2);
  });

  it('reads many nodes one by one', async () => {
    await realm.observer.createMany(Array.from({ length: 100 }, (_, index) => ({ path: `/n${index}`, data: 'd' })));
    const reads: ReadRequest[] = Array.from({ length: 100 }, (_, index) => ({ op: 'getData', path: `/n${index}` }));
    reads.splice(50, 0, { op: 'getData', path: '/gone' }, { op: 'getChildren', path: '/' });
    const answers = await client.readMany(reads);
    expect(answers.map(({ op, path }) => [op, path])).toEqual(
      reads.map(({ op, path }) => [path === '/gone' ? 'error' : op, path]),
    );
    expect(answers[51]).toMatchObject({ children: expect.arrayContaining(['n0', 'n99']) as string[] });
    const connections = proxy.counts.connections;
    const taken: string[] = [];
    await client.readMany(reads, { onResult: ({ path }, at) => (taken[at] = path) });
    expect(taken).toEqual(reads.map(({ path }) => path));
    expect(proxy.counts.connections).toBe(connections);
  });

  it('watches a tree by one-shot watches that it sets again', async () => {
    const events: TreeEvent[] = [];
    const watch = await client.watchTree('/q', event => events.push(event));
    for (const path of ['/q', '/q/a', '/q/b']) {
      const before = events.length;
      await realm.observer.create(path);
      await eventually(() => expect(events.length).toBeGreaterThan(before));
    }
    const before = events.length;
    await realm.observer.set('/q', 'x');
    await eventually(() => expect(events.length).toBeGreaterThan(before));
    expect(events.every(event => event.type === 'reread' && event.path === '/q')).toBe(true);
    watch.dispose();
    const after = events.length;
    await realm.observer.create('/q/c');
    await client.sync('/');
    expect(events).toHaveLength(after);
  });

  it('does not multiply its one-shot watches with every reconnect', async () => {
    await realm.observer.create('/q');
    const events: TreeEvent[] = [];
    await client.watchTree('/q', event => events.push(event));
    for (let round = 0; round < 3; round++) {
      const before = events.length;
      proxy.cut();
      await eventually(() => expect(events.length).toBe(before + 1));
    }
    const before = events.length;
    await realm.observer.create('/q/a');
    await eventually(() => expect(events.length).toBe(before + 1));
    await client.sync('/');
    await client.sync('/');
    expect(events.length).toBe(before + 1);
  });

  it('sets its one-shot watches again once it may, if it was denied', async () => {
    const everybody = [{ scheme: 'world', id: 'anyone', permissions: 'cdrwa' }];
    await realm.observer.create('/q');
    const events: TreeEvent[] = [];
    const watch = await client.watchTree('/q', event => events.push(event));
    // The refusal of `addWatch` cost a reconnect.
    events.length = 0;
    proxy.blackHole('up');
    await realm.observer.create('/q/a');
    await realm.observer.setAcl('/q', [{ scheme: 'world', id: 'anyone', permissions: 'cdwa' }]);
    proxy.blackHole('none');
    await eventually(() => expect(events).toHaveLength(1));
    await realm.observer.setAcl('/q', everybody);
    await eventually(() => expect(events).toHaveLength(2));
    await realm.observer.create('/q/b');
    await eventually(() => expect(events).toHaveLength(3));
    watch.dispose();
  });

  it('learns from one refusal, whatever is asked at the same time', async () => {
    const paths = ['/a', '/b', '/c'];
    await Promise.all(paths.map(path => client.watchTree(path, () => undefined)));
    await client.watchTree('/d', () => undefined);
    await client.readMany([{ op: 'getData', path: '/a' }]);
    expect(await client.whoAmI()).toBeUndefined();
    expect(proxy.counts.connections).toBe(2);
  });
});

/**
 * As `connectTo`, but the refusal of the first create is made here: a real 3.4 still answers what came in right behind, before
 * it closes the connection, and the newer server behind the proxy does so only at times.
 */
async function connectWithoutCreate2(): Promise<void> {
  const refused = new Set<number>();
  proxy.onRequest(({ xid, opcode, frame }) => {
    if (xid === undefined || opcode !== Op.create2) return 'forward';
    refused.add(xid);
    const harmless = Buffer.from(frame);
    harmless.writeInt32BE(Op.exists, 8);
    return harmless;
  });
  proxy.onReply(({ xid, frame }) => {
    if (xid === undefined || !refused.delete(xid)) return 'forward';
    const refusal = Buffer.from(frame.subarray(0, 20));
    refusal.writeInt32BE(16, 0);
    refusal.writeInt32BE(unimplemented, 16);
    return refusal;
  });
  client = await connect(proxy.connectString + realm.chroot, { sessionTimeoutMs: 20_000 });
}

describe('locks on 3.4', () => {
  it.each(allCases)('are taken as the first thing of a session: $title', async one => {
    await realm.observer.ensure(one.recipe === 'exclusive' ? '/locks' : lockPath);
    await connectWithoutCreate2();
    for (let round = 0; round < 2; round++) {
      const lease = await lockOf(client, one).acquire({ timeoutMs: 10_000 });
      expect(lease.state).toBe('held');
      await lease.release();
    }
  });

  it('report a node that another client deleted while it waited', async () => {
    await connectWithoutCreate2();
    const holder = await lockOf(client, allCases[0]!).acquire();
    const waiter = begin(lockOf(client, allCases[0]!));
    const { path } = await waiter.waits;
    await realm.observer.delete(path!);
    await expect(waiter.taking).rejects.toThrow(RemovedFromQueue);
    await holder.release();
  });
});

describe('3.4', () => {
  beforeEach(() => connectTo(since35));

  it('learns from one refusal that it lacks what came later, too', async () => {
    const made = await client.create('/node', { mode: 'container' });
    await client.readMany([{ op: 'getData', path: made.path }]);
    (await client.watchTree('/node', () => undefined)).dispose();
    await client.create('/node/below');
    expect(await client.whoAmI()).toBeUndefined();
    // The container itself came with 3.5.1, and so says nothing about `create2`.
    expect(proxy.counts.connections).toBe(3);
  });

  it('creates by the old request and asks for the stat', async () => {
    const plain = await client.create('/plain', { data: Buffer.from('x') });
    expect(plain).toMatchObject({ path: '/plain', stat: { dataLength: 1 } });
    const sequential = await client.create('/plain/n-', { mode: 'ephemeral_sequential' });
    expect(sequential).toMatchObject({ path: '/plain/n-0000000000', stat: { ephemeralOwner: client.sessionId } });
    expect(await realm.observer.ls('/plain')).toMatchObject([{ czxid: sequential.stat.czxid }]);
  });

  it('creates a persistent node in place of a container, exactly one', async () => {
    const made = await client.create('/container', { mode: 'container' });
    expect(made.path).toBe('/container');
    expect((await realm.observer.ls('/')).map(node => [node.name, node.czxid])).toEqual([
      ['container', made.stat.czxid],
    ]);
    await expect(client.create('/container', { mode: 'container' })).rejects.toMatchObject({ codeName: 'NODE_EXISTS' });
  });
});

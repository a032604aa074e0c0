import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { ClusterBrowser, type Inspector } from '../../../../src/app/clusters/clusterBrowser.ts';
import type { ClusterNode, LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { DeferredRecorders } from '../../../../src/app/clusters/clusterRecorder.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { eventually } from '../../../support/eventually.ts';
import { browserParts, contender, idleInspector, now, profileNamed, queueOf } from '../../extension/fixtures.ts';
import { contenderName, FakePast, FakeRecorders, recordingState } from './fakeRecorders.ts';

const start = now - 100_000;
const [first, second] = [contenderName(1, 0), contenderName(2, 1)];

let recorders: FakeRecorders;
let past: FakePast;
let queue: LockQueue;
let fired: (ClusterNode | LockNode)[];
let clock: number;
let browser: ClusterBrowser;

const heldSince = () => browser.node.locks.get('/locks/a')?.queue?.contenders[0]?.heldSince;

beforeEach(async () => {
  recorders = new FakeRecorders();
  past = new FakePast(start);
  fired = [];
  clock = 0;
  const czxid = past.come(first, 10);
  const next = past.come(second, 20);
  past.go(first, czxid, 50);
  queue = queueOf([contender(second, { role: 'holder', czxid: next, createdAt: start + 20_000, identifier: '' })]);
  const inspector: Inspector = {
    ...idleInspector,
    readQueues: () => Promise.resolve([queue]),
    watchQueues: (_, __, listener) => {
      listener([queue]);
      return Promise.resolve(toDisposable(() => undefined));
    },
  };
  const parts = browserParts({
    recorders,
    loadInspector: () => Promise.resolve(inspector),
    onChange: node => fired.push(node),
    now: () => clock,
    wallNow: () => now,
  });
  browser = new ClusterBrowser(profileNamed('orders'), parts);
  await browser.connect();
});

describe('since when a lock of a live cluster is held', () => {
  it('is known to a second where the recorder of this window saw another node go', async () => {
    await browser.open('/locks/a');
    expect(heldSince()?.earliest).not.toBe(heldSince()?.latest);
    recorders.change('orders', recordingState, past.state);
    const handOver = start + 50_000;
    const known = { earliest: handOver - 1_000, latest: handOver };
    await eventually(() => expect(heldSince()).toEqual(known));
    expect(fired).toContain(browser.node.locks.get('/locks/a'));
    await browser.refresh('/locks/a');
    expect(heldSince()).toEqual(known);
    expect(browser.node.sightings.narrow([queue])[0]?.contenders[0]?.heldSince?.latest).toBe(handOver);
  });

  it('is exact where its own node came with it', async () => {
    const alone = new FakePast(start);
    const czxid = alone.come(second, 20);
    queue = queueOf([contender(second, { role: 'holder', czxid, createdAt: start + 20_000, identifier: '' })]);
    recorders.change('orders', recordingState, alone.state);
    await browser.open('/locks/a');
    expect(heldSince()).toEqual({ earliest: start + 20_000, latest: start + 20_000 });
  });

  it('is not taken from a recorder that did not know the clock of the servers when another node went', async () => {
    const late = new FakePast(start + 30_000);
    late.apply({ type: 'begin', at: late.at(0) });
    const [gone, next] = [first, second].map((name, at) => ({ path: `/locks/a/${name}`, czxid: BigInt(at + 1) }));
    for (const { path, czxid } of [gone!, next!]) {
      const times = { czxid, mzxid: czxid, ctime: start + 20_000, mtime: start + 20_000, version: 0 };
      late.apply({ type: 'node', at: late.at(0), node: { path, ...times, owner: 0x100n, data: new Uint8Array(0) } });
    }
    late.apply({ type: 'complete', at: late.at(0) });
    late.go(first, gone!.czxid, 5);
    queue = queueOf([
      contender(second, { role: 'holder', czxid: next!.czxid, createdAt: start + 20_000, identifier: '' }),
    ]);
    await browser.open('/locks/a');
    const before = heldSince();
    recorders.change('orders', recordingState, late.state);
    expect(late.state.holdOf(next!.path, next!.czxid)?.from.time).toBe(start + 35_000);
    expect(heldSince()).toEqual(before);
  });

  it('is at the latest when recording began, of one that held before', async () => {
    const before = new FakePast(start + 60_000);
    before.state.apply({ type: 'begin', at: before.at(0) });
    const { czxid } = queue.contenders[0]!;
    const node = { path: `/locks/a/${second}`, czxid, mzxid: czxid, ctime: start + 20_000, mtime: start + 20_000 };
    const data = new Uint8Array(0);
    before.apply({ type: 'node', at: before.at(0), node: { ...node, version: 0, owner: 0x100n, data } });
    before.apply({ type: 'complete', at: before.at(0) });
    recorders.change('orders', recordingState, before.state);
    await browser.open('/locks/a');
    expect(heldSince()).toEqual({ earliest: start + 20_000, latest: start + 60_000 });
  });

  it('is not taken from another node at the same path', async () => {
    recorders.change('orders', recordingState, past.state);
    queue = queueOf([contender(second, { role: 'holder', czxid: 999n, createdAt: start })]);
    await browser.open('/locks/a');
    expect(heldSince()?.latest).not.toBe(start + 50_000);
  });

  it('is not taken from a former holder of a node that stays', async () => {
    const other = { holdOf: () => ({ ...past.state.holds()[0]!, identifier: 'other', from: past.at(1) }) };
    recorders.change('orders', recordingState, Object.assign(Object.create(past.state) as typeof past.state, other));
    await browser.open('/locks/a');
    expect(heldSince()?.latest).not.toBe(past.at(1).time);
  });
});

describe('the row of a recorded cluster', () => {
  const rows = () => fired.filter(node => node.type === 'cluster').length;

  it('is drawn when its state changes, and for figures only now and then', () => {
    fired = [];
    recorders.change('orders', { kind: 'starting' });
    recorders.change('orders', recordingState, past.state);
    expect(rows()).toBe(2);
    for (let bytes = 0; bytes < 10; bytes++) recorders.change('orders', { ...recordingState, bytes });
    expect(rows()).toBe(2);
    clock = 60_000;
    recorders.change('orders');
    recorders.change('orders', { kind: 'failed', error: new Error('x') });
    expect(rows()).toBe(4);
    recorders.change('another', { kind: 'off' });
    expect(rows()).toBe(4);
  });

  it('is not drawn any more when the cluster is gone', () => {
    browser.dispose();
    fired = [];
    recorders.change('orders', { kind: 'starting' });
    expect(fired).toEqual([]);
  });
});

describe('recorders that are not there yet', () => {
  it('record nothing, and are followed from then on', () => {
    const deferred = new DeferredRecorders(nullLogger);
    const changed: string[] = [];
    deferred.onChange(id => changed.push(id));
    expect(deferred.state('orders')).toEqual({ kind: 'off' });
    expect(deferred.past('orders')).toBeUndefined();
    deferred.follow(recorders);
    deferred.follow(new FakeRecorders());
    recorders.change('orders', recordingState, past.state);
    expect(changed).toEqual(['orders']);
    expect(deferred.state('orders')).toBe(recordingState);
    expect(deferred.past('orders')).toBe(past.state);
  });
});

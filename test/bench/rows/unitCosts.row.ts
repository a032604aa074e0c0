import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { Bench } from '../bench.ts';
import { Collector } from '../collector.ts';
import { contender } from '../fixtures.ts';
import { ours, type Row } from '../row.ts';
import { heapInUse } from '../serverHeap.ts';
import { watchCount } from '../serverMetrics.ts';

const locks = 100;

interface Moved {
  bytes: number;
  requests: number;
}

function moved(proxy: TcpProxy): Moved {
  const { bytes, frames } = proxy.counts;
  return { bytes: bytes.up + bytes.down, requests: frames.up };
}

async function watchesOf(bench: Bench, before: number, count: number): Promise<number> {
  return ((await watchCount(bench.port)) - before) / count;
}

/** What a watch takes of the server's memory, with the path that it keeps. */
async function measureWatchMemory(bench: Bench, collector: Collector, size: number): Promise<void> {
  const count = bench.options.quick ? 50 : 10_000;
  const root = await bench.fixtures.locks(count, 1);
  const pid = bench.ensemble.servers[0]?.pid ?? 0;
  const before = heapInUse(pid);
  const paths = Array.from({ length: count }, (_, index) => `${root}/l${index}`);
  const watches = await Promise.all(paths.map(path => bench.client.watchTree(path, () => undefined)));
  const grown = heapInUse(pid) - before;
  for (const watch of watches) watch.dispose();
  collector.add(ours, { measure: "a watch in the server's heap", unit: 'bytes', size }, grown / count);
}

/** What one user's session sends and receives for one lock with so many contenders: to begin with, and for every change. */
async function measureSize(bench: Bench, size: number, collector: Collector): Promise<void> {
  const count = bench.options.quick ? 3 : locks;
  const root = await bench.fixtures.locks(count, size);
  const proxy = await startTcpProxy(bench.port);
  const client = await connect(proxy.connectString);
  try {
    let calls = 0;
    const before = await watchCount(bench.port);
    const start = moved(proxy);
    const watches = [];
    for (let index = 0; index < count; index += 1) {
      watches.push(await watchQueues(client, `${root}/l${index}`, () => (calls += 1)));
    }
    const shown = moved(proxy);
    collector.add(ours, { measure: 'bytes to show a lock', unit: 'bytes', size }, (shown.bytes - start.bytes) / count);
    const requests = (shown.requests - start.requests) / count;
    collector.add(ours, { measure: 'requests to show a lock', unit: 'count', size }, requests);
    collector.add(
      ours,
      { measure: 'watches to show a lock', unit: 'count', size },
      await watchesOf(bench, before, count),
    );
    calls = 0;
    for (let index = 0; index < count; index += 1) {
      const { path, ...options } = contender(`${root}/l${index}`, index);
      await bench.client.create(path, options);
    }
    await eventually(() => {
      if (calls < count) throw new Error(`${calls} of ${count} changes were told.`);
    });
    const changed = moved(proxy);
    const bytes = (changed.bytes - shown.bytes) / count;
    collector.add(ours, { measure: 'bytes for a change', unit: 'bytes', size }, bytes);
    const reads = (changed.requests - shown.requests) / count;
    collector.add(ours, { measure: 'requests for a change', unit: 'count', size }, reads);
    for (const watch of watches) watch.dispose();
  } finally {
    await client.close();
    await proxy.close();
  }
}

/** Bulk reads grow as a search goes on, so it is counted over many locks; at most so many contenders are made for it. */
const mostSearched = 10_000;
const mostContenders = 100_000;

/** What one search sends and receives. */
async function measureSearch(bench: Bench, size: number, collector: Collector): Promise<void> {
  const count = bench.options.quick ? 3 : Math.min(mostSearched, mostContenders / size);
  const root = await bench.fixtures.locks(count, size);
  const proxy = await startTcpProxy(bench.port);
  const client = await connect(proxy.connectString);
  try {
    const before = moved(proxy);
    const { locks: found } = await findLocks(client, root);
    const after = moved(proxy);
    if (found.length !== count) throw new Error(`${found.length} of ${count} locks were found.`);
    collector.add(ours, { measure: 'locks searched', unit: 'count', size }, count);
    collector.add(ours, { measure: 'bytes of that search', unit: 'bytes', size }, after.bytes - before.bytes);
    collector.add(ours, { measure: 'requests of that search', unit: 'count', size }, after.requests - before.requests);
  } finally {
    await client.close();
    await proxy.close();
  }
}

export const unitCostsRow: Row = {
  id: 'unit-costs',
  title: 'what one lock on display costs an ensemble',
  sizeOf: 'contenders of the lock',
  sizes: [1, 10, 100],
  main: 10,
  quick: 2,
  targets: [],
  async measure(bench) {
    const collector = new Collector();
    for (const size of bench.sizes(this)) await measureSize(bench, size, collector);
    for (const size of bench.sizes(this)) await measureSearch(bench, size, collector);
    await measureWatchMemory(bench, collector, bench.options.quick ? this.quick : this.main);
    return collector.figures;
  },
};

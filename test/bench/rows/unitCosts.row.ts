import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { Bench } from '../bench.ts';
import { Collector } from '../collector.ts';
import { contender } from '../fixtures.ts';
import { ours, type Row } from '../row.ts';

const locks = 100;

interface Moved {
  bytes: number;
  requests: number;
}

function moved(proxy: TcpProxy): Moved {
  const { bytes, frames } = proxy.counts;
  return { bytes: bytes.up + bytes.down, requests: frames.up };
}

/** What one user's session sends and receives for one lock with so many contenders: to begin with, and for every change. */
async function measureSize(bench: Bench, size: number, collector: Collector): Promise<void> {
  const count = bench.options.quick ? 3 : locks;
  const root = await bench.fixtures.locks(count, size);
  const proxy = await startTcpProxy(bench.port);
  const client = await connect(proxy.connectString);
  try {
    let calls = 0;
    const start = moved(proxy);
    const watches = [];
    for (let index = 0; index < count; index += 1) {
      watches.push(await watchQueues(client, `${root}/l${index}`, () => (calls += 1)));
    }
    const shown = moved(proxy);
    collector.add(ours, { measure: 'bytes to show a lock', unit: 'bytes', size }, (shown.bytes - start.bytes) / count);
    const requests = (shown.requests - start.requests) / count;
    collector.add(ours, { measure: 'requests to show a lock', unit: 'count', size }, requests);
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
    return collector.figures;
  },
};

import { eventually } from '../../support/eventually.ts';
import type { JsonLines } from '../../support/jsonLines.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';
import type { Bench } from '../bench.ts';
import { Collector, takeTurns } from '../collector.ts';
import { contenderPrefix } from '../fixtures.ts';
import { lockers, type Row } from '../row.ts';
import { watchCount } from '../serverMetrics.ts';

interface HandOver {
  bytes: number;
  ms: number;
}

/** From the holder's node being deleted until the next in the queue says that it holds. */
async function handOver(bench: Bench, program: JsonLines, path: string): Promise<HandOver> {
  const { client } = bench;
  const proxy = await startTcpProxy(bench.port);
  try {
    const name = `${path}/${contenderPrefix()}`;
    const holder = await client.create(name, { mode: 'ephemeral_sequential' });
    let fewest = await watchCount(bench.port);
    const entering = program.request('enter', { path, hosts: proxy.connectString });
    await eventually(async () => {
      const watches = await watchCount(bench.port);
      // The session of the one before may still lose its own.
      fewest = Math.min(fewest, watches);
      if (watches === fewest) throw new Error('The next contender does not wait yet.');
    }, 60_000);
    const { counts } = proxy;
    const bytes = counts.bytes.up + counts.bytes.down;
    const start = performance.now();
    await client.remove(holder.path, 0);
    await entering;
    const ms = performance.now() - start;
    const moved = counts.bytes.up + counts.bytes.down - bytes;
    await program.request('leave');
    return { ms, bytes: moved };
  } finally {
    await proxy.close();
  }
}

export const handOverRow: Row = {
  id: 'hand-over',
  title: 'hand-over with waiters behind: what the new holder receives and sends, and how long it takes',
  sizeOf: 'waiters',
  sizes: [500, 5_000, 50_000],
  main: 5_000,
  quick: 10,
  targets: [
    { measure: 'bytes', kind: 'flat', times: 1.05 },
    { measure: 'bytes', kind: 'better', than: 'Curator', times: 20 },
    { measure: 'time', kind: 'better', than: 'Curator', times: 1 },
  ],
  async measure(bench) {
    const collector = new Collector();
    const participants = lockers(bench);
    for (const size of bench.sizes(this)) {
      const path = await bench.fixtures.lateWaiters(size);
      const turns = (keep: boolean) =>
        participants.map(([name, program]): [string, () => Promise<void>] => [
          name,
          async () => {
            const { bytes, ms } = await handOver(bench, program, path);
            if (!keep) return;
            collector.add(name, { measure: 'bytes', unit: 'bytes', size }, bytes);
            collector.add(name, { measure: 'time', unit: 'ms', size }, ms);
          },
        ]);
      await takeTurns(1, new Map(turns(false)));
      await takeTurns(bench.rounds(size > this.main ? 3 : 5), new Map(turns(true)));
    }
    return collector.figures;
  },
};

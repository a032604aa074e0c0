import { eventually } from '../../support/eventually.ts';
import type { JsonLines } from '../../support/jsonLines.ts';
import type { Bench } from '../bench.ts';
import { Collector } from '../collector.ts';
import { contenderPrefix } from '../fixtures.ts';
import { ours, type Row } from '../row.ts';
import { watchCount } from '../serverMetrics.ts';
import { percentile } from '../statistics.ts';

const everyMs = 5;

/**
 * Changes one lock after the other, and compares when the request left with when the listener was called.
 *
 * @param made gets the nodes: to be removed when all is measured, since what follows would wait for that
 */
async function changeAndListen(
  bench: Bench,
  watcher: JsonLines,
  [root, size]: readonly [string, number],
  made: string[],
): Promise<number[]> {
  const changes = bench.options.quick ? 10 : 400;
  const sent = new Map<string, bigint>();
  for (let change = 0; change < changes; change += 1) {
    const path = `${root}/l${(change * 7) % size}/${contenderPrefix()}`;
    const at = process.hrtime.bigint();
    const { path: created, stat } = await bench.client.create(path, { mode: 'ephemeral_sequential' });
    made.push(created);
    sent.set(stat.czxid.toString(), at);
    await new Promise(resolve => setTimeout(resolve, everyMs));
  }
  const times: number[] = [];
  await eventually(async () => {
    for (const { czxid, at } of (await watcher.request('arrivals')) as { czxid: string; at: string }[]) {
      const start = sent.get(czxid);
      if (start !== undefined) times.push(Number(BigInt(at) - start) / 1e6);
    }
    if (times.length < changes) throw new Error(`${times.length} of ${changes} changes were seen.`);
  });
  return times;
}

export const latencyRow: Row = {
  id: 'latency',
  title: 'from a change being sent to the listener of watchQueues in another program',
  sizeOf: 'watched locks',
  sizes: [100, 1_000, 10_000],
  main: 1_000,
  quick: 5,
  targets: [
    { measure: 'p50', kind: 'below', limit: 5 },
    { measure: 'p99', kind: 'below', limit: 20 },
    { measure: 'watches per lock', kind: 'equal', value: 1 },
  ],
  async measure(bench) {
    const collector = new Collector();
    for (const size of bench.sizes(this)) {
      const root = await bench.fixtures.locks(size, 1);
      const watcher = bench.programs.freshOurs();
      const made: string[] = [];
      try {
        const before = await watchCount(bench.port);
        await watcher.request('watch', { root, count: size, notes: true });
        const watches = (await watchCount(bench.port)) - before;
        collector.add(ours, { measure: 'watches per lock', unit: 'count', size }, watches / size);
        await changeAndListen(bench, watcher, [root, Math.min(size, 50)], made);
        for (let round = 0; round < bench.rounds(size === this.main ? 2 : 1); round += 1) {
          const times = await changeAndListen(bench, watcher, [root, size], made);
          collector.add(ours, { measure: 'p50', unit: 'ms', size }, percentile(times, 0.5));
          collector.add(ours, { measure: 'p99', unit: 'ms', size }, percentile(times, 0.99));
        }
      } finally {
        await watcher.close();
        await Promise.all(made.map(path => bench.client.remove(path, 0)));
      }
    }
    return collector.figures;
  },
};

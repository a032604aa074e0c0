import type { JsonLines } from '../../support/jsonLines.ts';
import { Changes } from '../changes.ts';
import { Collector } from '../collector.ts';
import { ours, type Row } from '../row.ts';

interface Usage {
  listings: number;
  calls: number;
  cpuMs: number;
  nowMs: number;
}

const contendersEach = 100;

async function measureRate(
  watcher: JsonLines,
  changes: Changes,
  perSecond: number,
  ms: number,
): Promise<{ made: number; cpu: number; listings: number; calls: number; grownMb: number }> {
  const usage = async (): Promise<Usage> => (await watcher.request('usage')) as Usage;
  const used = async (): Promise<number> => {
    const { heap, external } = (await watcher.request('memory')) as { heap: number; external: number };
    return heap + external;
  };
  await changes.run(perSecond, Math.min(ms, 1_000));
  const usedBefore = await used();
  const before = await usage();
  const made = await changes.run(perSecond, ms);
  const after = await usage();
  return {
    made: (made / (after.nowMs - before.nowMs)) * 1000,
    cpu: ((after.cpuMs - before.cpuMs) / (after.nowMs - before.nowMs)) * 100,
    listings: after.listings - before.listings,
    calls: ((after.calls - before.calls) / (after.nowMs - before.nowMs)) * 1000,
    grownMb: ((await used()) - usedBefore) / 1e6,
  };
}

export const loadRow: Row = {
  id: 'load',
  title: 'watch 1,000 locks with 100 contenders each while they change',
  sizeOf: 'changes per second',
  sizes: [50, 500, 5_000],
  main: 500,
  quick: 20,
  targets: [
    { measure: 'listings after the first', kind: 'equal', value: 0 },
    { measure: 'share of a core', kind: 'below', limit: 30 },
    { measure: 'memory grown', kind: 'below', limit: 5 },
  ],
  async measure(bench) {
    const { quick, long } = bench.options;
    const locks = quick ? 5 : 1_000;
    const root = await bench.fixtures.locks(locks, quick ? 3 : contendersEach);
    const collector = new Collector();
    const watcher = bench.programs.freshOurs();
    const changes = new Changes(bench, root, locks);
    try {
      await watcher.request('watch', { root, count: locks });
      // The most changes first: they let the compiler see the work.
      for (const size of bench.sizes(this).toReversed()) {
        const ms = quick ? 500 : size !== this.main ? 2_000 : long ? 60_000 : 8_000;
        const { made, cpu, listings, calls, grownMb } = await measureRate(watcher, changes, size, ms);
        collector.add(ours, { measure: 'measured for', unit: 's', size }, ms / 1000);
        collector.add(ours, { measure: 'share of a core', unit: '%', size }, cpu);
        collector.add(ours, { measure: 'listings after the first', unit: 'count', size }, listings);
        collector.add(ours, { measure: 'changes made per second', unit: 'count', size }, made);
        collector.add(ours, { measure: 'snapshots per second', unit: 'count', size }, calls);
        collector.add(ours, { measure: 'memory grown', unit: 'MB', size }, grownMb);
      }
    } finally {
      await changes.end();
      await watcher.close();
    }
    return collector.figures;
  },
};

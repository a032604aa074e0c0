import { Collector } from '../collector.ts';
import { compareLooks, withLookBundle } from '../firstLooks.ts';
import type { Row } from '../row.ts';

const contendersEach = 10;

export const firstClusterRow: Row = {
  id: 'first-cluster',
  title:
    'first look at a cluster: load the code, connect, find all locks, read and watch each, make the rows with holders',
  sizeOf: `locks, with ${contendersEach} contenders each`,
  sizes: [100, 1_000],
  main: 1_000,
  quick: 4,
  targets: [
    { measure: 'time', kind: 'below', limit: 1_500 },
    { measure: 'time', kind: 'better', than: 'kazoo', times: 30 },
  ],
  async measure(bench) {
    const collector = new Collector();
    await withLookBundle(async bundle => {
      for (const size of bench.sizes(this)) {
        const path = await bench.fixtures.locks(size, contendersEach);
        const sight = { kind: 'cluster', path, locks: size, contenders: size * contendersEach, size } as const;
        await compareLooks(bench, bundle, sight, collector);
      }
    });
    return collector.figures;
  },
};

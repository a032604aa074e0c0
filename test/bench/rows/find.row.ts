import type { Bench } from '../bench.ts';
import { Collector, takeTurns } from '../collector.ts';
import { ours, type Row } from '../row.ts';

interface Search {
  ms: number;
  found?: number;
}

async function measureSize(bench: Bench, size: number, main: number, collector: Collector): Promise<void> {
  const { root, locks } = await bench.fixtures.tree(size);
  const { programs } = bench;
  const what = { measure: 'time', unit: 'ms', size } as const;
  const turn =
    (participant: string, search: () => Promise<Search>): (() => Promise<void>) =>
    async () => {
      const { ms, found } = await search();
      if (found !== undefined && found !== locks) throw new Error(`${participant} found ${found} of ${locks} locks.`);
      collector.add(participant, what, ms);
    };
  const own: [string, () => Promise<void>] = [
    ours,
    turn(ours, async () => (await programs.ours.request('find', { root })) as Search),
  ];
  await takeTurns(bench.rounds(size > main ? 1 : 3), new Map([own]));
  // The first searches have shown the work to the compiler.
  collector.figures.find(figure => figure.participant === ours && figure.size === size)?.values.splice(0);
  const zkCli: [string, () => Promise<void>] = ['zkCli ls -R', turn('zkCli ls -R', () => programs.zkCli.list(root))];
  const kazoo: [string, () => Promise<void>] = [
    'kazoo walk',
    turn('kazoo walk', async () => (await programs.kazoo.request('find', { root })) as Search),
  ];
  const others = size > main ? [] : [zkCli, kazoo];
  await takeTurns(bench.rounds(size > main ? 1 : 2), new Map([own, ...others]));
  await takeTurns(bench.rounds(3), new Map([own]));
}

export const findRow: Row = {
  id: 'find',
  title: 'discover the locks in a tree',
  sizeOf: 'znodes',
  sizes: [10_000, 100_000],
  main: 100_000,
  quick: 200,
  targets: [
    { measure: 'time', kind: 'better', than: 'kazoo walk', times: 10 },
    { measure: 'time', kind: 'better', than: 'zkCli ls -R', times: 3 },
  ],
  async measure(bench) {
    const collector = new Collector();
    // Ten times the tree costs the server 1 GB and a minute to set up.
    const sizes = bench.options.long ? [...bench.sizes(this), this.main * 10] : bench.sizes(this);
    for (const size of sizes) await measureSize(bench, size, this.main, collector);
    return collector.figures;
  },
};

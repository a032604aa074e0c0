import type { Bench } from '../bench.ts';
import { Collector, takeTurns } from '../collector.ts';
import { ours, type Row } from '../row.ts';
import { listTree } from '../zkCli.ts';

const mainSize = 10_000;

interface Search {
  ms: number;
  found?: number;
}

/** @param isFirst the compilers have not seen the work yet */
async function measureSize(bench: Bench, size: number, isFirst: boolean, collector: Collector): Promise<void> {
  const { root, locks } = await bench.fixtures.tree(size);
  const { programs } = bench;
  const searches: [string, () => Promise<Search>][] = [
    [ours, async () => (await programs.ours.request('find', { root })) as Search],
    ['zkCli ls -R', () => listTree(programs.zkCli, root)],
    ['kazoo walk', async () => (await programs.kazoo.request('find', { root })) as Search],
  ];
  // The others take a minute for a tree ten times as large.
  const participants = size > mainSize ? searches.slice(0, 1) : searches;
  const turns = (keep: boolean) =>
    participants.map(([participant, search]) => {
      const turn = async (): Promise<void> => {
        const { ms, found } = await search();
        if (found !== undefined && found !== locks) throw new Error(`${participant} found ${found} of ${locks} locks.`);
        if (keep) collector.add(participant, { measure: 'time', unit: 'ms', size }, ms);
      };
      return [participant, turn] as const;
    });
  if (isFirst) await takeTurns(bench.rounds(3), new Map(turns(false)));
  // The others take seconds, and their ratios are far from the limits.
  await takeTurns(1, new Map(turns(true)));
}

export const findRow: Row = {
  id: 'find',
  title: 'discover the locks in a tree',
  sizeOf: 'znodes',
  sizes: [1_000, mainSize],
  main: mainSize,
  quick: 200,
  targets: [
    { measure: 'time', kind: 'better', than: 'kazoo walk', times: 10 },
    { measure: 'time', kind: 'better', than: 'zkCli ls -R', times: 3 },
  ],
  async measure(bench) {
    const collector = new Collector();
    // The largest costs the server 1 GB and a minute to set up.
    const sizes = bench.options.long ? [...bench.sizes(this), 100_000, 1_000_000] : bench.sizes(this);
    for (const size of sizes) await measureSize(bench, size, size === sizes[0], collector);
    return collector.figures;
  },
};

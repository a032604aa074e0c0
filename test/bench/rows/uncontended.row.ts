import { Collector, takeTurns } from '../collector.ts';
import { ours, type Row } from '../row.ts';

export const uncontendedRow: Row = {
  id: 'uncontended',
  title: 'uncontended mutex, acquire + release, one client',
  sizeOf: 'times in a row',
  sizes: [100, 500],
  main: 500,
  quick: 5,
  targets: [
    { measure: 'time of one', kind: 'better', than: 'Curator', times: 1.5 },
    { measure: 'time of one', kind: 'better', than: 'kazoo', times: 1.8 },
  ],
  async measure(bench) {
    const collector = new Collector();
    const { ours: own, bareSocket, curator, kazoo } = bench.programs;
    const participants = [
      [ours, own, '/bench/mutex/own'],
      ['bare socket', bareSocket, '/bench/mutex/bare'],
      ['Curator', curator, '/bench/mutex/curator'],
      ['kazoo', kazoo, '/bench/mutex/kazoo'],
    ] as const;
    await bench.fixtures.ensure('/bench/mutex');
    for (const [, program, path] of participants) {
      await bench.fixtures.ensure(path);
      await program.request('uncontended', { path, times: bench.options.quick ? 2 : 1_000 });
    }
    for (const size of bench.sizes(this)) {
      const what = { measure: 'time of one', unit: 'ms', size } as const;
      const turns = participants.map(([name, program, path]) => {
        const turn = async (): Promise<void> => {
          const { ms } = (await program.request('uncontended', { path, times: size })) as { ms: number };
          collector.add(name, what, ms / size);
        };
        return [name, turn] as const;
      });
      await takeTurns(bench.rounds(12), new Map(turns));
    }
    return collector.figures;
  },
};

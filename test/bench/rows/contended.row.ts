import { Collector, takeTurns } from '../collector.ts';
import { ours, type Row } from '../row.ts';

const sizes = [5, 50, 500];
const measure = 'time of one hand-over';

export const contendedRow: Row = {
  id: 'contended',
  title:
    'one mutex handed over 250 times, or twice as often as there are contenders, between contenders with a session each',
  sizeOf: 'contenders',
  sizes,
  main: 50,
  quick: 3,
  targets: [
    ...sizes.map(size => ({ measure, kind: 'better', than: 'Curator', times: 1.3, size }) as const),
    { measure, kind: 'better', than: 'kazoo', times: 1.5 },
  ],
  async measure(bench) {
    const collector = new Collector();
    const { ours: own, bareSocket, curator, kazoo } = bench.programs;
    const participants = [
      [ours, own, '/bench/contended/own'],
      ['bare socket', bareSocket, '/bench/contended/bare'],
      ['Curator', curator, '/bench/contended/curator'],
      ['kazoo', kazoo, '/bench/contended/kazoo'],
    ] as const;
    for (const [, , path] of participants) await bench.fixtures.ensure(path);
    for (const size of bench.sizes(this)) {
      const handOvers = bench.options.quick ? 6 : Math.max(250, 2 * size);
      const what = { measure, unit: 'ms', size } as const;
      // Between 500, kazoo takes a quarter of a minute for each turn.
      const taking = size > this.main ? participants.filter(([name]) => name !== 'kazoo') : participants;
      const turns = (keep: boolean) =>
        taking.map(([name, program, path]) => {
          const turn = async (): Promise<void> => {
            const request = { path, clients: size, handOvers };
            const { ms } = (await program.request('contended', request)) as { ms: number };
            if (keep) collector.add(name, what, ms / handOvers);
          };
          return [name, turn] as const;
        });
      // kazoo has no compiler that must see the work first.
      await takeTurns(1, new Map(turns(false).filter(([name]) => name !== 'kazoo')));
      await takeTurns(bench.rounds(size > this.main ? 3 : 7), new Map(turns(true)));
    }
    return collector.figures;
  },
};

import { Collector, takeTurns } from '../collector.ts';
import { ours, type Row } from '../row.ts';

const sizes = [5, 50, 500];
const measure = 'time of one hand-over';
/** Those whose times are compared closely. */
const fast = [ours, 'bare socket', 'Curator'];

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
      const isLarge = size > this.main;
      const turnsOf = (names: readonly string[], keep: boolean) =>
        new Map(
          participants
            .filter(([name]) => names.includes(name))
            .map(([name, program, path]) => {
              const turn = async (): Promise<void> => {
                const request = { path, clients: size, handOvers };
                const { ms } = (await program.request('contended', request)) as { ms: number };
                if (keep) collector.add(name, what, ms / handOvers);
              };
              return [name, turn] as const;
            }),
        );
      // The compilers of the programs, and the server's, must have seen the work: times fall for some eight turns.
      await takeTurns(bench.rounds(isLarge ? 1 : 8), turnsOf(fast, false));
      await takeTurns(bench.rounds(isLarge ? 3 : 9), turnsOf(fast, true));
      // kazoo has no compiler, and its ratio is far from the limit. Between 500 it takes a quarter of a minute for each turn.
      if (!isLarge) await takeTurns(bench.rounds(2), turnsOf(['kazoo'], true));
    }
    return collector.figures;
  },
};

import { Collector, takeTurns } from '../collector.ts';
import { ours, type Row } from '../row.ts';
import { warmUp } from '../warmUp.ts';

const sizes = [5, 50, 500];
const measure = 'time of one hand-over';
/** Found with 40,000 hand-overs between five sessions. */
const untilCompiled = { [ours]: 16_000, 'bare socket': 4_000, Curator: 8_000 };

export const contendedRow: Row = {
  id: 'contended',
  title: 'one mutex handed over 250 times, or as often as there are contenders, between contenders with a session each',
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
    const programs = [
      [ours, own, '/bench/contended/own'],
      ['bare socket', bareSocket, '/bench/contended/bare'],
      ['Curator', curator, '/bench/contended/curator'],
      ['kazoo', kazoo, '/bench/contended/kazoo'],
    ] as const;
    for (const [, , path] of programs) await bench.fixtures.ensure(path);
    const participants = (clients: number) =>
      programs.map(([name, program, path]) => {
        const take = async (handOvers: number): Promise<number> => {
          const { ms } = (await program.request('contended', { path, clients, handOvers })) as { ms: number };
          return ms;
        };
        return { name, take };
      });
    const [smallest = 0] = bench.sizes(this);
    await warmUp(bench, participants(smallest), untilCompiled);
    for (const size of bench.sizes(this)) {
      const handOvers = bench.options.quick ? 6 : Math.max(250, size);
      const turns = participants(size).map(({ name, take }) => {
        const turn = async (): Promise<void> =>
          collector.add(name, { measure, unit: 'ms', size }, (await take(handOvers)) / handOvers);
        return [name, turn] as const;
      });
      const isLarge = size > this.main;
      // The limit lies near ours between 5 and 50.
      const rounds = isLarge ? 4 : 24;
      const fast = new Map(turns.filter(([name]) => name !== 'kazoo'));
      await takeTurns(bench.rounds(rounds), fast);
      // Its ratio is far from the limit. Between 500 it takes a quarter of a minute for each turn.
      if (!isLarge) await takeTurns(1, new Map(turns.filter(([name]) => name === 'kazoo')));
    }
    return collector.figures;
  },
};

import { Collector, takeTurns } from '../collector.ts';
import { ours, type Row } from '../row.ts';
import { warmUp } from '../warmUp.ts';

/** Found with 24,000 locks. */
const untilCompiled = { [ours]: 8_000, 'bare socket': 4_000, Curator: 8_000 };

export const uncontendedRow: Row = {
  id: 'uncontended',
  title: 'uncontended mutex, acquire + release, one client',
  sizeOf: 'times in a row',
  sizes: [500],
  main: 500,
  quick: 5,
  targets: [
    { measure: 'time of one', kind: 'better', than: 'Curator', times: 1.5 },
    { measure: 'time of one', kind: 'better', than: 'kazoo', times: 1.8 },
  ],
  async measure(bench) {
    const collector = new Collector();
    const { ours: own, bareSocket, curator, kazoo } = bench.programs;
    const programs = [
      [ours, own, '/bench/mutex/own'],
      ['bare socket', bareSocket, '/bench/mutex/bare'],
      ['Curator', curator, '/bench/mutex/curator'],
      ['kazoo', kazoo, '/bench/mutex/kazoo'],
    ] as const;
    await bench.fixtures.ensure('/bench/mutex');
    for (const [, , path] of programs) await bench.fixtures.ensure(path);
    const participants = programs.map(([name, program, path]) => {
      const take = async (times: number): Promise<number> => {
        const { ms } = (await program.request('uncontended', { path, times })) as { ms: number };
        return ms;
      };
      return { name, take };
    });
    await warmUp(bench, participants, untilCompiled);
    for (const size of bench.sizes(this)) {
      const turns = participants.map(({ name, take }) => {
        const turn = async (): Promise<void> =>
          collector.add(name, { measure: 'time of one', unit: 'ms', size }, (await take(size)) / size);
        return [name, turn] as const;
      });
      const fast = new Map(turns.filter(([name]) => name !== 'kazoo'));
      for (let round = 0; round < bench.rounds(4); round += 1) {
        await takeTurns(bench.rounds(3), fast);
        // It takes as long as two of the others.
        await takeTurns(1, new Map(turns.filter(([name]) => name === 'kazoo')));
      }
    }
    return collector.figures;
  },
};

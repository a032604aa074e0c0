import type { Bench } from '../bench.ts';
import { Collector } from '../collector.ts';
import { compareLooks, withLookBundle } from '../firstLooks.ts';
import type { Row } from '../row.ts';

/** A program that has read the queue so often that its compiler has seen the work, and has a session. */
const warm = 'this project, warm';

async function measureSize(bench: Bench, bundle: string, size: number, collector: Collector): Promise<void> {
  const path = await bench.fixtures.queue(size);
  const read = async (): Promise<number> => {
    const { ms, count } = (await bench.programs.ours.request('read', { path })) as { ms: number; count: number };
    if (count !== size) throw new Error(`${warm} saw ${count} of ${size} contenders.`);
    return ms;
  };
  for (let round = 0; round < bench.rounds(60); round += 1) await read();
  const readWarm = async (): Promise<void> => {
    collector.add(warm, { measure: 'time', unit: 'ms', size }, await read());
  };
  const sight = { kind: 'queue', path, locks: 1, contenders: size, size } as const;
  await compareLooks(bench, bundle, sight, collector, new Map([[warm, readWarm]]));
}

export const firstLookRow: Row = {
  id: 'first-look',
  title: 'first look at a queue: load the code, connect, read all contenders, make their rows',
  sizeOf: 'contenders',
  sizes: [1_000, 10_000],
  main: 10_000,
  quick: 40,
  targets: [
    { measure: 'time', kind: 'within', of: warm, times: 2 },
    { measure: 'time', kind: 'better', than: 'kazoo', times: 40 },
  ],
  async measure(bench) {
    const collector = new Collector();
    await withLookBundle(async bundle => {
      for (const size of bench.sizes(this)) await measureSize(bench, bundle, size, collector);
    });
    return collector.figures;
  },
};

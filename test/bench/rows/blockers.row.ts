import { fileURLToPath } from 'node:url';
import { JsonLines } from '../../support/jsonLines.ts';
import type { Bench } from '../bench.ts';
import { Collector } from '../collector.ts';
import type { Block } from '../programs/longestBlock.ts';
import { ours, type Row, type Unit } from '../row.ts';

interface Ranked extends Block {
  ms: number;
  /** Processor time of the thread. */
  cpuMs: number;
  blockers: number;
}

interface Followed extends Block {
  /** At most, in each part of the time. */
  behindMs: number[];
  /** Of one core for rankings in each part, %. */
  share: number[];
  /** To make the changes, %. */
  changesAlone: number;
}

const perSecond = 500;

async function withProgram<T>(use: (program: JsonLines) => Promise<T>): Promise<T> {
  const script = fileURLToPath(new URL('../programs/blockers.ts', import.meta.url));
  const program = new JsonLines('blockers', process.execPath, ['--expose-gc', script]);
  try {
    return await use(program);
  } finally {
    await program.close();
  }
}

/** @param isFollowed for the largest size only, since it takes long */
async function measureSize(bench: Bench, size: number, isFollowed: boolean, collector: Collector): Promise<void> {
  const add = (measure: string, unit: Unit, ...values: number[]): void => {
    collector.add(ours, { measure, unit, size }, ...values);
  };
  await withProgram(async program => {
    await program.request('read', { locks: Math.ceil(size / 10), contenders: 10 });
    const rank = async (): Promise<Ranked> => (await program.request('rank')) as Ranked;
    add('ranking all, first time in a fresh program', 'ms', (await rank()).ms);
    // Times fall for five rankings: the compiler must have seen the work.
    for (let round = 0; round < bench.rounds(5); round++) await rank();
    for (let round = 0; round < bench.rounds(10); round++) {
      const { ms, cpuMs, blockers, blockMs, ownMs } = await rank();
      if (blockers === 0) throw new Error('Nothing was ranked.');
      add('ranking all', 'ms', ms);
      add('processor time, ranking all', 'ms', cpuMs);
      add('longest block, ranking all', 'ms', blockMs);
      add('own processor time of a block, ranking all', 'ms', ownMs);
    }
  });
  if (!isFollowed) return;
  await withProgram(async program => {
    await program.request('read', { locks: Math.ceil(size / 100), contenders: Math.min(100, size) });
    const ms = bench.options.quick ? 300 : 8_000;
    const followed = (await program.request('follow', { perSecond, ms })) as Followed;
    add('behind changes, at most', 'ms', ...followed.behindMs);
    add('share of a core', '%', ...followed.share);
    add('share of a core, to make the changes', '%', followed.changesAlone);
    add('longest block, following', 'ms', followed.blockMs);
    add('own processor time of a block, following', 'ms', followed.ownMs);
  });
}

export const blockersRow: Row = {
  id: 'blockers',
  title: 'who blocks whom: all blockers ranked, and the ranking kept up to date',
  sizeOf: 'contenders: 10 in each lock when all is ranked, 100 in each with 500 changes a second',
  sizes: [10_000, 100_000],
  main: 100_000,
  quick: 200,
  targets: [
    { measure: 'ranking all', kind: 'below', limit: 300 },
    { measure: 'own processor time of a block, ranking all', kind: 'below', limit: 50 },
    { measure: 'behind changes, at most', kind: 'below', limit: 250 },
    { measure: 'share of a core', kind: 'below', limit: 15 },
    { measure: 'own processor time of a block, following', kind: 'below', limit: 50 },
  ],
  async measure(bench) {
    const collector = new Collector();
    const sizes = bench.sizes(this);
    for (const size of sizes) await measureSize(bench, size, size === sizes.at(-1), collector);
    return collector.figures;
  },
};

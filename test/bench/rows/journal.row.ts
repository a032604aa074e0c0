import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../../scripts/zookeeper/temporaryFolder.ts';
import { JsonLines } from '../../support/jsonLines.ts';
import { Collector } from '../collector.ts';
import { writeJournal } from '../journalFile.ts';
import type { Block } from '../programs/longestBlock.ts';
import { ours, type Row } from '../row.ts';

interface Opened {
  ms: number;
  bytes: number;
  entries: number;
  opening: Block;
  looks: Record<string, Block>;
}

const locks = 1_000;

async function open(folder: string): Promise<Opened> {
  const script = fileURLToPath(new URL('../programs/journal.ts', import.meta.url));
  const program = new JsonLines('journal', process.execPath, ['--expose-gc', script]);
  try {
    return (await program.request('open', { folder })) as Opened;
  } finally {
    await program.close();
  }
}

/** @param rounds a fresh program for each: the longest block of one is chance, since V8's collector makes it */
async function measureSize(size: number, rounds: number, collector: Collector): Promise<void> {
  const folder = await temporaryFolder('journal-');
  const addBlock = (what: string, { blockMs, ownMs }: Block): void => {
    collector.add(ours, { measure: `longest block, ${what}`, unit: 'ms', size }, blockMs);
    collector.add(ours, { measure: `own processor time, ${what}`, unit: 'ms', size }, ownMs);
  };
  try {
    await writeJournal(folder, { entries: size, locks: Math.min(locks, size / 100) });
    for (let round = 0; round < rounds; round++) {
      const opened = await open(folder);
      if (opened.entries < size) throw new Error(`${opened.entries} of ${size} entries were read.`);
      collector.add(ours, { measure: 'opening it', unit: 's', size }, opened.ms / 1000);
      collector.add(ours, { measure: 'memory, at most', unit: 'MB', size }, opened.bytes / 1e6);
      addBlock('opening it', opened.opening);
      for (const [what, block] of Object.entries(opened.looks)) addBlock(what, block);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const journalRow: Row = {
  id: 'journal',
  title: 'a recording: opened, and looked at',
  sizeOf: 'entries, of 1,000 locks with 10 contenders each',
  sizes: [50_000, 200_000],
  main: 200_000,
  quick: 2_000,
  targets: [
    { measure: 'own processor time, opening it', kind: 'below', limit: 50 },
    { measure: 'own processor time, all queues at a moment', kind: 'below', limit: 50 },
    { measure: 'own processor time, a step', kind: 'below', limit: 50 },
    { measure: 'own processor time, what happened to one lock', kind: 'below', limit: 50 },
    { measure: 'own processor time, longest waits', kind: 'below', limit: 50 },
    { measure: 'own processor time, its entries, for an incident file', kind: 'below', limit: 50 },
  ],
  async measure(bench) {
    const collector = new Collector();
    for (const size of bench.sizes(this)) await measureSize(size, bench.rounds(size === this.main ? 3 : 1), collector);
    return collector.figures;
  },
};

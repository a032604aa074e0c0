import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '../../../scripts/build/bundle.ts';
import { activateOnce } from '../activation.ts';
import type { Bench } from '../bench.ts';
import { Collector } from '../collector.ts';
import { ours, type Row } from '../row.ts';

interface Memory {
  heap: number;
  external: number;
  rss: number;
}

async function measureMemory(bench: Bench, size: number, collector: Collector): Promise<void> {
  const path = await bench.fixtures.queue(size);
  const program = bench.programs.freshOurs();
  try {
    const held = (await program.request('hold', { path })) as { after: Memory; contenders: number };
    if (held.contenders !== size) throw new Error(`${held.contenders} of ${size} contenders are held.`);
    const { heap, external, rss } = held.after;
    collector.add(ours, { measure: 'memory with the contenders', unit: 'MB', size }, (heap + external) / 1e6);
    collector.add(ours, { measure: 'resident set of the program', unit: 'MB', size }, rss / 1e6);
  } finally {
    await program.close();
  }
}

function measureFiles(collector: Collector, size: number): void {
  const dist = join(repositoryRoot, 'dist');
  const bundle = join(dist, 'extension.cjs');
  collector.add(ours, { measure: 'bundle', unit: 'KB', size }, statSync(bundle).size / 1000);
  const vsix = readdirSync(dist).find(name => name.endsWith('.vsix'));
  if (vsix === undefined) return;
  collector.add(ours, { measure: 'VSIX', unit: 'KB', size }, statSync(join(dist, vsix)).size / 1000);
}

export const extensionRow: Row = {
  id: 'extension',
  title: 'extension: activation in a fresh program, size, memory with contenders loaded',
  sizeOf: 'contenders',
  sizes: [10_000, 100_000],
  main: 100_000,
  quick: 40,
  targets: [
    { measure: 'activation', kind: 'below', limit: 20 },
    { measure: 'bundle', kind: 'below', limit: 250 },
    { measure: 'VSIX', kind: 'below', limit: 400 },
    { measure: 'memory with the contenders', kind: 'below', limit: 150 },
  ],
  async measure(bench) {
    const collector = new Collector();
    for (const size of bench.sizes(this)) await measureMemory(bench, size, collector);
    const main = bench.options.quick ? this.quick : this.main;
    const bundle = join(repositoryRoot, 'dist/extension.cjs');
    if (!existsSync(bundle)) throw new Error('There is no dist/extension.cjs; npm run build -- --production makes it.');
    measureFiles(collector, main);
    const program = fileURLToPath(new URL('../programs/activate.ts', import.meta.url));
    for (let round = 0; round < bench.rounds(15); round += 1) {
      const { loadMs, activateMs } = await activateOnce(program, bundle);
      collector.add(ours, { measure: 'activation', unit: 'ms', size: main }, loadMs + activateMs);
      collector.add(ours, { measure: 'of that, loading the bundle', unit: 'ms', size: main }, loadMs);
    }
    return collector.figures;
  },
};

import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledSteps, repositoryRoot } from '../../../scripts/build/bundle.ts';
import { sizeLimit } from '../../../scripts/package/createPackage.ts';
import { run } from '../../../scripts/system/run.ts';
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

const bundle = join(repositoryRoot, 'dist', 'extension.js');

/** Builds for production; `--quick` takes what is there, so that tests that run beside it keep their files. */
async function build(quick: boolean): Promise<void> {
  if (quick && existsSync(bundle)) return;
  const script = quick ? ['scripts/build.ts', '--production'] : ['scripts/package.ts'];
  await run(process.execPath, script);
}

async function measureFiles(collector: Collector, size: number): Promise<void> {
  const { start, firstLook, onDemand } = await bundledSteps();
  const steps = [
    ['bundle, loaded by every window', start],
    ['bundle, loaded by the first connection', firstLook],
    ['bundle, loaded at first use', onDemand],
  ] as const;
  for (const [measure, { bytes }] of steps) collector.add(ours, { measure, unit: 'KB', size }, bytes / 1000);
  const out = join(repositoryRoot, 'out');
  // A package above its limit is deleted: then there is none, and the target is missed.
  const vsix = existsSync(out) ? (await readdir(out)).find(name => name.endsWith('.vsix')) : undefined;
  if (vsix !== undefined) {
    collector.add(ours, { measure: 'VSIX', unit: 'KB', size }, (await stat(join(out, vsix))).size / 1000);
  }
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
    { measure: 'bundle, loaded by every window', kind: 'below', limit: 250 },
    { measure: 'bundle, loaded by the first connection', kind: 'below', limit: 195 },
    { measure: 'VSIX', kind: 'below', limit: sizeLimit / 1000 },
    { measure: 'memory with the contenders', kind: 'below', limit: 150 },
  ],
  async measure(bench) {
    const collector = new Collector();
    for (const size of bench.sizes(this)) await measureMemory(bench, size, collector);
    const main = bench.options.quick ? this.quick : this.main;
    await build(bench.options.quick);
    await measureFiles(collector, main);
    const program = fileURLToPath(new URL('../programs/activate.ts', import.meta.url));
    for (let round = 0; round < bench.rounds(15); round += 1) {
      const { loadMs, activateMs } = await activateOnce(program, bundle);
      collector.add(ours, { measure: 'activation', unit: 'ms', size: main }, loadMs + activateMs);
      collector.add(ours, { measure: 'of that, loading the bundle', unit: 'ms', size: main }, loadMs);
    }
    return collector.figures;
  },
};

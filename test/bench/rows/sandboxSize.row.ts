import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { Collector } from '../collector.ts';
import { ours, type Row } from '../row.ts';
import { SandboxServer } from '../sandboxServer.ts';

/** @param isIdleMeasured for the largest size only, since it takes long */
async function measureSize(bench: Bench, size: number, isIdleMeasured: boolean, collector: Collector): Promise<void> {
  const { quick } = bench.options;
  const sandbox = await SandboxServer.start();
  try {
    const before = await sandbox.bytes();
    await sandbox.use(async (_, fixtures) => {
      await fixtures.queue(size);
      const grown = (await sandbox.bytes()) - before;
      collector.add(ours, { measure: 'memory for the znodes', unit: 'MB', size }, grown / 1e6);
      if (!isIdleMeasured) return;
      // The compiler and the collector have work left; the client stays, with its pings.
      await sleep(quick ? 0 : 3_000);
      const from = await sandbox.processor();
      await sleep(quick ? 100 : 6_000);
      const to = await sandbox.processor();
      const share = (100 * (to.cpuMs - from.cpuMs)) / (to.nowMs - from.nowMs);
      collector.add(ours, { measure: 'idle, of one core', unit: '%', size }, share);
    });
  } finally {
    await sandbox.stop();
  }
}

export const sandboxSizeRow: Row = {
  id: 'sandbox-size',
  title: 'what the sandbox takes of its program',
  sizeOf: 'ephemeral znodes with data',
  sizes: [10_000, 100_000],
  main: 100_000,
  quick: 40,
  targets: [
    { measure: 'memory for the znodes', kind: 'below', limit: 150 },
    { measure: 'idle, of one core', kind: 'below', limit: 0.5 },
  ],
  async measure(bench) {
    const collector = new Collector();
    const sizes = bench.sizes(this);
    for (const size of sizes) await measureSize(bench, size, size === sizes.at(-1), collector);
    return collector.figures;
  },
};

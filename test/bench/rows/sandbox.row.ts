import { startZooKeeper } from '../../support/zookeeperServer.ts';
import type { Bench } from '../bench.ts';
import { Collector, takeTurns, type Turns } from '../collector.ts';
import type { Fixtures } from '../fixtures.ts';
import type { Programs } from '../programs.ts';
import { ours, type Row } from '../row.ts';
import { SandboxServer } from '../sandboxServer.ts';

const java = 'Java server';

/** A server with this project's client on it. */
interface Served {
  name: string;
  programs: Programs;
  fixtures: Fixtures;
}

async function measureStart(bench: Bench, size: number, collector: Collector): Promise<void> {
  const what = { measure: 'start', unit: 'ms', size } as const;
  for (let round = 0; round < bench.rounds(11); round += 1) {
    const sandbox = await SandboxServer.start();
    collector.add(ours, what, sandbox.startMs);
    await sandbox.stop();
  }
  for (let round = 0; round < bench.rounds(3); round += 1) {
    const before = performance.now();
    const ensemble = await startZooKeeper();
    collector.add(java, what, performance.now() - before);
    await ensemble.stop();
  }
}

/** The same client does the same to both, in turns. */
function turnsOf(both: readonly Served[], turn: (server: Served) => Promise<void>): Turns {
  return new Map(both.map(server => [server.name, () => turn(server)]));
}

async function measureMutex(bench: Bench, both: readonly Served[], size: number, collector: Collector): Promise<void> {
  const times = bench.options.quick ? 5 : 500;
  const path = '/bench/sandboxed';
  for (const { fixtures } of both) await fixtures.ensure(path);
  const turn = (keep: boolean) => async (server: Served) => {
    const { ms } = (await server.programs.ours.request('uncontended', { path, times })) as { ms: number };
    if (keep) collector.add(server.name, { measure: 'acquire + release', unit: 'ms', size }, ms / times);
  };
  await takeTurns(bench.rounds(3), turnsOf(both, turn(false)));
  await takeTurns(bench.rounds(9), turnsOf(both, turn(true)));
}

async function measureRead(bench: Bench, both: readonly Served[], size: number, collector: Collector): Promise<void> {
  for (const { fixtures } of both) await fixtures.queue(size);
  const turn = (keep: boolean) => async (server: Served) => {
    const path = await server.fixtures.queue(size);
    const { ms, count } = (await server.programs.ours.request('read', { path })) as { ms: number; count: number };
    if (count !== size) throw new Error(`${count} of ${size} contenders were read from the ${server.name}.`);
    if (keep) collector.add(server.name, { measure: 'read a queue', unit: 'ms', size }, ms);
  };
  await takeTurns(bench.rounds(50), turnsOf(both, turn(false)));
  await takeTurns(bench.rounds(20), turnsOf(both, turn(true)));
}

export const sandboxRow: Row = {
  id: 'sandbox',
  title: 'the sandbox and the Java server, asked by the same client',
  sizeOf: 'contenders of the queue that is read',
  sizes: [1_000, 10_000],
  main: 10_000,
  quick: 40,
  targets: [
    { measure: 'start', kind: 'below', limit: 50 },
    { measure: 'acquire + release', kind: 'better', than: java, times: 1 },
    { measure: 'read a queue', kind: 'within', of: java, times: 1.5 },
  ],
  async measure(bench) {
    const collector = new Collector();
    const main = bench.options.quick ? this.quick : this.main;
    await measureStart(bench, main, collector);
    const sandbox = await SandboxServer.start();
    try {
      await sandbox.use(async (programs, fixtures) => {
        const both: Served[] = [
          { name: ours, programs, fixtures },
          { name: java, programs: bench.programs, fixtures: bench.fixtures },
        ];
        await measureMutex(bench, both, main, collector);
        for (const size of bench.sizes(this)) await measureRead(bench, both, size, collector);
      });
    } finally {
      await sandbox.stop();
    }
    return collector.figures;
  },
};

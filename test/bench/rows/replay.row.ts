import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findZooKeeper } from '../../../scripts/zookeeper/locate.ts';
import { temporaryFolder } from '../../../scripts/zookeeper/temporaryFolder.ts';
import { JsonLines } from '../../support/jsonLines.ts';
import type { Bench } from '../bench.ts';
import { Collector } from '../collector.ts';
import { writeReplayLogs } from '../replayLogs.ts';
import { ours, type Row } from '../row.ts';

const toolkit = 'TxnLogToolkit';
/** Transactions that both read. */
const compared = 200_000;
/** Looks at moments after opening. */
const moments = 20;

interface Opened {
  ms: number;
  bytes: number;
  atMs: number[];
  transactions: number;
  holds: number;
}

async function open(folder: string): Promise<Opened> {
  const script = fileURLToPath(new URL('../programs/replay.ts', import.meta.url));
  const program = new JsonLines('replay', process.execPath, ['--expose-gc', script]);
  try {
    return (await program.request('open', { folder, moments })) as Opened;
  } finally {
    await program.close();
  }
}

/** Prints all logs, one after the other: it takes one file. */
async function print(paths: readonly string[]): Promise<void> {
  const install = findZooKeeper(process.env);
  if (install === undefined) throw new Error('There is no ZooKeeper.');
  const main = 'org.apache.zookeeper.server.persistence.TxnLogToolkit';
  for (const path of paths) {
    const child = spawn(install.java, ['-cp', install.classPath.join(delimiter), main, path], { stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${toolkit} ended with ${code ?? 'a signal'}.`);
  }
}

async function measureSize(bench: Bench, size: number, collector: Collector): Promise<void> {
  const folder = await temporaryFolder('replay-logs-');
  try {
    const paths = await writeReplayLogs(folder, size);
    const time = { measure: 'reading all logs', unit: 's', size } as const;
    const openOnce = async (): Promise<void> => {
      const { ms, bytes, atMs, transactions, holds } = await open(folder);
      if (transactions < size || holds < size / 200) throw new Error(`${transactions} transactions, ${holds} holds.`);
      collector.add(ours, time, ms / 1000);
      collector.add(ours, { measure: 'memory, at most', unit: 'MB', size }, bytes / 1e6);
      collector.add(ours, { measure: 'first look at a moment', unit: 'ms', size }, ...atMs);
      collector.add(ours, { measure: 'the slowest of them', unit: 'ms', size }, Math.max(...atMs));
    };
    const printOnce = async (): Promise<void> => {
      const before = performance.now();
      await print(paths);
      collector.add(toolkit, time, (performance.now() - before) / 1000);
    };
    for (let round = 0; round < bench.rounds(2); round += 1) await openOnce();
    // It takes half a minute for a million, six to eight times as long as ours.
    if (size === bench.sizes(replayRow)[0]) await printOnce();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const replayRow: Row = {
  id: 'replay',
  title: 'transaction logs: read into a recording, and looked at',
  sizeOf: 'transactions in five logs, of which 2 % are of locks',
  sizes: [compared, 1_000_000],
  main: 1_000_000,
  quick: 2_000,
  targets: [
    { measure: 'reading all logs', kind: 'better', than: toolkit, times: 4, size: compared },
    { measure: 'reading all logs', kind: 'below', limit: 8 },
    { measure: 'memory, at most', kind: 'below', limit: 400 },
    { measure: 'the slowest of them', kind: 'below', limit: 200 },
  ],
  async measure(bench) {
    const collector = new Collector();
    for (const size of bench.sizes(this)) await measureSize(bench, size, collector);
    return collector.figures;
  },
};

import { readQueues } from '../../../src/inspector/readQueues.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { Bench } from '../bench.ts';
import { Collector, takeTurns } from '../collector.ts';
import { recordRequests } from '../recordedRequests.ts';
import { ours, type Row } from '../row.ts';

/** The requests that this project sends to read a queue. */
function requestsOfReading(bench: Bench, path: string): Promise<string[]> {
  return recordRequests(bench, async hosts => {
    const client = await connect(hosts);
    await readQueues(client, path);
    await client.close();
  });
}

/** As a user meets it who opens one lock: nothing is compiled yet. */
async function measureFirst(bench: Bench, path: string, size: number, collector: Collector): Promise<void> {
  for (let round = 0; round < bench.rounds(size > 10_000 ? 1 : 3); round += 1) {
    const program = bench.programs.freshOurs();
    try {
      const { ms } = (await program.request('read', { path })) as { ms: number };
      collector.add(ours, { measure: 'first time in a fresh program', unit: 'ms', size }, ms);
    } finally {
      await program.close();
    }
  }
}

async function measureSize(bench: Bench, size: number, collector: Collector): Promise<void> {
  const path = await bench.fixtures.queue(size);
  const { ours: own, bareSocket, curator, kazoo } = bench.programs;
  const requests = await requestsOfReading(bench, path);
  const what = { measure: 'time', unit: 'ms', size } as const;
  const turn = (participant: string, read: () => Promise<unknown>, keep: boolean) => async (): Promise<void> => {
    const { ms, count } = (await read()) as { ms: number; count?: number };
    if (count !== undefined && count !== size) throw new Error(`${participant} saw ${count} of ${size} contenders.`);
    if (keep) collector.add(participant, what, ms);
  };
  const fast = (keep: boolean): [string, () => Promise<void>][] => [
    [ours, turn(ours, () => own.request('read', { path }), keep)],
    ['bare socket', turn('bare socket', () => bareSocket.request('play', { requests }), keep)],
  ];
  const kazooReads = (keep: boolean): [string, () => Promise<void>] => [
    'kazoo',
    turn('kazoo', () => kazoo.request('read', { path }), keep),
  ];
  const slow = (keep: boolean): [string, () => Promise<void>][] => [
    ['Curator', turn('Curator', () => curator.request('read', { path }), keep)],
    [
      'Curator, in background',
      turn('Curator, in background', () => curator.request('readInBackground', { path }), keep),
    ],
    kazooReads(keep),
  ];
  // The slow ones take a minute for 100,000 contenders, ten times as long as for 10,000.
  const isLarge = size > 10_000;
  // Every program reads until its compiler has seen the work, which takes ours some 50 times; kazoo has none, but gets its
  // connection.
  await takeTurns(bench.rounds(isLarge ? 2 : 60), new Map(fast(false)));
  if (size === readQueueRow.sizes[0]) await takeTurns(1, new Map(slow(false)));
  for (let round = 0; round < bench.rounds(isLarge ? 1 : 3); round += 1) {
    // A reading takes up to twice as long as the one before, and of 100,000 about every other one meets a full collection.
    await takeTurns(bench.rounds(isLarge ? 16 : 32), new Map(fast(true)));
    // Curator's ratio is far from its limit, kazoo's is not, and its time changes within seconds.
    if (!isLarge) await takeTurns(1, new Map(round === 0 ? slow(true) : [kazooReads(true)]));
  }
  await measureFirst(bench, path, size, collector);
}

export const readQueueRow: Row = {
  id: 'read',
  title: 'read a queue with owner, czxid, age and data of each',
  sizeOf: 'contenders',
  sizes: [1_000, 10_000, 100_000],
  main: 10_000,
  quick: 40,
  targets: [
    { measure: 'time', kind: 'better', than: 'kazoo', times: 60 },
    { measure: 'time', kind: 'better', than: 'Curator', times: 30 },
    { measure: 'time', kind: 'within', of: 'bare socket', times: 1.8 },
    { measure: 'time', kind: 'within', of: 'bare socket', times: 2, size: 100_000 },
  ],
  async measure(bench) {
    const collector = new Collector();
    for (const size of bench.sizes(this)) await measureSize(bench, size, collector);
    return collector.figures;
  },
};

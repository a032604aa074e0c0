import { connect } from '../../../src/zookeeper/connect.ts';
import type { JsonLines } from '../../support/jsonLines.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { Collector } from '../collector.ts';
import { lockers, type Row } from '../row.ts';

const path = '/failover';

/** When a participant wrote again, ms after the kill; `undefined`: its session was lost. */
interface Write {
  name: string;
  afterMs: number | undefined;
}

/** Kills the leader while each participant has a session, and starts it again. */
async function failOver(
  ensemble: ZooKeeperEnsemble,
  participants: ReturnType<typeof lockers>,
  timeoutMs: number,
): Promise<{ servedMs: number; writes: Write[] }> {
  const leader = ensemble.servers[await ensemble.complete()]!;
  const each = <T>(work: (name: string, program: JsonLines) => Promise<T>): Promise<T[]> =>
    Promise.all(participants.map(([name, program]) => work(name, program)));
  await each((_, program) => program.request('attach', { hosts: ensemble.connectString, timeoutMs }));
  const start = performance.now();
  await leader.kill();
  const [served, writes] = await Promise.all([
    ensemble.elected(),
    each(async (name, program) => {
      const { isLost } = (await program.request('writeAgain', { path })) as { isLost: boolean };
      return { name, afterMs: isLost ? undefined : performance.now() - start };
    }),
  ]);
  await each((_, program) => program.request('letGo'));
  await leader.launch();
  return { servedMs: served - start, writes };
}

export const failoverRow: Row = {
  id: 'failover',
  title: 'kill -9 of the leader of three servers: until a session writes again',
  sizeOf: 'ms of session timeout',
  sizes: [2_500, 10_000],
  main: 10_000,
  quick: 10_000,
  targets: [
    { measure: 'from the kill', kind: 'below', limit: 600 },
    { measure: 'after a server serves', kind: 'below', limit: 300 },
    { measure: 'from the kill', kind: 'better', than: 'Curator', times: 1 },
    { measure: 'sessions lost', kind: 'equal', value: 0 },
  ],
  async measure(bench) {
    const collector = new Collector();
    const participants = lockers(bench);
    const ensemble = await startZooKeeper({ nodes: 3, tickTime: 1_000 });
    try {
      const client = await connect(ensemble.connectString);
      await client.create(path);
      await client.close();
      for (const size of bench.sizes(this)) {
        const lost = new Map(participants.map(([name]) => [name, 0]));
        // Of a few kills the median is chance: elections take 0.4 to 0.8 s.
        const kills = size === this.main ? 9 : 2;
        for (let round = 0; round < bench.rounds(kills); round += 1) {
          const { servedMs, writes } = await failOver(ensemble, participants, size);
          for (const { name, afterMs } of writes) {
            if (afterMs === undefined) lost.set(name, (lost.get(name) ?? 0) + 1);
            else {
              collector.add(name, { measure: 'from the kill', unit: 'ms', size }, afterMs);
              collector.add(name, { measure: 'after a server serves', unit: 'ms', size }, afterMs - servedMs);
            }
          }
        }
        for (const [name, count] of lost) collector.add(name, { measure: 'sessions lost', unit: 'count', size }, count);
      }
    } finally {
      await ensemble.stop();
    }
    return collector.figures;
  },
};

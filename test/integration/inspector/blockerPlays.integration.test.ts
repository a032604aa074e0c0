import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { BlockerPlay, type PlayResult } from './blockerPlay.ts';
import { PlayedProcess } from './playedProcesses.ts';

const firstSeed = Number(process.env['BLOCKERS_SEED'] ?? 22_000);
const plays = 50;
/** Plays at the same time, each with processes of its own. */
const laneCount = 5;

const realm = useTestRealm();
let lanes: PlayedProcess[][] = [];

beforeAll(() => {
  const libraries = ['curator', 'curator', 'kazoo', 'kazoo'] as const;
  lanes = Array.from({ length: laneCount }, () =>
    libraries.map(library => new PlayedProcess(library, realm.serverConnectString)),
  );
});
afterAll(async () => {
  await Promise.all(lanes.flat().map(each => each.stop()));
});

async function playOne(
  client: ZooKeeperClient,
  seed: number,
  processes: readonly PlayedProcess[],
): Promise<PlayResult> {
  const scene = { client, chroot: realm.chroot, root: `/play-${seed}`, processes, random: seededRandom(seed) };
  try {
    return await new BlockerPlay(scene).play();
  } catch (error) {
    throw new Error(`BLOCKERS_SEED=${seed}: ${String(error)}`, { cause: error });
  } finally {
    await Promise.all(processes.map(each => each.endSessions()));
  }
}

it(
  '50 random plays go on as foretold when the process of the worst blocker is killed',
  { timeout: 240_000 },
  async () => {
    const client = await connect(realm.connectString);
    const seeds = Array.from({ length: plays }, (_, at) => firstSeed + at);
    const results: PlayResult[] = [];
    const failures: string[] = [];
    const playLane = async (processes: readonly PlayedProcess[]): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        await playOne(client, seed, processes).then(
          result => results.push(result),
          (error: unknown) => failures.push(String(error)),
        );
      }
    };
    await Promise.all(lanes.map(playLane));
    await client.close();
    const sum = (of: (result: PlayResult) => number): number => results.reduce((all, each) => all + of(each), 0);
    const [freed, handed, chained] = [sum(each => each.freed), sum(each => each.handed), sum(each => each.chained)];
    const roots = results.filter(({ kind }) => kind === 'root').length;
    process.stdout.write(
      `${results.length} of ${plays} plays: ${freed} locks freed, ${handed} handed on, ${roots} roots, ` +
        `${sum(each => each.waiting)} sessions behind them, ${chained} by chains\n`,
    );
    expect(failures.join('\n\n')).toBe('');
    expect(results.length).toBe(plays);
    expect(Math.min(freed, handed)).toBeGreaterThan(plays);
    expect(chained).toBeGreaterThan(plays / 2);
  },
);

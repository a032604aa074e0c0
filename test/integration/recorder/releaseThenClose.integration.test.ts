import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLock } from '../../../src/recipes/createLock.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { startRecorderUnderTest, type RecorderUnderTest } from './recorderUnderTest.ts';

const rounds = 12;

let server: ZooKeeperEnsemble;
let own: ZooKeeperClient;
let recorder: RecorderUnderTest;

beforeAll(async () => {
  server = await startZooKeeper();
  own = await connect(server.connectString);
  recorder = await startRecorderUnderTest(own, server.connectString);
  await recorder.following();
});

afterAll(async () => {
  await own.close();
  await server.stop();
});

/**
 * One holder after the other, each with a session of its own that ends in the given way. Nothing else happens while the servers are asked.
 *
 * @param quietMs how long the cause of an end is waited for
 */
async function hold(
  path: string,
  quietMs: number,
  leave: (client: ZooKeeperClient, release: () => Promise<void>) => Promise<unknown>,
) {
  const known = () => recorder.state.holds(path).filter(({ ended = 'unknown' }) => ended !== 'unknown').length;
  for (let round = 0; round < rounds; round++) {
    const client = await connect(server.connectString);
    const lease = await createLock(client, path, { recipe: 'mutex', dialect: 'curator' }).acquire();
    await new Promise(resolve => setTimeout(resolve, 100));
    const before = known();
    await leave(client, () => lease.release());
    await eventually(() => expect(known()).toBeGreaterThan(before), quietMs).catch(() => undefined);
  }
  await eventually(() => {
    expect(recorder.state.holds(path).filter(({ to }) => to !== undefined)).toHaveLength(rounds);
  });
  await new Promise(resolve => setTimeout(resolve, 2_500));
  return Object.groupBy(recorder.state.holds(path), ({ ended }) => ended ?? 'open');
}

it('never takes a release for the end of the session that follows at once', async () => {
  const ends = await hold('/at-once', 500, async (client, release) => {
    await Promise.all([release(), client.close()]);
  });
  process.stdout.write(
    `released and closed: ${JSON.stringify(Object.keys(ends).map(how => [how, ends[how as 'released']?.length]))}\n`,
  );
  expect(Object.keys(ends).filter(how => how !== 'released' && how !== 'unknown')).toEqual([]);
});

it('knows the end of a session on a quiet server', async () => {
  const ends = await hold('/closed', 5_000, client => client.close());
  process.stdout.write(`${JSON.stringify(Object.keys(ends).map(how => [how, ends[how as 'released']?.length]))}\n`);
  expect(ends['session closed']?.length ?? 0).toBeGreaterThanOrEqual(0.75 * rounds);
  expect(
    Object.keys(ends).filter(how => how !== 'session closed' && how !== 'session ended' && how !== 'unknown'),
  ).toEqual([]);
});

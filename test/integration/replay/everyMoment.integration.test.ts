import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import type { LockSummary } from '../../../src/inspector/lockSearch.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { kazooLock, lease } from '../../support/contenderNames.ts';
import { startObserver, type Observer } from '../../support/observer.ts';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { plainQueues, readNoting } from './livePictures.ts';

const seed = Number(process.env['REPLAY_SEED'] ?? 1);
const steps = 150;

let server: ZooKeeperEnsemble;
let client: ZooKeeperClient;
let observer: Observer;

beforeEach(async () => {
  server = await startZooKeeper({ systemProperties: { 'zookeeper.snapCount': '50' } });
  client = await connect(server.connectString);
  observer = await startObserver(server.connectString);
});

afterEach(async () => {
  await observer.stop();
  await client.close();
  await server.stop();
});

const curatorStem = (random: SeededRandom, marker: string): string =>
  `_c_0000000${random.below(9)}-89ab-cdef-0123-456789abcdef-${marker}`;
const kazooStem = kazooLock(1, 0).slice(0, -10);

/** Where nodes come and go, and their names without the number. */
const places: readonly [directory: string, stem: (random: SeededRandom) => string][] = [
  ['/curator', random => curatorStem(random, 'lock-')],
  ['/rw', random => curatorStem(random, random.pick(['__READ__', '__WRIT__']))],
  ['/kazoo', random => kazooStem.replace('__lock__', random.pick(['__lock__', '__rlock__']))],
  ['/mixed', random => random.pick([kazooStem, 'stranger-', 'x-123-', 'lock-'])],
  ['/jobs', random => random.pick(['a_lock_', 'b_lock_'])],
  ['/sem/locks', random => curatorStem(random, 'lock-')],
  ['/sem/leases', random => curatorStem(random, 'lease-')],
  ['/ksem-__lock__', () => kazooStem],
  ['/net', () => 'semaphore-'],
];

const paths = ['/curator', '/rw', '/kazoo', '/mixed', '/jobs', '/sem', '/ksem', '/net', '/locks'];

interface Shown {
  zxid: bigint;
  queues: Map<string, LockQueue[]>;
  locks: LockSummary[];
}

/** What the inspector shows of all locks; `zxid`: of the newest transaction among them. */
async function look(from: ZooKeeperClient): Promise<Shown> {
  const queues = new Map<string, LockQueue[]>();
  let newest = 0n;
  for (const path of paths) {
    const { queues: found, zxid } = await readNoting(from, path);
    queues.set(path, plainQueues(found));
    if (zxid > newest) newest = zxid;
  }
  const { locks } = await findLocks(from, '/');
  const keyOf = ({ path, dialect, lockName = '' }: LockSummary) => `${path} ${dialect} ${lockName}`;
  return { zxid: newest, queues, locks: locks.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
}

/** One transaction by one of some sessions. */
async function change(random: SeededRandom, sessions: readonly Observer[], nodes: string[]): Promise<void> {
  const session = random.pick(sessions);
  const dice = random.below(100);
  if (dice < 40 && nodes.length > 4) {
    const path = random.pick(nodes);
    nodes.splice(nodes.indexOf(path), 1);
    await session.delete(path);
  } else if (dice < 50 && nodes.length > 0) {
    await session.set(random.pick(nodes), random.pick(['me', '', 'ACQUIRED']));
  } else if (dice < 58) {
    const path = random.pick([`/ksem/${lease(random.below(99))}`, '/locks/leader', `/locks/job${random.below(9)}`]);
    if (nodes.includes(path)) return;
    nodes.push(await session.create(path, { ephemeral: true, data: 'me' }));
  } else {
    const [directory, stem] = random.pick(places);
    nodes.push(await session.create(`${directory}/${stem(random)}`, { ephemeral: true, sequence: true, data: 'who' }));
  }
}

it('each moment of a recording shows what the live inspector showed then', { timeout: 240_000 }, async () => {
  const random = seededRandom(seed);
  for (const directory of [...places.map(([directory]) => directory), '/ksem', '/locks'])
    await observer.ensure(directory);
  const sessions = await Promise.all([1, 2, 3].map(() => observer.openSession()));
  const live: Shown[] = [];
  const nodes: string[] = [];
  for (let step = 0; step < steps; step++) {
    await change(random, sessions, nodes);
    live.push(await look(client));
  }
  // Its nodes go in one transaction.
  await sessions[0]!.closeSession();
  live.push(await look(client));
  await server.kill();
  const recording = await openLogs(join(server.servers[0]!.folder, 'data'));
  for (const shown of live) expect(await look(recording.at({ zxid: shown.zxid }))).toEqual(shown);
  process.stdout.write(`seed ${seed}: ${new Set(live.map(({ zxid }) => zxid)).size} moments\n`);
  expect(new Set(live.map(({ zxid }) => zxid)).size).toBeGreaterThan(steps * 0.8);
  await recording.close();
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { atOnce } from '../../../src/base/interruptible.ts';
import { openIncident } from '../../../src/incident/openIncident.ts';
import { BlockerIndex } from '../../../src/inspector/blockers/blockerIndex.ts';
import { ifEnded } from '../../../src/inspector/blockers/ifEnded.ts';
import { rankBlockers } from '../../../src/inspector/blockers/rankBlockers.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { createLock, type LockSpec } from '../../../src/recipes/createLock.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { plainBlocker } from '../../support/naiveBlockers.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { readNoting } from '../replay/livePictures.ts';
import { queuesOf, saveIncident } from './saving.ts';

const realm = useTestRealm();
let folder: string;
let server: ZooKeeperEnsemble | undefined;
const opened: ZooKeeperClient[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockers-'));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map(client => client.close()));
  await server?.stop();
  server = undefined;
  await rm(folder, { recursive: true });
});

async function open(connectString: string): Promise<ZooKeeperClient> {
  const client = await connect(connectString);
  opened.push(client);
  return client;
}

/** Who takes which lock, in this order: a chain over four locks, by our recipes. */
const joins: readonly [session: number, path: string, spec: LockSpec][] = [
  [0, '/locks/a', { recipe: 'mutex' }],
  [1, '/locks/b', { recipe: 'mutex' }],
  [2, '/locks/rw', { recipe: 'write' }],
  [2, '/locks/pool', { recipe: 'semaphore', dialect: 'kazoo-semaphore', maxLeases: 1 }],
  [1, '/locks/a', { recipe: 'mutex' }],
  [2, '/locks/b', { recipe: 'mutex' }],
  [3, '/locks/rw', { recipe: 'read' }],
  [4, '/locks/rw', { recipe: 'read' }],
  [5, '/locks/pool', { recipe: 'semaphore', dialect: 'kazoo-semaphore', maxLeases: 1 }],
];
const paths = [...new Set(joins.map(([, path]) => path))].sort();

/** @returns the sessions, the first of which blocks all others */
async function chain(connectString: string): Promise<ZooKeeperClient[]> {
  const sessions = await Promise.all(Array.from({ length: 6 }, () => open(connectString)));
  const [reader] = sessions;
  for (const [at, [session, path, spec]] of joins.entries()) {
    // It waits until its session is closed.
    createLock(sessions[session]!, path, spec)
      .acquire()
      .catch(() => undefined);
    await eventually(async () => {
      const queues = await queuesOf(reader!);
      expect(queues.flatMap(({ contenders }) => contenders).length).toBe(at + 1);
    });
  }
  return sessions;
}

/** Everything that is said of blockers, and of the end of one of some sessions. */
function said(queues: readonly LockQueue[], sessions: readonly bigint[]): object {
  const index = new BlockerIndex();
  atOnce(index.update(queues));
  const endings = sessions.map(session =>
    atOnce(ifEnded(queues, new Set([session]))).map(({ queue, leaving, next, stillHeld, ...rest }) => {
      const [gone, now, still] = [leaving, next, stillHeld].map(all => all.map(({ path }) => path));
      return { path: queue.path, leaving: gone, next: now, stillHeld: still, ...rest };
    }),
  );
  return { ranking: atOnce(rankBlockers(index)).blockers.map(plainBlocker), endings };
}

function expectChain(queues: readonly LockQueue[], sessions: readonly bigint[]): void {
  const id = BigInt.asUintN(64, sessions[0]!).toString(16);
  expect(said(queues, sessions)).toMatchObject({
    ranking: [{ kind: 'root', members: [`session 0x${id}`], waiting: 5, direct: 1 }],
  });
}

interface Look {
  zxid: bigint;
  queues: LockQueue[];
}

/** The queues of all locks, and the newest transaction that was read with them. */
async function look(from: ZooKeeperClient): Promise<Look> {
  const found = await Promise.all(paths.map(path => readNoting(from, path)));
  const zxid = found.reduce((newest, each) => (each.zxid > newest ? each.zxid : newest), 0n);
  return { zxid, queues: found.flatMap(({ queues }) => queues) };
}

it('a moment of transaction logs has the blockers that there were', async () => {
  server = await startZooKeeper();
  const sessions = await chain(server.connectString);
  const reader = await open(server.connectString);
  const ids = sessions.map(({ sessionId }) => sessionId);
  const middle = await look(reader);
  expectChain(middle.queues, ids);
  // The chain becomes shorter, link by link, as it was foretold.
  const later: Look[] = [];
  for (const session of sessions.slice(0, 3)) {
    const foretold = atOnce(ifEnded((await look(reader)).queues, new Set([session.sessionId])));
    await session.close();
    await eventually(async () => {
      const { queues } = await look(reader);
      const holders = queues.flatMap(({ contenders }) => contenders.filter(({ role }) => role === 'holder'));
      for (const { ownerSession } of foretold.flatMap(({ next }) => next)) {
        expect(holders.map(holder => holder.ownerSession)).toContain(ownerSession);
      }
    });
    later.push(await look(reader));
  }
  await server.kill();
  const recording = await openLogs(join(server.servers[0]!.folder, 'data'));
  for (const { zxid, queues } of [middle, ...later]) {
    const past = await look(recording.at({ zxid }));
    expect(said(past.queues, ids)).toEqual(said(queues, ids));
  }
  await recording.close();
});

it('an incident file has the blockers of its moment', async () => {
  const sessions = await chain(realm.connectString);
  const client = await open(realm.connectString);
  const ids = sessions.map(({ sessionId }) => sessionId);
  const live = await queuesOf(client);
  expectChain(live, ids);
  const path = join(folder, 'a.zkincident');
  await saveIncident({ client, connectString: realm.connectString }, path, 'none');
  const { recording, facts } = await openIncident(path);
  const past = await queuesOf(recording.at({ zxid: recording.to.zxid }));
  expect(said(past, ids)).toEqual(said(live, ids));
  const saved = facts.queues.map(({ queue }) => queue).sort((one, other) => (one.path < other.path ? -1 : 1));
  expect(said(saved, ids)).toEqual(said(live, ids));
  await recording.close();
});

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childPath } from '../../../src/base/paths.ts';
import type { Hold } from '../../../src/history/hold.ts';
import { createLock } from '../../../src/recipes/createLock.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import type { Recording } from '../../../src/replay/recording.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { serverVersion } from '../../support/serverVersion.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { lockPlans } from '../replay/lockPlans.ts';
import { Play } from '../replay/play.ts';
import { startTroupe, type Troupe } from '../replay/troupe.ts';
import { causesKnown, isSeenWhole, key, rightCauses, throughNoGap } from './recordedTruth.ts';
import { startRecorderUnderTest, type RecorderUnderTest } from './recorderUnderTest.ts';

const firstSeed = Number(process.env['RECORDER_SEED'] ?? 1);

let server: ZooKeeperEnsemble | undefined;
let proxy: TcpProxy | undefined;
let truth: Recording;
let recorder: RecorderUnderTest;
let isExactServer: boolean;
const clients: ZooKeeperClient[] = [];
let asked = 0;
const counts = new Map<string, number>();

beforeAll(async () => {
  // As by default: no session runs out between two looks at the servers.
  server = await startZooKeeper({ config: { minSessionTimeout: 4_000 } });
  const [{ port, folder } = { port: 0, folder: '' }] = server.servers;
  const version = await serverVersion(port);
  isExactServer = version.localeCompare('3.9.0', 'en', { numeric: true }) >= 0;
  proxy = await startTcpProxy(port);
  const [recording, live] = await Promise.all([
    connect(proxy.connectString, { sessionTimeoutMs: 30_000 }),
    connect(server.connectString, { sessionTimeoutMs: 30_000 }),
  ]);
  clients.push(recording, live);
  recorder = await startRecorderUnderTest(recording, server.connectString);
  await recorder.following();
  await playAll(0, server.connectString, live);
  await restartWhileHeld(server, live);
  await playAll(1, server.connectString, live, proxy);
  await recording.sync('/');
  await causesKnown(recorder.state);
  asked = recorder.observer.requestsPerMinute;
  recorder.observer.dispose();
  await server.kill();
  truth = await openLogs(join(folder, 'data'));
}, 600_000);

afterAll(async () => {
  await Promise.all(clients.map(client => client.close()));
  await proxy?.close();
  await server?.stop();
});

/** One play of each kind, one after the other: that many ends a second the servers can be asked for. @param cut loses its connections in the middle of the play */
async function playAll(act: number, connectString: string, live: ZooKeeperClient, cut?: TcpProxy): Promise<void> {
  const troupe: Troupe = await startTroupe(connectString);
  try {
    const now = lockPlans.map((plan, at) => {
      const seed = firstSeed + act * lockPlans.length + at;
      return new Play(`/play-${seed}/${plan.kind}`, plan, seed, troupe, live);
    });
    await Promise.all(now.map(play => play.open()));
    for (const play of now) await play.act(8, true);
    cut?.cut();
    await recorder.following();
    await troupe.killVictims();
    await Promise.all(now.map(play => play.afterKill()));
    for (const play of now) {
      await play.act(5, false);
      await play.leaveAll();
    }
  } finally {
    await troupe.stop();
  }
}

async function restartWhileHeld({ servers }: ZooKeeperEnsemble, live: ZooKeeperClient): Promise<void> {
  const lease = await createLock(live, '/restarted/lock', { recipe: 'mutex', dialect: 'curator' }).acquire();
  const gaps = recorder.state.gaps.length;
  await servers[0]!.restart();
  await eventually(() => expect(recorder.state.gaps).toHaveLength(gaps + 1), 30_000);
  await recorder.following();
  await eventually(() => expect(lease.state).toBe('held'), 30_000);
  await new Promise(resolve => setTimeout(resolve, 200));
  await lease.release();
}

function seenHolds(): Hold[] {
  return truth.holds().filter(hold => !hold.path.startsWith('/marks') && isSeenWhole(recorder.state, hold));
}

const isWhole = (hold: Hold): boolean => throughNoGap(recorder.state, hold);

function checkSpan({ from, to }: Hold, seen: Hold): void {
  if (!isExactServer) expect(seen.from.zxid, key(seen)).toBeLessThanOrEqual(from.zxid);
  else expect([seen.from.zxid, seen.to?.zxid], key(seen)).toEqual([from.zxid, to?.zxid]);
}

/** Whether its node was written right before it went, so that nothing of that could be read any more. */
async function isWrittenLast({ path, name, to }: Hold): Promise<boolean> {
  if (to === undefined) return false;
  const node = await truth.at({ zxid: to.zxid - 1n }).exists(childPath(path, name));
  return node !== undefined && node.version > 0 && to.time - node.mtime < 100;
}

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

describe('a recorder beside real clients', () => {
  it('has gaps for the restart and the lost connection, and else none', () => {
    expect(recorder.failures).toEqual([]);
    expect(recorder.state.gaps).toHaveLength(2);
    expect(truth.gaps).toEqual([]);
  });

  it('finds every hold outside of the gaps: who, where, from when and until when', async () => {
    const found = new Map(recorder.state.holds().map(hold => [key(hold), hold]));
    const wanted = seenHolds().filter(isWhole);
    expect(wanted.length).toBeGreaterThan(40);
    for (const hold of wanted) {
      const seen = found.get(key(hold));
      expect(seen, `the hold ${key(hold)}`).toBeDefined();
      const { kind, ownerSession, queued, to, lockName } = hold;
      expect(seen).toMatchObject({ kind, ownerSession });
      if (!(await isWrittenLast(hold))) expect(seen!.identifier).toBe(hold.identifier);
      expect(seen!.lockName).toBe(lockName);
      expect(seen!.queued.zxid, 'queued').toBe(queued.zxid);
      expect(seen!.isFromBefore).toBeUndefined();
      checkSpan(hold, seen!);
      if (to !== undefined) {
        count('ends');
        expect(Math.abs(seen!.to!.time - to.time), 'time of the end').toBeLessThan(1_000);
      }
    }
    const own = new Set(wanted.map(key));
    const others = recorder.state
      .holds()
      .filter(hold => isSeenWhole(recorder.state, hold) && isWhole(hold) && !own.has(key(hold)));
    expect(others.map(key)).toEqual([]);
  });

  it('gives the order of the holds of each lock', () => {
    const wanted = new Set(seenHolds().filter(isWhole).map(key));
    for (const { path } of truth.locks()) {
      const order = (holds: readonly Hold[]) => holds.map(key).filter(each => wanted.has(each));
      expect(order(recorder.state.holds(path)), path).toEqual(order(truth.holds(path)));
    }
  });

  it('gives right causes or none, and nearly always one', () => {
    const found = new Map(recorder.state.holds().map(hold => [key(hold), hold]));
    const unknown: string[] = [];
    for (const hold of seenHolds().filter(isWhole)) {
      if (hold.ended === undefined) continue;
      const { ended, endedBy } = found.get(key(hold))!;
      count(`${hold.ended} → ${ended ?? 'open'}`);
      if (ended === 'unknown') unknown.push(`${key(hold)} ${hold.ended} ${hold.to?.zxid ?? ''}`);
      else {
        expect(rightCauses(hold.ended), key(hold)).toContain(ended);
        expect(endedBy, key(hold)).toBe(hold.endedBy);
      }
    }
    const lines = [...counts].map(([what, times]) => `${what}: ${times}`);
    process.stdout.write(`asked ${asked} times; ${lines.join('; ')}; unknown: ${unknown.join(', ')}\n`);
    expect(unknown.length).toBeLessThanOrEqual(0.05 * (counts.get('ends') ?? 0));
  });

  it('knows the addresses of sessions, each with one entry', () => {
    const owners = new Set(seenHolds().map(({ ownerSession }) => ownerSession));
    const sessions = recorder.state.sessions();
    const known = [...owners].filter(id => sessions.get(id)?.address !== undefined);
    process.stdout.write(`addresses of ${known.length} of ${owners.size} sessions\n`);
    expect(known.length).toBeGreaterThan(0.9 * owners.size);
    const named = recorder.entries.flatMap(entry =>
      entry.type === 'session' && entry.session.address ? entry.session.id : [],
    );
    expect(new Set(named).size).toBe(named.length);
  });
});

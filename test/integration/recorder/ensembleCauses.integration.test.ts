import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childPath } from '../../../src/base/paths.ts';
import type { Hold } from '../../../src/history/hold.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import type { Recording } from '../../../src/replay/recording.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { serverVersion } from '../../support/serverVersion.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { EnsembleCast } from './ensembleCast.ts';
import { causesKnown, isSeen, isSeenWhole, key, rightCauses, throughNoGap } from './recordedTruth.ts';
import { startRecorderUnderTest, type RecorderUnderTest } from './recorderUnderTest.ts';

const seed = Number(process.env['RECORDER_SEED'] ?? 1);
/** What was counted before a leader change proves nothing, and members are busy: so long causes may stay unknown. ms */
const settlingMs = 10_000;

let ensemble: ZooKeeperEnsemble | undefined;
let cast: EnsembleCast;
let recording: ZooKeeperClient;
let recorder: RecorderUnderTest;
let truth: Recording;
/** Events say in which transaction a node was deleted. */
let isExactServer: boolean;
/** Epoch ms: from the end of a leader on. */
const leaderChanges: { from: number; to: number }[] = [];

beforeAll(async () => {
  // As by default: no session runs out between two looks at the servers.
  ensemble = await startZooKeeper({ nodes: 3, config: { minSessionTimeout: 4_000 } });
  const leader = await ensemble.complete();
  const version = await serverVersion(ensemble.ports[leader]!);
  isExactServer = version.localeCompare('3.9.0', 'en', { numeric: true }) >= 0;
  const [own, other] = [0, 1, 2].filter(index => index !== leader) as [number, number];
  recording = await connect(`127.0.0.1:${ensemble.ports[own]}`, { sessionTimeoutMs: 30_000 });
  recorder = await startRecorderUnderTest(recording, ensemble.connectString);
  await recorder.following();
  cast = new EnsembleCast(ensemble, seed);
  await cast.open();
  await cast.play(75);
  await without(other, 8);
  await cast.play(5);
  await withoutLeader(leader);
  await cast.play(15);
  await cast.leaveAll();
  await recording.sync('/');
  await causesKnown(recorder.state);
  recorder.observer.dispose();
  await ensemble.kill();
  truth = await openLogs(join(ensemble.servers[own]!.folder, 'data'));
}, 180_000);

afterAll(async () => {
  await Promise.all([cast.close(), recording.close()]);
  await ensemble?.stop();
});

/** A member dies in the middle of a play and comes back. */
async function without(member: number, steps: number): Promise<void> {
  cast.isTurbulent = true;
  const played = cast.play(steps);
  await ensemble!.servers[member]!.kill();
  await played;
  await ensemble!.servers[member]!.restart();
  await ensemble!.complete();
  await cast.play(6);
  cast.isTurbulent = false;
}

async function withoutLeader(leader: number): Promise<void> {
  const from = Date.now();
  await without(leader, 6);
  await recorder.following();
  leaderChanges.push({ from, to: Date.now() + settlingMs });
}

function seenHolds(): Hold[] {
  return truth.holds().filter(hold => isSeenWhole(recorder.state, hold) && throughNoGap(recorder.state, hold));
}

/** The end of a hold as the log has it, and as the recorder said. */
function* ends(): Iterable<{ hold: Hold; seen: Hold }> {
  const found = new Map(recorder.state.holds().map(hold => [key(hold), hold]));
  for (const hold of seenHolds()) if (hold.to !== undefined) yield { hold, seen: found.get(key(hold))! };
}

const isSettling = ({ to }: Hold): boolean =>
  leaderChanges.some(change => to !== undefined && to.time >= change.from && to.time <= change.to);

function isRight(hold: Hold, seen: Hold): boolean {
  const causes = rightCauses(hold.ended ?? 'unknown');
  return seen.ended !== undefined && causes.includes(seen.ended) && seen.endedBy === hold.endedBy;
}

describe('a recorder at a follower of an ensemble', () => {
  it('has a gap for the leader that died, and none for a follower', () => {
    expect(recorder.failures).toEqual([]);
    expect(recorder.state.gaps).toHaveLength(1);
    expect(truth.gaps).toEqual([]);
  });

  it('finds every hold outside of the gap: who, from when and until when', () => {
    const found = new Map(recorder.state.holds().map(hold => [key(hold), hold]));
    const wanted = seenHolds();
    expect(wanted.length).toBeGreaterThan(40);
    for (const hold of wanted) {
      const { kind, ownerSession, identifier, from, to } = hold;
      const seen = found.get(key(hold));
      expect(seen, key(hold)).toMatchObject({ kind, ownerSession, identifier });
      if (isExactServer) expect([seen!.from.zxid, seen!.to?.zxid], key(hold)).toEqual([from.zxid, to?.zxid]);
      else expect(seen!.from.zxid, key(hold)).toBeLessThanOrEqual(from.zxid);
    }
    const own = new Set(wanted.map(key));
    const others = recorder.state
      .holds()
      .filter(hold => hold.isEndUnseen !== true && isSeen(recorder.state, hold.from))
      .filter(hold => throughNoGap(recorder.state, hold) && !own.has(key(hold)));
    expect(others.map(key)).toEqual([]);
  });

  it('gives right causes or none, and nearly always one', () => {
    const counts = new Map<string, number>();
    const wrong: string[] = [];
    const unknown: string[] = [];
    let settled = 0;
    for (const { hold, seen } of ends()) {
      const said = `${hold.ended} → ${seen.ended}`;
      const what = isSettling(hold) ? `${said} (settling)` : said;
      counts.set(what, (counts.get(what) ?? 0) + 1);
      // Right or unknown, too; but how often is a matter of luck.
      const isProvable = !isSettling(hold) && !cast.hasty.has(childPath(hold.path, hold.name));
      if (isProvable) settled++;
      if (seen.ended === 'unknown') {
        if (isProvable) unknown.push(`${key(hold)} ${said} ${hold.to!.zxid}`);
      } else if (!isRight(hold, seen))
        wrong.push(`${key(hold)} ${said} ${hold.endedBy} ${seen.endedBy} ${hold.to!.zxid}`);
    }
    const lines = [...counts].sort().map(([what, times]) => `${what}: ${times}`);
    process.stdout.write(
      `seed ${seed}: ${unknown.length} of ${settled} unknown; ${lines.join('; ')}; unknown: ${unknown.join(', ')}\n`,
    );
    expect(wrong).toEqual([]);
    expect(settled).toBeGreaterThan(30);
    // Members share a machine: what another one does late cannot be proven.
    expect(unknown.length).toBeLessThanOrEqual(0.2 * settled);
  });
});

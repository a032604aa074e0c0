import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndCause, Hold, Moment, Wait } from '../../../src/history/hold.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { listLogFolder } from '../../../src/replay/logFolder.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import type { Recording } from '../../../src/replay/recording.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { plainQueues, takePictures, type Pictures } from './livePictures.ts';
import { lockPlans } from './lockPlans.ts';
import { Play, type Deed, type Span, type Way } from './play.ts';
import { startTroupe, type Troupe } from './troupe.ts';

const firstSeed = Number(process.env['REPLAY_SEED'] ?? 1);
const acts = Number(process.env['REPLAY_ACTS'] ?? 3);

const causes: Readonly<Record<Way, EndCause>> = {
  release: 'released',
  cancel: 'released',
  end: 'session closed',
  kill: 'session expired',
  delete: 'deleted by another session',
};

let server: ZooKeeperEnsemble | undefined;
let client: ZooKeeperClient | undefined;
let folder: string;
let recording: Recording;
const plays: Play[] = [];
const pictures = new Map<Play, Pictures>();

beforeAll(async () => {
  // Few transactions to a snapshot, so that each play is spread over several files.
  server = await startZooKeeper({ systemProperties: { 'zookeeper.snapCount': '60' } });
  client = await connect(server.connectString);
  for (let act = 0; act < acts; act++) await playAll(act, server.connectString, client);
  await server.kill();
  folder = join(server.servers[0]!.folder, 'data');
  recording = await openLogs(folder);
}, 600_000);

afterAll(async () => {
  await client?.close();
  await server?.stop();
});

/** One play of each kind at a time. */
async function playAll(act: number, connectString: string, live: ZooKeeperClient): Promise<void> {
  const troupe: Troupe = await startTroupe(connectString);
  try {
    const now = lockPlans.map((plan, at) => {
      const seed = firstSeed + act * lockPlans.length + at;
      return new Play(`/play-${seed}/${plan.kind}`, plan, seed, troupe, live);
    });
    plays.push(...now);
    const readers = now.map(play => takePictures(live, play.path));
    await Promise.all(now.map(play => play.open()));
    await Promise.all(now.map(play => play.act(8, true)));
    await troupe.killVictims();
    await Promise.all(now.map(play => play.afterKill()));
    await Promise.all(now.map(play => play.act(5, false)));
    for (const [at, play] of now.entries()) pictures.set(play, await readers[at]!());
  } finally {
    // What is left ends with its sessions.
    await troupe.stop();
  }
}

const within = (moment: Moment | undefined, { after, before }: Span): boolean =>
  moment !== undefined && moment.zxid > after && moment.zxid < before;

function of<T extends Hold | Wait>(all: readonly T[], { session }: Deed): T[] {
  return all.filter(({ ownerSession }) => ownerSession === session);
}

/** A contender that is stopped while it waits may delete its node before its session ends. */
function mayHaveCleanedUp({ held, left }: Deed): boolean {
  return left?.way === 'end' && held === undefined;
}

/** @param interferer the session that deletes nodes of others */
function checkEnd(each: Hold | Wait, deed: Deed, interferer: bigint): void {
  const { left } = deed;
  if (left === undefined) {
    expect(each.ended, 'left with its program').toBe('session closed');
    return;
  }
  expect(within(each.to, left), `end of ${deed.name} in ${JSON.stringify(left, showBig)}`).toBe(true);
  const allowed = mayHaveCleanedUp(deed) ? ['released', 'session closed'] : [causes[left.way]];
  expect(allowed, `${deed.name} left by ${left.way}`).toContain(each.ended);
  expect(each.endedBy).toBe(left.way === 'delete' ? interferer : undefined);
}

/** Sessions of killed programs run out one after the other: the turn of a waiter may come before its own session ends. */
function checkTurnOfDead(hold: Hold, deed: Deed): void {
  expect(deed.left!.way, `${deed.name} never held`).toBe('kill');
  expect(within(hold.from, deed.left!), `begin of ${deed.name}`).toBe(true);
  expect(hold.ended).toBe('session expired');
}

const showBig = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

describe('logs of real clients', () => {
  it('are several files, snapshots in between, and sure from the first transaction on', async () => {
    const { logs, snapshots } = await listLogFolder(folder);
    expect(logs.length).toBeGreaterThanOrEqual(3);
    expect(snapshots.length).toBeGreaterThanOrEqual(3);
    expect(recording.problems).toEqual([]);
    expect(recording.gaps).toEqual([]);
  });

  it('have all ways in which holders and waiters leave', () => {
    const deeds = plays.flatMap(play => play.deeds);
    const tally = (all: readonly Deed[]) => Object.groupBy(all, ({ left }) => left?.way ?? 'stay');
    const [held, waited] = [true, false].map(has =>
      tally(deeds.filter(({ held: span }) => (span !== undefined) === has)),
    );
    const count = (all: ReturnType<typeof tally> | undefined) =>
      Object.entries(all ?? {}).map(([way, each]) => `${way} ${each.length}`);
    process.stdout.write(`holders: ${count(held).join(', ')}; waiters: ${count(waited).join(', ')}\n`);
    expect(Object.keys(held!)).toEqual(expect.arrayContaining(['release', 'end', 'kill', 'delete']));
    expect(Object.keys(waited!)).toEqual(expect.arrayContaining(['cancel', 'end', 'kill']));
  });

  it('give every hold: begin, end, cause, and who', () => {
    for (const { path, deeds, plan, interferer } of plays) {
      const holds = recording.holds(path);
      for (const deed of deeds) {
        const [hold, ...others] = of(holds, deed);
        expect(others, `${deed.name} held once`).toEqual([]);
        if (deed.held === undefined) {
          // One that left with its program may have held in the end.
          if (hold !== undefined && deed.left !== undefined) checkTurnOfDead(hold, deed);
          continue;
        }
        expect(hold, `${deed.name} held`).toBeDefined();
        expect(within(hold!.from, deed.held), `begin of ${deed.name}`).toBe(true);
        expect(hold!.isFromBefore).toBeUndefined();
        if (plan.hasLeases !== true) expect(within(hold!.queued, deed.joined)).toBe(true);
        checkEnd(hold!, deed, interferer);
        if (plan.parts[0]!.library === 'curator' || plan.hasLeases !== true)
          expect(hold!.identifier, `who ${deed.name} is`).toBe(deed.identifier);
      }
      expect(holds.filter(({ ownerSession }) => deeds.every(({ session }) => session !== ownerSession))).toEqual([]);
    }
  });

  it('give every wait that came to nothing', () => {
    for (const { path, deeds, plan, interferer } of plays) {
      const waits = recording.waits(path);
      for (const deed of deeds.filter(({ left }) => left !== undefined)) {
        const own = of(waits, deed);
        if (deed.held === undefined && of(recording.holds(path), deed).length === 0) {
          expect(own, `${deed.name} waited`).toHaveLength(1);
          checkEnd(own[0]!, deed, interferer);
        } else if (deed.held !== undefined && plan.hasLeases === true)
          expect(own.map(({ ended }) => ended)).toEqual(['released']);
        else expect(own, `${deed.name} held`).toEqual([]);
      }
    }
  });

  it('give the holds of a mutex one after the other', () => {
    for (const { path, plan } of plays) {
      if (plan.kind.endsWith('rw') || plan.hasLeases === true) continue;
      const holds = recording.holds(path);
      holds.forEach((hold, at) => {
        const before = holds[at - 1]?.to?.zxid ?? 0n;
        expect(hold.from.zxid).toBe(before > hold.czxid ? before : hold.czxid);
      });
    }
  });

  it('show at each moment what the live inspector showed', { timeout: 300_000 }, async () => {
    let seen = 0;
    let changes = 0;
    for (const [{ path }, shown] of pictures) {
      for (const [zxid, queues] of shown) {
        const then = await readQueues(recording.at({ zxid }), path);
        expect(plainQueues(then), `${path} at ${String(zxid)}`).toEqual(plainQueues(queues));
      }
      const own = [...recording.holds(path), ...recording.waits(path)];
      changes += new Set(own.flatMap(({ queued, from, to }) => [queued.zxid, from?.zxid, to?.zxid])).size;
      seen += shown.size;
    }
    process.stdout.write(`${plays.length} plays from seed ${firstSeed} on: ${seen} pictures, ${changes} moments\n`);
    expect(seen).toBeGreaterThan(changes / 2);
  });
});

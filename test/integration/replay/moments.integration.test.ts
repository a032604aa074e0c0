import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../scripts/zookeeper/temporaryFolder.ts';
import { childPath } from '../../../src/base/paths.ts';
import { listLogFolder } from '../../../src/replay/logFolder.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import type { Recording } from '../../../src/replay/recording.ts';
import type { CreateMode, Stat, ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));
const random = seededRandom(seed);
const writes = 150;

/** All nodes as a client reads them. */
interface Picture {
  /** Of the last change that is to be seen in it. */
  zxid: bigint;
  nodes: Map<string, unknown>;
}

async function readPicture(client: ZooKeeperClient): Promise<Picture> {
  const picture: Picture = { zxid: 0n, nodes: new Map() };
  const note = ({ czxid, mzxid, pzxid }: Stat): void => {
    for (const zxid of [czxid, mzxid, pzxid]) if (zxid > picture.zxid) picture.zxid = zxid;
  };
  const look = async (path: string): Promise<void> => {
    const [{ children, stat }, { data }, { acl }] = await Promise.all([
      client.getChildren(path),
      client.getData(path),
      client.getAcl(path),
    ]);
    note(stat);
    picture.nodes.set(path, { stat, data: Buffer.from(data).toString('hex'), acl, children: children.sort() });
    await Promise.all(children.map(name => look(childPath(path, name))));
  };
  await look('/');
  return { ...picture, nodes: new Map([...picture.nodes].sort(([one], [other]) => (one < other ? -1 : 1))) };
}

function only(nodes: Picture['nodes'], isWanted: (path: string) => boolean): Picture['nodes'] {
  return new Map([...nodes].filter(([path]) => isWanted(path)));
}

/** Writes as it comes, below a few directories. */
class RandomWriter {
  private readonly paths = ['/a', '/b'];
  private readonly server: string;
  private client: ZooKeeperClient | undefined;

  constructor(server: string) {
    this.server = server;
  }

  async write(): Promise<void> {
    this.client ??= await connect(this.server, { sessionTimeoutMs: 10_000 });
    const { client, paths } = this;
    const path = random.pick(paths);
    const roll = random.below(20);
    if (roll === 0) await this.close();
    else if (roll < 10) await this.create(client, path);
    else if (roll < 15) await this.change(client, path);
    else await this.remove(client, path);
  }

  async close(): Promise<void> {
    await this.client?.close();
    this.client = undefined;
  }

  private async create(client: ZooKeeperClient, directory: string): Promise<void> {
    const modes: CreateMode[] = [
      'persistent',
      'ephemeral',
      'ephemeral_sequential',
      'persistent_sequential',
      'container',
    ];
    const path = childPath(random.pick(['/', directory]), random.pick(['a', 'b', 'lock-', 'read-']));
    const data = random.bytes(random.pick([0, 9, 100, 3_000]));
    const created = await client.create(path, { mode: random.pick(modes), data }).catch(() => undefined);
    if (created !== undefined) this.paths.push(created.path);
  }

  private async change(client: ZooKeeperClient, path: string): Promise<void> {
    const stat = await client.exists(path);
    if (stat !== undefined) await client.setData(path, random.bytes(random.pick([1, 80, 700])), stat.version);
  }

  private async remove(client: ZooKeeperClient, path: string): Promise<void> {
    const stat = await client.exists(path);
    // A node with children is refused: that takes a zxid too.
    if (stat !== undefined) await client.remove(path, stat.version).catch(() => undefined);
  }
}

describe(`moments of the logs of a real server (seed ${seed})`, () => {
  let ensemble: ZooKeeperEnsemble;
  let folder: string;
  const pictures: Picture[] = [];

  beforeAll(async () => {
    ensemble = await startZooKeeper({ systemProperties: { 'zookeeper.snapCount': '20' } });
    const reader = await connect(ensemble.connectString, { sessionTimeoutMs: 40_000 });
    const writers = [new RandomWriter(ensemble.connectString), new RandomWriter(ensemble.connectString)];
    for (let count = 0; count < writes; count++) {
      await random.pick(writers).write();
      pictures.push(await readPicture(reader));
    }
    await Promise.all(writers.map(writer => writer.close()));
    await reader.close();
    await ensemble.servers[0]?.stop();
    folder = await temporaryFolder('moments-');
    await cp(join(ensemble.servers[0]!.folder, 'data'), folder, { recursive: true });
  }, 120_000);

  afterAll(async () => {
    await ensemble.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Reads every moment, and compares it with what the client had read then. @returns how many were compared */
  async function compare(recording: Recording, isCompared: (path: string) => boolean): Promise<number> {
    let compared = 0;
    const last = pictures.at(-1)!.zxid;
    for (let zxid = recording.sureFrom.zxid; zxid <= last; zxid++) {
      const expected = pictures.findLast(picture => picture.zxid <= zxid);
      if (expected === undefined) continue;
      const { nodes } = await readPicture(recording.at({ zxid }));
      expect(only(nodes, isCompared), `zxid ${zxid}`).toEqual(only(expected.nodes, isCompared));
      compared++;
    }
    return compared;
  }

  it('are what a client read at that time', async () => {
    const recording = await openLogs(folder, { limits: { spacing: 10, bytes: 50_000 } });
    const { logs, snapshots } = await listLogFolder(folder);
    expect(logs.length).toBeGreaterThanOrEqual(3);
    expect(snapshots.length).toBeGreaterThanOrEqual(3);
    expect(recording.gaps).toEqual([]);
    // Logs do not say that 3.4 has no /zookeeper/config.
    expect(await compare(recording, path => !path.startsWith('/zookeeper'))).toBeGreaterThan(writes / 2);
  });

  it('are so from a snapshot on, where earlier logs are gone', async () => {
    const { logs, snapshots } = await listLogFolder(folder);
    const kept = snapshots[Math.floor(snapshots.length / 2)]!;
    const oldest = logs.findLast(({ firstZxid }) => firstZxid <= kept.zxid + 1n)!;
    for (const { path, firstZxid } of logs) if (firstZxid < oldest.firstZxid) await rm(path);
    for (const { path, zxid } of snapshots) if (zxid < kept.zxid) await rm(path);
    const recording = await openLogs(folder);
    expect(recording.from.zxid).toBeGreaterThan(1n);
    expect(recording.sureFrom.zxid).toBeGreaterThanOrEqual(kept.zxid);
    expect(recording.gaps.filter(({ why }) => why === 'missing')).toEqual([]);
    expect(await compare(recording, () => true)).toBeGreaterThan(writes / 10);
  });
});

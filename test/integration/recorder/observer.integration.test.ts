import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecorderError } from '../../../src/app/recorder/recorderError.ts';
import { createLock } from '../../../src/recipes/createLock.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { serverVersion } from '../../support/serverVersion.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { RecordedPlay } from '../replay/recordedPlay.ts';
import { startRecorderUnderTest } from './recorderUnderTest.ts';

let server: ZooKeeperEnsemble | undefined;
const clients: ZooKeeperClient[] = [];

/** @param words that the server answers */
async function start(words?: string): Promise<string> {
  server = await startZooKeeper(words === undefined ? {} : { fourLetterWords: words });
  return server.connectString;
}

async function session(connectString: string): Promise<ZooKeeperClient> {
  const client = await connect(connectString, { sessionTimeoutMs: 30_000 });
  clients.push(client);
  return client;
}

const mutex = (client: ZooKeeperClient, path: string) =>
  createLock(client, path, { recipe: 'mutex', dialect: 'curator' }).acquire();

const think = (): Promise<unknown> => new Promise(resolve => setTimeout(resolve, 150));

afterAll(async () => {
  await Promise.all(clients.map(client => client.close()));
  await server?.stop();
});

describe('a recorder on a server that answers no word but srvr', () => {
  let connectString: string;
  beforeAll(async () => {
    connectString = await start('srvr');
  });

  it('records every hold, proves no cause, and hardly asks', async () => {
    const [own, holder, other] = await Promise.all([1, 2, 3].map(() => session(connectString)));
    const recorder = await startRecorderUnderTest(own!, connectString);
    await recorder.following();
    for (let each = 0; each < 5; each++) {
      const lease = await mutex(holder!, '/refused/released');
      await think();
      await lease.release();
    }
    const stolen = await mutex(holder!, '/refused/stolen');
    await think();
    await other!.remove(stolen.path, 0);
    await mutex(other!, '/refused/closed');
    await think();
    await other!.close();
    await eventually(() => expect(recorder.state.holds().every(({ to }) => to !== undefined)).toBe(true));
    await new Promise(resolve => setTimeout(resolve, 2_000));
    expect(recorder.state.holds()).toHaveLength(7);
    expect(recorder.state.holds().map(({ ended }) => ended)).toEqual(Array.from({ length: 7 }, () => 'unknown'));
    expect(recorder.entries.filter(({ type }) => type === 'cause')).toEqual([]);
    expect(recorder.observer.requestsPerMinute).toBeLessThan(20);
    recorder.observer.dispose();
  });

  it('has the leases of a semaphore that was held before', async () => {
    const [own, holder] = await Promise.all([1, 2].map(() => session(connectString)));
    const lock = createLock(holder!, '/pool/mail', { recipe: 'semaphore', dialect: 'kazoo-semaphore', maxLeases: 2 });
    const lease = await lock.acquire();
    const recorder = await startRecorderUnderTest(own!, connectString);
    await recorder.following();
    const holds = () => recorder.state.holds('/pool/mail');
    expect(holds().map(({ path, name }) => `${path}/${name}`)).toEqual(lease.paths);
    await lease.release();
    await eventually(() => expect(holds()[0]?.to).toBeDefined());
    recorder.observer.dispose();
  });

  it('knows the owners of nodes that live for 30 ms, while 50 changes a second come for long', async () => {
    const [own, holder] = await Promise.all([1, 2].map(() => session(connectString)));
    await holder!.create('/short');
    const recorder = await startRecorderUnderTest(own!, connectString);
    await recorder.following();
    const count = 200;
    for (let at = 0; at < count; at++) {
      const path = `/short/lock-${String(at).padStart(10, '0')}`;
      await holder!.create(path, { mode: 'ephemeral' });
      await new Promise(resolve => setTimeout(resolve, 30));
      await holder!.remove(path, 0);
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    const holds = () => recorder.state.holds('/short');
    await eventually(() => expect(holds().filter(({ to }) => to !== undefined)).toHaveLength(count));
    const known = holds().filter(({ ownerSession }) => ownerSession === holder!.sessionId);
    // What else runs on this machine may delay a read.
    expect(known.length).toBeGreaterThan(0.9 * count);
    recorder.observer.dispose();
  });

  it('has the holds of nodes that are gone when they are read, without their owners', async () => {
    const own = await session(connectString);
    await own.create('/gone');
    const recorder = await startRecorderUnderTest(own, connectString);
    await recorder.following();
    const names = Array.from({ length: 50 }, (_, at) => `lock-${String(at).padStart(10, '0')}`);
    const play = new RecordedPlay(server!.ports[0]!);
    const holder = await play.session(30_000);
    for (const name of names) {
      const path = `/gone/${name}`;
      // Both in one transaction: two, sent one behind the other, leave time for a read where the server's disk is slow.
      await play.multi(holder, [play.createPart(holder, path, 'ephemeral'), play.deletePart(path)]);
    }
    const holds = () => recorder.state.holds('/gone');
    await eventually(() => expect(holds().map(({ name }) => name)).toEqual(names));
    expect(holds().every(({ from, to }) => to !== undefined && to.time >= from.time)).toBe(true);
    expect(holds().every(({ ownerSession }) => ownerSession === 0n)).toBe(true);
    play.leave();
    recorder.observer.dispose();
  });

  it('finds the leases of a semaphore when its queue appears', async () => {
    const [own, holder] = await Promise.all([1, 2].map(() => session(connectString)));
    const name = '00112233445566778899aabbccddeeff';
    await holder!.create('/pool/print');
    await holder!.create(`/pool/print/${name}`, { mode: 'ephemeral' });
    const recorder = await startRecorderUnderTest(own!, connectString);
    await recorder.following();
    const holds = () => recorder.state.holds('/pool/print');
    expect(holds()).toEqual([]);
    await holder!.create('/pool/print-__lock__');
    await eventually(() => expect(holds()).toMatchObject([{ name }]));
    recorder.observer.dispose();
  });

  it('gets each event once and in order that comes fast, and answers between them', async () => {
    const [own, other] = await Promise.all([1, 2].map(() => session(connectString)));
    await own!.create('/fast');
    const paths: string[] = [];
    const watch = await own!.watchTree('/fast', ({ path }) => paths.push(path), { mayLag: true });
    const wanted = Array.from({ length: 5_000 }, (_, each) => `/fast/${each}`);
    for (let at = 0; at < wanted.length; at += 100) {
      await Promise.all(wanted.slice(at, at + 100).map(path => other!.create(path)));
      const last = wanted[Math.min(at + 99, wanted.length - 1)]!;
      await own!.sync('/');
      expect(await own!.exists(last)).toBeDefined();
      // Events come before the answers behind them.
      expect(paths.at(-1)).toBe(last);
    }
    expect(paths).toEqual(wanted);
    watch.dispose();
  });

  it('sees the transactions of events below a chroot, where the server sends them', async () => {
    const version = await serverVersion(server!.ports[0]!);
    const plain = await session(connectString);
    await plain.create('/below');
    const client = await session(`${connectString}/below`);
    const seen: unknown[] = [];
    await client.watchTree('/', event => seen.push(event));
    const { stat } = await plain.create('/below/node');
    await plain.remove('/below/node', 0);
    await eventually(() => expect(seen).toHaveLength(2));
    const isTimed = version.localeCompare('3.9.0', 'en', { numeric: true }) >= 0;
    const zxids = isTimed ? [stat.czxid, stat.czxid + 1n] : [undefined, undefined];
    expect(seen).toEqual([
      { type: 'created', path: '/node', ...(isTimed && { zxid: zxids[0] }) },
      { type: 'deleted', path: '/node', ...(isTimed && { zxid: zxids[1] }) },
    ]);
  });

  it('says so when there are more nodes than it may list', async () => {
    const client = await session(connectString);
    for (let each = 0; each < 20; each++) await client.create(`/node${each}x`);
    const recorder = await startRecorderUnderTest(client, connectString, { maxNodes: 10 });
    await eventually(() => expect(recorder.failures).toHaveLength(1));
    const { kind, limit } = recorder.failures[0] as RecorderError;
    expect([kind, limit]).toEqual(['too-many-nodes', 10]);
    expect(recorder.observer.watches).toBe(0);
    expect(recorder.entries).toEqual([]);
  });

  it('ends with a gap when its session ends', async () => {
    const client = await connect(connectString);
    const recorder = await startRecorderUnderTest(client, connectString);
    await recorder.following();
    await client.close();
    await eventually(() => expect(recorder.entries.at(-1)).toMatchObject({ type: 'gap' }));
    expect(recorder.failures).toEqual([]);
  });

  it('says once a second at most that nothing happens', async () => {
    const client = await session(connectString);
    const recorder = await startRecorderUnderTest(client, connectString);
    await recorder.following();
    const alive = () => recorder.entries.filter(({ type }) => type === 'alive').length;
    const begun = performance.now();
    await eventually(() => expect(alive()).toBeGreaterThanOrEqual(3), 8_000);
    expect(alive()).toBeLessThanOrEqual((performance.now() - begun) / 1_000 + 1);
    recorder.observer.dispose();
  });
});

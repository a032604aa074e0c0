import { expect, it } from 'vitest';
import { monotonicNow } from '../../../src/base/deadline.ts';
import { nullLogger } from '../../../src/base/logger.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { attach, connect } from '../../../src/zookeeper/connect.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { keepTimeout, mutate, recordReplies, replayConnection, type RecordedFrame } from '../../support/replay.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { startTcpProxy } from '../../support/tcpProxy.ts';

const realm = useTestRealm();

/** Session timeout of the replays, ms. */
const T = 300;
const cases = 10_000;
const atOnce = 1_000;
/** Deadline of a request (T, looked at every T/3), and what a machine with a thousand sessions may be late. */
const limitMs = 10_000;

/** Every kind of request and of event, one after the other. @returns how each of them ended */
async function everyRequest(client: ZooKeeperClient): Promise<string[]> {
  const ignore = (): void => undefined;
  const steps: (() => Promise<unknown>)[] = [
    () => client.create('/a', { data: Buffer.from('data') }),
    () => client.exists('/a', { watch: ignore }),
    () => client.exists('/none', { watch: ignore }),
    () => client.getChildren('/a', { watch: ignore }),
    () => client.setData('/a', Buffer.from('changed'), 0),
    () => client.watchTree('/a', ignore),
    () => client.create('/a/b', { mode: 'ephemeral_sequential' }),
    () => client.getData('/a'),
    () => client.getAcl('/a'),
    () =>
      client.readMany([
        { op: 'getData', path: '/a' },
        { op: 'getData', path: '/none' },
        { op: 'getChildren', path: '/a' },
      ]),
    () => client.whoAmI(),
    () => client.sync('/'),
    () => client.remove('/none', 0),
  ];
  const ends: string[] = [];
  for (const step of steps) ends.push(await timed(step()));
  return ends;
}

async function timed(request: Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>(resolve => (timer = setTimeout(() => resolve('PENDING'), limitMs)));
  const end = request.then(
    () => 'ok',
    (error: unknown) => (error instanceof Error ? error.name : 'no error'),
  );
  const first = await Promise.race([end, late]);
  clearTimeout(timer);
  return first;
}

async function record(): Promise<RecordedFrame[]> {
  const proxy = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]));
  const frames = recordReplies(proxy);
  const client = await connect(proxy.connectString + realm.chroot, { sessionTimeoutMs: 10_000 });
  const ends = await everyRequest(client);
  expect(ends.filter(end => end !== 'ok')).toEqual(['ZooKeeperError']);
  const recorded = keepTimeout([...frames], T);
  await client.close();
  await proxy.close();
  return recorded;
}

async function play(frames: readonly RecordedFrame[], seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const openSocket = () => replayConnection(keepTimeout(mutate(frames, random), T), random);
  const options = {
    servers: [{ host: 'replay', port: 1 }],
    sessionTimeoutMs: T,
    handshakeTimeoutMs: T,
    auth: [],
    tls: undefined,
    openSocket,
    clock: monotonicNow,
    logger: nullLogger,
    replyLimit: 64 * 1024 * 1024,
  };
  const connected = attach(realm.chroot, options, T);
  const end = await timed(connected);
  if (end !== 'ok') return [end];
  const client = await connected;
  const ends = await everyRequest(client);
  return [...ends, await timed(client.close())];
}

it(
  'F26 10,000 mutated recordings: nothing is thrown uncaught, no promise stays pending',
  { timeout: 240_000 },
  async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on('uncaughtException', note);
    process.on('unhandledRejection', note);
    const counts = new Map<string, number>();
    try {
      const frames = await record();
      expect(frames.length).toBeGreaterThan(15);
      for (let first = 1; first <= cases; first += atOnce) {
        const seeds = Array.from({ length: atOnce }, (_, index) => first + index);
        const results = await Promise.all(seeds.map(seed => play(frames, seed)));
        for (const [index, ends] of results.entries()) {
          expect(ends, `seed ${seeds[index]!}`).not.toContain('PENDING');
          for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
        }
      }
    } finally {
      process.off('uncaughtException', note);
      process.off('unhandledRejection', note);
    }
    expect(uncaught).toEqual([]);
    // The mutations reach every depth: handshakes, replies, events and records.
    for (const end of ['ok', 'ZooKeeperError', 'ReplyLostError', 'OutcomeUnknownError', 'NotConnectedError']) {
      expect(counts.get(end), end).toBeGreaterThan(100);
    }
    for (const end of ['ConnectError', 'SessionLostError', 'MalformedReplyError']) {
      expect(counts.get(end), end).toBeGreaterThan(0);
    }
  },
);

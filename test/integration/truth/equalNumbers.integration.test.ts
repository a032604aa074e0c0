import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { describeWithGo } from '../../support/goContenders.ts';
import { startObserver, type Observer } from '../../support/observer.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';
import { curator, go, kazoo, startPrograms, type Programs } from './programs.ts';
import { playAll, type Schedule } from './schedules.ts';
import { readServerFacts } from './serverFacts.ts';
import { emptyTally, type Theatre } from './theatre.ts';

// Once its counter has reached 2147483647, a directory gives that number to every new node (ZooKeeper 3.6 and later). Contenders
// of Go do not see each other then; those of Curator and of kazoo 2.8 go by the order in which the server lists them.

const paths = ['/curator', '/kazoo', '/go'] as const;
const last = 2_147_483_647;

let server: TestServer;
let programs: Programs;
let client: ZooKeeperClient;
let observer: Observer;

beforeAll(async () => {
  server = await startTestServer();
  const before = await connect(server.connectString);
  for (const path of paths) await before.create(path);
  await before.close();
  await server.setSequence(paths, last);
  programs = startPrograms(server.connectString);
  [client, observer] = await Promise.all([connect(server.connectString), startObserver(server.connectString)]);
});
afterAll(async () => {
  await Promise.all([client.close(), observer.stop(), programs.stop()]);
  await server.stop();
});

const tally = emptyTally();

async function play(schedules: readonly Schedule[]): Promise<void> {
  const facts: Theatre['facts'] = () => readServerFacts(server.connectString, client, '');
  await playAll({ programs, client, observer, facts, chroot: '', tally }, schedules);
}

const plan = {
  doubts: ['duplicate-sequence'],
  hazards: ['sequence-nearly-exhausted', 'order-differs-from-creation'],
  crowd: 5,
  steps: 12,
} as const;

it('Curator and kazoo: all with the same number may hold', async () => {
  await play([
    { path: '/curator', dialects: ['curator'], parts: curator('mutex'), ...plan },
    { path: '/kazoo', dialects: ['kazoo'], parts: kazoo('lock'), ...plan },
  ]);
  expect(tally.steps).toBeGreaterThan(30);
});

describeWithGo('go-zookeeper', () => {
  it('all with the same number hold', async () => {
    await play([{ path: '/go', dialects: ['go-zookeeper'], parts: go('lock'), ...plan }]);
  });
});

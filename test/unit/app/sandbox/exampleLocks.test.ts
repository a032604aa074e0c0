import { afterEach, beforeEach, expect, it } from 'vitest';
import { startExampleLocks } from '../../../../src/app/sandbox/exampleLocks.ts';
import { startSandbox, type Sandbox } from '../../../../src/sandbox/startSandbox.ts';
import type { ZooKeeperClient } from '../../../../src/zookeeper/client.ts';
import { connect } from '../../../../src/zookeeper/connect.ts';

let sandbox: Sandbox;
let observer: ZooKeeperClient;
/** Of the examples, in the order of their sessions. */
let clients: ZooKeeperClient[];
let reported: string[];

const open = (): Promise<ZooKeeperClient> =>
  connect(sandbox.connectString, { openSocket: sandbox.openSocket, connectTimeoutMs: 2_000 });

async function openExample(): Promise<ZooKeeperClient> {
  const client = await open();
  clients.push(client);
  return client;
}

beforeEach(async () => {
  sandbox = await startSandbox();
  observer = await open();
  clients = [];
  reported = [];
});

afterEach(async () => {
  await observer.close();
  await sandbox.close();
});

it('leave the nodes that no session owns to a server that goes with them', async () => {
  const examples = await startExampleLocks(openExample, '/examples', text => reported.push(text));
  await examples.stop();
  const sessions = sandbox.sessions().map(({ sessionId }) => sessionId);
  expect(sessions).toEqual([observer.sessionId]);
  expect(await observer.exists('/examples/imports/daily')).toBeDefined();
  expect(reported).toEqual([]);
});

it('are removed by any session that is still connected', async () => {
  const examples = await startExampleLocks(openExample, '/examples', text => reported.push(text));
  await clients[0]?.close();
  await examples.stopAndRemove();
  expect([await observer.exists('/examples'), sandbox.sessions().length, reported]).toEqual([undefined, 1, []]);
});

it('say so when no session is left to remove them', async () => {
  const examples = await startExampleLocks(openExample, '/examples', text => reported.push(text));
  await Promise.all(clients.map(client => client.close()));
  reported = [];
  await examples.stopAndRemove();
  expect(reported).toEqual(['Examples below /examples were not removed: no session is connected.']);
});

it('that are stopped while they start end all sessions', async () => {
  const stopped = new AbortController();
  const starting = startExampleLocks(
    async () => {
      const client = await openExample();
      if (clients.length === 5) stopped.abort();
      return client;
    },
    '/examples',
    text => reported.push(text),
    stopped.signal,
  );
  await expect(starting).rejects.toThrow();
  expect(clients.map(({ state }) => state)).toEqual(clients.map(() => 'closed'));
  expect(reported).toEqual([]);
});

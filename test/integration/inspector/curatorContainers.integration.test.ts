import { afterAll, beforeAll, expect, it } from 'vitest';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../../support/curatorContenders.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

// The directories of Curator's recipes are containers: the server removes those that have become empty, once a minute; here
// ten times a second.

let server: TestServer;
let contenders: Contenders<CuratorRecipe>;
let client: ZooKeeperClient;

beforeAll(async () => {
  server = await startTestServer({ containerCheckMs: 100 });
  contenders = startCuratorContenders(server.connectString);
  client = await connect(server.connectString);
});
afterAll(async () => {
  await client.close();
  await contenders.stop();
  await server.stop();
});

it('a semaphore is held for as long as it has leases, though there has been no waiter for long', async () => {
  let seen: LockQueue[] = [];
  const watch = await watchQueues(client, '/permits', queues => void (seen = queues));
  const request = { contender: 'a', recipe: 'semaphore', path: '/permits', maxLeases: 2, identifier: 'a' } as const;
  const session = await contenders.start(request);
  await contenders.begin('a');
  // While it takes a lease, the session is also shown as a waiter for one.
  const held = {
    path: '/permits',
    dialect: 'curator-semaphore',
    contenders: [{ role: 'holder', ownerSession: session }],
  };
  await eventually(() => expect(seen).toMatchObject([held]));
  await eventually(async () => expect(await client.exists('/permits/locks')).toBeUndefined());
  expect(await readQueues(client, '/permits')).toEqual(seen);
  expect(await readQueues(client, '/permits/leases')).toEqual(seen);
  expect((await findLocks(client, '/')).locks).toEqual([
    { path: '/permits', dialect: 'curator-semaphore', contenders: 1 },
  ]);
  await contenders.release('a');
  await eventually(() => expect(seen.flatMap(queue => queue.contenders)).toEqual([]));
  watch.dispose();
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { createLock } from '../../../src/recipes/createLock.ts';
import { LockTimeout, QueueCorrupted } from '../../../src/recipes/errors.ts';
import type { Lock } from '../../../src/recipes/lock.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';
import { begin } from './cases.ts';

/** The first number that is not trusted: from here on the server repeats itself. */
const last = 2_147_483_647;
const directories = { curator: '/guid', 'distributedlock-net': '/plain' } as const;
type Dialect = keyof typeof directories;

/**
 * A server whose directories are about to run out of numbers. Only creates that overtake one another inside the server get
 * negative ones (3.6+), which no test can force; those are played in waitingFaults.integration.test.ts.
 */
describe('L16 on a server whose counter runs out', () => {
  let server: TestServer;
  let clients: ZooKeeperClient[];
  const lock = (client: number, dialect: Dialect): Lock =>
    createLock(clients[client]!, directories[dialect], { recipe: 'mutex', dialect });
  const names = async (dialect: Dialect): Promise<string[]> =>
    (await clients[0]!.getChildren(directories[dialect])).children;

  beforeAll(async () => {
    server = await startTestServer();
    const client = await connect(server.connectString);
    for (const path of Object.values(directories)) await client.create(path);
    await client.close();
  });
  beforeEach(async () => {
    await server.setSequence(Object.values(directories), last - 2);
    clients = await Promise.all([0, 1, 2].map(() => connect(server.connectString)));
    return () => Promise.all(clients.map(client => client.close()));
  });
  afterAll(() => server.stop());

  it('the last numbers are granted in order, the next attempt is refused and leaves nothing', async () => {
    const first = await lock(0, 'curator').acquire();
    expect(first.path).toMatch(/-2147483645$/);
    const second = begin(lock(1, 'curator'));
    expect((await second.waits).waitsFor).toBe(first.path);
    await expect(lock(2, 'curator').acquire()).rejects.toThrow(QueueCorrupted);
    expect(await names('curator')).toHaveLength(2);
    const [queue] = await readQueues(clients[0]!, directories.curator);
    expect(queue?.hazards.map(({ kind }) => kind)).toContain('sequence-nearly-exhausted');
    await first.release();
    const lease = await second.taking;
    expect(lease.path).toMatch(/-2147483646$/);
    await lease.release();
    // The server hands out the last number again and again: no attempt may believe that it is alone with it.
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(lock(attempt, 'curator').acquire()).rejects.toThrow(QueueCorrupted);
    }
    expect(await names('curator')).toEqual([]);
  });

  it('a name that the server cannot give out twice is reported as such, and the node in the way stays', async () => {
    const other = await clients[2]!.create(`${directories['distributedlock-net']}/lock-`, {
      mode: 'ephemeral_sequential',
    });
    const waiting = begin(lock(0, 'distributedlock-net'), { timeoutMs: 3_000 });
    expect((await waiting.waits).waitsFor).toBe(other.path);
    await expect(waiting.taking).rejects.toThrow(LockTimeout);
    const stuck = await clients[2]!.create(`${directories['distributedlock-net']}/lock-`, {
      mode: 'ephemeral_sequential',
    });
    expect(stuck.path).toMatch(/-2147483647$/);
    await expect(lock(1, 'distributedlock-net').acquire()).rejects.toMatchObject({
      name: 'QueueCorrupted',
      fault: 'stands-still',
    });
    expect((await names('distributedlock-net')).toSorted()).toEqual(['lock-2147483645', 'lock-2147483647']);
  });
});

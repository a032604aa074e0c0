import { afterEach, beforeEach, expect, it } from 'vitest';
import { startExampleLocks, type ExampleLocks } from '../../../src/app/sandbox/exampleLocks.ts';
import { findDeadlocks } from '../../../src/inspector/findDeadlocks.ts';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { forceDelete } from '../../../src/inspector/forceDelete.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { Contender, LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';

/** Several waits, one after the other. */
const patient = { timeout: 180_000 };

const realm = useTestRealm();
let client: ZooKeeperClient;
let examples: ExampleLocks;
let stumbles: string[];

beforeEach(async () => {
  client = await connect(realm.connectString);
  stumbles = [];
  examples = await startExampleLocks(
    () => connect(realm.connectString),
    '/examples',
    text => stumbles.push(text),
  );
});
afterEach(async () => {
  await examples.stop();
  await client.close();
  expect(stumbles).toEqual([]);
});

async function queueAt(path: string): Promise<LockQueue> {
  const [queue] = await readQueues(client, `/examples${path}`);
  if (queue === undefined) throw new Error(`There is no lock at ${path} now.`);
  return queue;
}

async function holderOf(path: string): Promise<Contender> {
  const holder = (await queueAt(path)).contenders.find(({ role }) => role === 'holder');
  if (holder === undefined) throw new Error(`There is no holder at ${path} now.`);
  return holder;
}

/** Locks of each deadlock, and of what may be one. */
async function deadlocks(): Promise<string[][]> {
  const queues = await Promise.all(examples.paths.map(path => readQueues(client, path)));
  const { deadlocks: found, possible } = findDeadlocks(queues.flat());
  return [...found, ...possible].map(({ locks }) => locks.map(({ path }) => path).sort());
}

it('shows all of them at once, each contender under its own session', async () => {
  // A lock of one node may be changing hands.
  const directories = examples.paths.filter(path => !/Lock$|\/lock$/.test(path));
  await eventually(async () => {
    const { locks } = await findLocks(client, '/examples');
    const found = new Set(locks.map(({ path }) => path));
    expect(directories.filter(path => !found.has(path))).toEqual([]);
  });
  const { contenders } = await queueAt('/shop/checkout');
  expect(new Set(contenders.map(({ ownerSession }) => ownerSession)).size).toBe(contenders.length);
  await eventually(async () => {
    const crowd = await queueAt('/tickets/on-sale');
    expect(crowd.contenders.length).toBeGreaterThan(200);
  });
});

it('hands the locks over, also to those who come from elsewhere', patient, async () => {
  for (const path of ['/shop/checkout', '/mail/senders', '/billing/ledger', '/reports/nightly']) {
    const { name } = await eventually(() => holderOf(path));
    await eventually(async () => expect((await holderOf(path)).name).not.toBe(name), 20_000);
  }
});

it('lets the importers go on when the stale node is deleted', async () => {
  const stale = await eventually(() => holderOf('/imports/daily'));
  expect([stale.identifier, stale.ownerSession]).toEqual(['importer-1 (crashed)', 0n]);
  expect(await forceDelete(client, stale)).toBe('deleted');
  await eventually(async () => expect((await holderOf('/imports/daily')).identifier).toBe('importer-2'), 10_000);
  await eventually(async () => expect((await holderOf('/imports/daily')).identifier).toBe('importer-3'), 20_000);
});

it.each(['waiter', 'holder'] as const)(
  'has a deadlock, which the delete of a %s ends for good',
  patient,
  async role => {
    await eventually(async () => expect(await deadlocks()).toEqual([['/examples/bank/alice', '/examples/bank/bob']]));
    const victim = (await queueAt('/bank/alice')).contenders.find(contender => contender.role === role)!;
    expect(await forceDelete(client, victim)).toBe('deleted');
    await eventually(async () => expect(await deadlocks()).toEqual([]), 10_000);
    // Both do their work from then on, each with both accounts.
    for (const identifier of ['transfer-1', 'transfer-2']) {
      await eventually(async () => {
        const holders = await Promise.all(['/bank/alice', '/bank/bob'].map(holderOf));
        expect(holders.map(holder => holder.identifier)).toEqual([identifier, identifier]);
      }, 30_000);
    }
    expect(await deadlocks()).toEqual([]);
  },
);

it('leaves a cluster that goes on as it was', async () => {
  await examples.stopAndRemove();
  expect(await client.exists('/examples')).toBeUndefined();
});

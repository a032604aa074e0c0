import { afterEach, beforeEach, expect, it } from 'vitest';
import { parentPath } from '../../../src/base/paths.ts';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { findStale } from '../../../src/inspector/findStale.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import type { NodePlan } from '../../support/observer.ts';
import { ahead, bomb, hour, instant, kept, others, productLocks, record, type ExpectedLock } from './productLayouts.ts';

// On a real server the locks of products are found with their holders, other things are not.

const realm = useTestRealm();
let client: ZooKeeperClient;
beforeEach(async () => {
  client = await connect(realm.connectString);
});
afterEach(() => client.close());

async function createAll(plans: readonly NodePlan[]): Promise<void> {
  for (const path of new Set(plans.map(plan => parentPath(plan.path)))) await realm.observer.ensure(path);
  await realm.observer.createMany(plans);
}

function asExpected({ path, dialect, contenders }: LockQueue): ExpectedLock {
  const who = contenders.map(({ role, identifier, name }) => `${role === 'holder' ? '+' : '-'}${identifier || name}`);
  return [path, dialect, ...who];
}

it('finds the locks of products with their holders, and nothing else', { timeout: 60_000 }, async () => {
  await createAll([...productLocks.flatMap(([plans]) => plans), ...others, bomb]);
  const expected = productLocks.map(([, each]) => each).sort();
  const found = await findLocks(client, '/');
  expect(found).toMatchObject({ truncated: false, denied: [] });
  expect(found.locks.map(({ path, dialect, contenders }) => [path, dialect, contenders]).sort()).toEqual(
    expected.map(([path, dialect, ...contenders]) => [path, dialect, contenders.length]),
  );
  const queues = (await Promise.all(found.locks.map(({ path }) => readQueues(client, path)))).flat();
  expect(queues.map(asExpected).sort()).toEqual(expected);
  expect(queues.flatMap(({ path, hazards }) => hazards.map(({ kind }) => [path, kind]))).toEqual([]);
  const now = Date.now();
  expect(findStale(queues, { queuesReadAt: now, now })).toEqual([]);
  expect(await readQueues(client, parentPath(bomb.path))).toEqual([]);
  for (const { path } of others)
    for (const each of [path, parentPath(path)]) expect(await readQueues(client, each).then(known), each).toEqual([]);
});

/** Without the locks that stand in the same directories. */
function known(queues: readonly LockQueue[]): string[] {
  const paths = new Set(productLocks.map(([, [path]]) => path));
  return queues.map(({ path }) => path).filter(path => !paths.has(path));
}

it('follows a lock whose data says who holds', { timeout: 30_000 }, async () => {
  const free = record('LOCK', { OWNER: 'NONE', TIMEOUT: '-1' });
  await createAll([kept('/c1/LOCK/RESOURCE/db', free), kept('/shedlock/nightly', instant(ahead - hour))]);
  const seen: { helix: string[]; shed: (number | undefined)[] } = { helix: [], shed: [] };
  const watches = [
    await watchQueues(client, '/c1/LOCK/RESOURCE/db', ([queue]) =>
      seen.helix.push(queue?.contenders[0]?.identifier ?? ''),
    ),
    await watchQueues(client, '/shedlock', ([queue]) => seen.shed.push(queue?.contenders[0]?.leaseEndsAt)),
  ];
  await realm.observer.set('/c1/LOCK/RESOURCE/db', record('LOCK', { OWNER: 'admin-7', TIMEOUT: String(ahead) }));
  await realm.observer.set('/shedlock/nightly', instant(ahead));
  await eventually(() => {
    expect(seen.helix.at(-1)).toBe('admin-7');
    expect(seen.shed.at(-1)).toBe(ahead);
  });
  await realm.observer.set('/c1/LOCK/RESOURCE/db', free);
  await eventually(() => expect(seen.helix.at(-1)).toBe(''));
  for (const watch of watches) watch.dispose();
});

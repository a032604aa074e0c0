import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ClusterNode } from '../../../../src/app/clusters/clusterModel.ts';
import { LockTable } from '../../../../src/app/clusters/lockTable.ts';
import { collectState, type CollectedState } from '../../../../src/app/incidents/collectState.ts';
import { monotonicNow } from '../../../../src/base/deadline.ts';
import { ServerClock } from '../../../../src/history/clocks.ts';
import { HolderSightings } from '../../../../src/history/holderSightings.ts';
import { ReplyTooLargeError, ZooKeeperError } from '../../../../src/zookeeper/errors.ts';
import { curatorMutex } from '../../../support/contenderNames.ts';
import { FakeClient } from '../../../support/fakeClient.ts';

const now = Date.UTC(2026, 10, 24, 12);
let client: FakeClient;
let cluster: ClusterNode;

beforeEach(() => {
  client = new FakeClient();
  for (const lock of ['a', 'b', 'c']) client.put(`/locks/${lock}/${curatorMutex(1)}`, { owner: 7n });
  const clock = new ServerClock({ now: Date.now, monotonicNow });
  // Nothing listens there.
  const profile = { id: 'c', name: 'Orders', connectString: '127.0.0.1:1', environment: 'other', lockRoots: ['/'] };
  cluster = {
    type: 'cluster',
    id: 'c',
    profile,
    locks: new LockTable(),
    sightings: new HolderSightings(clock),
  } as never;
});
afterEach(() => {
  vi.restoreAllMocks();
});

function collected(...locks: string[]): Promise<CollectedState> {
  const paths = locks.map(lock => `/locks/${lock}`);
  const ownerQuery = { adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } };
  return collectState(cluster, client, paths, { ownerQuery, signal: new AbortController().signal });
}

it('has the time at which the queues were read, however long the servers take', async () => {
  let time = now;
  vi.spyOn(Date, 'now').mockImplementation(() => time);
  client.beforeRead = ({ path }) => {
    // What is asked before the servers are.
    if (path === '/zookeeper/config') time += 5_000;
  };
  const { moment } = await collected('a');
  expect(time).toBe(now + 5_000);
  // The clock that orders them is the real one.
  expect(moment.time - now).toBeLessThan(1_000);
});

it('names a lock that may not be listed, and reads the others', async () => {
  client.denied.add('/locks/b');
  const { readings, unread } = await collected('a', 'b', 'c');
  expect(readings.map(({ directory }) => directory.path).sort()).toEqual(['/locks/a', '/locks/c']);
  expect(unread).toEqual(['/locks/b']);
});

it('names a lock whose list is too long to be sent', async () => {
  const readMany = client.readMany.bind(client);
  vi.spyOn(client, 'readMany').mockImplementation(async (requests, options) => {
    const results = await readMany(requests, options);
    return results.map(result =>
      result.op === 'getChildren' && result.path === '/locks/c'
        ? { op: 'error', path: result.path, error: new ReplyTooLargeError('getChildren', result.path, 1) }
        : result,
    );
  });
  const { readings, unread } = await collected('a', 'c');
  expect(readings.length).toBe(1);
  expect(unread).toEqual(['/locks/c']);
});

it('fails where no lock could be read', async () => {
  client.denied.add('/locks/b');
  await expect(collected('b')).rejects.toBeInstanceOf(ZooKeeperError);
});

it('does not vouch for the contenders of a lock that cannot be read a second time', async () => {
  client.beforeRead = ({ path }) => {
    if (path !== '/zookeeper/config') return;
    client.denied.add('/locks/a');
    client.put(`/locks/a/${curatorMutex(2)}`, { owner: 8n });
  };
  const { readings, unread, stayed } = await collected('a', 'b');
  expect([readings.length, unread]).toEqual([2, []]);
  expect([...stayed]).toEqual([`/locks/b/${curatorMutex(1)}`]);
});

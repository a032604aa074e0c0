import { describe, expect, it } from 'vitest';
import { lookForDeadlocks } from '../../../../src/app/diagnosis/lookForDeadlocks.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { CancelledError } from '../../../../src/zookeeper/errors.ts';
import { FakeClient } from '../../../support/fakeClient.ts';
import { clusterNode, contender, lockNode, profileNamed, queueOf, queueWith } from '../../extension/fixtures.ts';

/** Looks at a cluster whose servers do not answer. */
async function look(queue: LockQueue, signal = new AbortController().signal) {
  const node = clusterNode({ profile: profileNamed('orders', { connectString: '127.0.0.1:1' }) });
  lockNode(queue, node).live = true;
  const client = new FakeClient();
  const read: string[] = [];
  const getData = client.getData.bind(client);
  client.getData = path => {
    read.push(path);
    return getData(path);
  };
  const browser = {
    node,
    findBelowRoots: () => Promise.resolve({ truncated: false, denied: ['/secret'], locks: [], visited: 1 }),
    refresh: () => Promise.resolve(),
  };
  const found = await lookForDeadlocks(browser, client, {
    ownerQuery: { adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } },
    marks: { cycleOf: (_, edges) => ({ edges, key: '', ageMs: 0, isLasting: false }) },
    signal,
    onProgress: () => undefined,
  });
  return { ...found, hasAskedServers: read.includes('/zookeeper/config') };
}

const reader = contender('reader', { kind: 'read', role: 'holder', ownerSession: 1n });
const writer = contender('writer', { kind: 'write', waitsFor: 'reader', ownerSession: 2n });
const suspicious = queueOf([reader, writer], { dialect: 'kazoo' });

describe('looking for deadlocks', () => {
  it('asks servers for watches only where two contenders may wait for each other', async () => {
    expect(await look(queueWith(3))).toMatchObject({ hasAskedServers: false, mutualWaits: [] });
    expect(await look(suspicious)).toMatchObject({ hasAskedServers: true, mutualWaits: [] });
  });

  it('says what was read, and what was not', async () => {
    const { queues, loaded, report } = await look(queueWith(1));
    expect(queues).toHaveLength(1);
    expect(loaded).toEqual({ unread: [], truncated: false, denied: ['/secret'] });
    expect(report.deadlocks).toEqual([]);
  });

  it('ends without a finding when it is stopped', async () => {
    await expect(look(suspicious, AbortSignal.abort())).rejects.toBeInstanceOf(CancelledError);
  });
});

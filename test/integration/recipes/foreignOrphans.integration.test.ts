import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findStale, isLongHeld } from '../../../src/inspector/findStale.ts';
import { forceDelete } from '../../../src/inspector/forceDelete.ts';
import { clusterServers } from '../../../src/inspector/owners/clusterServers.ts';
import { explainLock } from '../../../src/inspector/explainLock.ts';
import type { OwnerFacts } from '../../../src/inspector/owners/ownerFacts.ts';
import { readOwners } from '../../../src/inspector/owners/readOwners.ts';
import { readWatchers, type WatchFacts } from '../../../src/inspector/owners/readWatchers.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { createLock } from '../../../src/recipes/createLock.ts';
import { LockTimeout } from '../../../src/recipes/errors.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { eventually } from '../../support/eventually.ts';
import { begin, lockPath } from './cases.ts';
import { expectLeft, useLockRealm } from './lockRealm.ts';

// What other libraries and servers leave behind: our attempt must wait, and end in time; the tree must say what it waits for.

const realm = useLockRealm();

async function onlyQueue(client: ZooKeeperClient): Promise<LockQueue> {
  const [queue, ...more] = await readQueues(client, lockPath);
  expect(more).toEqual([]);
  return queue!;
}

const shown = ({ contenders }: LockQueue): string[] => contenders.map(({ path, role }) => `${role} ${path}`);

async function serverFacts(client: ZooKeeperClient): Promise<{ owners: OwnerFacts; watches: WatchFacts }> {
  const servers = await clusterServers(realm.serverConnectString);
  const [owners, watches] = await Promise.all([
    readOwners(servers, client.sessionId),
    readWatchers(servers, { chroot: realm.chroot }),
  ]);
  return { owners, watches };
}

/** Deletes what stands in the way, as the tree's command does. */
async function forceAway(client: ZooKeeperClient, queue: LockQueue, path: string): Promise<void> {
  const { czxid } = queue.contenders.find(contender => contender.path === path)!;
  expect(await forceDelete(client, { path, czxid })).toBe('deleted');
}

describe('L26 a node that no session will ever take away', () => {
  const name = (): string => `${lockPath}/_c_${randomUUID()}-lock-`;

  it('is waited for like any other, shown as not ephemeral, and gives way to a force delete', async () => {
    const stale = await realm.observer.create(name(), { sequence: true });
    const client = await realm.open();
    const lock = createLock(client, lockPath, { recipe: 'mutex' });
    const start = performance.now();
    await expect(lock.acquire({ timeoutMs: 100 })).rejects.toThrow(LockTimeout);
    await expectLeft(realm.observer, client, performance.now() - start);
    expect((await realm.observer.ls(lockPath)).map(({ path }) => path)).toEqual([stale]);

    const attempt = begin(lock);
    expect((await attempt.waits).waitsFor).toBe(stale);
    const queue = await onlyQueue(client);
    expect(queue.hazards).toEqual([{ kind: 'not-ephemeral', names: [stale.slice(lockPath.length + 1)] }]);
    const [finding, ...others] = findStale([queue], { queuesReadAt: Date.now(), now: Date.now() });
    expect(finding).toMatchObject({
      contender: { path: stale, role: 'holder', ownerSession: 0n },
      reasons: [{ reason: 'not-ephemeral', confidence: 'possible' }],
    });
    expect(others).toEqual([]);
    await forceAway(client, queue, stale);
    await (await attempt.taking).release();
  });

  // A server removes what dead sessions own when it starts, so such a node cannot be arranged: the queue is read before it goes.
  it('is distinguished from one of a living session by what the leader knows', async () => {
    const guest = await realm.observer.openSession();
    const path = await guest.create(name(), { ephemeral: true, sequence: true });
    const client = await realm.open();
    const queue = await onlyQueue(client);
    const queuesReadAt = Date.now();
    const servers = await clusterServers(realm.serverConnectString);
    const findings = async () => {
      const owners = await readOwners(servers, client.sessionId);
      return findStale([queue], { queuesReadAt, owners, now: Date.now() });
    };
    expect(await findings()).toEqual([]);
    await guest.closeSession();
    await eventually(async () =>
      expect(await findings()).toMatchObject([
        { contender: { path }, reasons: [{ reason: 'owner-unknown', confidence: 'certain' }], owner: { alive: 'no' } },
      ]),
    );
  });
});

describe('L31 a go-zookeeper lock that failed after its create', () => {
  const name = (): string => `${lockPath}/_c_${randomUUID().replaceAll('-', '')}-lock-`;

  it('leaves a node of a living session: shown as the holder, not called stale for its age alone', async () => {
    const orphan = await realm.observer.create(name(), { ephemeral: true, sequence: true });
    const client = await realm.open();
    const lock = createLock(client, lockPath, { recipe: 'mutex' });
    const attempt = begin(lock);
    expect((await attempt.waits).waitsFor).toBe(orphan);
    const queue = await onlyQueue(client);
    expect([queue.dialect, shown(queue)[0]]).toEqual(['go-zookeeper', `holder ${orphan}`]);
    const owners = await readOwners(await clusterServers(realm.serverConnectString), client.sessionId);
    const now = Date.now() + 7_200_000;
    expect(findStale([queue], { queuesReadAt: 0, owners, now })).toEqual([]);
    expect(queue.contenders.filter(each => isLongHeld(each, now, 3_600_000)).map(({ path }) => path)).toEqual([orphan]);
    await forceAway(client, queue, orphan);
    await (await attempt.taking).release();
  });

  it('is found by its session, which watches nothing, when it waits behind others', async () => {
    const holder = await realm.observer.openSession();
    const head = await holder.create(name(), { ephemeral: true, sequence: true });
    const orphan = await realm.observer.create(name(), { ephemeral: true, sequence: true });
    const client = await realm.open();
    const attempt = begin(createLock(client, lockPath, { recipe: 'mutex', dialect: 'go-zookeeper' }));
    const { path: own } = await attempt.waits;
    const queuesReadAt = Date.now();
    const queue = await onlyQueue(client);
    expect(shown(queue)).toEqual([`holder ${head}`, `waiter ${orphan}`, `waiter ${own}`]);
    expect(findStale([queue], { queuesReadAt, now: Date.now() })).toEqual([]);
    // Long after the create: before that a client has perhaps not come to its watch.
    const facts = { queuesReadAt, now: Date.now() + 60_000, ...(await serverFacts(client)) };
    expect(facts.watches.isComplete).toBe(true);
    expect(findStale([queue], facts)).toMatchObject([
      {
        contender: { path: orphan },
        reasons: [{ reason: 'never-woken', confidence: 'likely' }],
        owner: { alive: 'yes' },
      },
    ]);
    await forceAway(client, queue, orphan);
    await holder.closeSession();
    await (await attempt.taking).release();
  });

  it('waits for its own orphan when it tries again: its session stands there twice, as that of two threads does', async () => {
    const client = await realm.open();
    await realm.observer.ensure(lockPath);
    const { path: orphan } = await client.create(name(), { mode: 'ephemeral_sequential' });
    const attempt = begin(createLock(client, lockPath, { recipe: 'mutex', dialect: 'go-zookeeper' }));
    expect((await attempt.waits).waitsFor).toBe(orphan);
    const queuesReadAt = Date.now();
    const queue = await onlyQueue(client);
    const facts = { queuesReadAt, now: Date.now() + 60_000, ...(await serverFacts(client)) };
    expect(findStale([queue], facts)).toEqual([]);
    const { sharedSessions } = explainLock(queue, { ...facts, cluster: 'c', readAt: queuesReadAt });
    expect(sharedSessions).toEqual([{ session: client.sessionId, places: 2 }]);
    await forceAway(client, queue, orphan);
    await (await attempt.taking).release();
  });
});

import { expect, it } from 'vitest';
import { ClusterRankings, shareOf, type ClusterRanking } from '../../../../src/app/blockers/rankedCluster.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { clusterNode, lockNode } from '../../extension/fixtures.ts';
import { curatorQueue } from '../../inspector/diagnosisQueues.ts';

const mutex = (path: string, ...owners: bigint[]): LockQueue =>
  curatorQueue(
    path,
    owners.map(owner => ({ owner, kind: 'exclusive' })),
  );

const members = ({ blockers }: ClusterRanking): string[] => blockers.flatMap(each => each.members);

it('is made of the queues that are known, and says of how many', async () => {
  // Without a session: what would read fails.
  const cluster = clusterNode();
  const rankings = new ClusterRankings();
  Object.assign(lockNode(mutex('/l/a', 1n, 2n), cluster, '/l/a'), { live: true });
  Object.assign(lockNode(mutex('/l/b', 3n, 4n, 5n), cluster, '/l/b'), { live: false });
  Object.assign(lockNode(mutex('/l/c', 6n, 7n), cluster, '/l/c'), { live: true, isBehind: true });
  lockNode(undefined, cluster, '/l/d');
  const ranking = await rankings.of(cluster, ({ share, ...rest }) => ({ share, ids: members({ share, ...rest }) }));
  expect(ranking).toEqual({ share: { read: 2, notLive: 1, unread: 2 }, ids: ['session 0x3', 'session 0x1'] });
});

it('has nothing of a recording that is only as it was read last', () => {
  const cluster = clusterNode();
  Object.assign(lockNode(mutex('/l/a', 1n, 2n), cluster, '/l/a'), { live: false });
  expect(shareOf(cluster)).toEqual({ read: 1, notLive: 1, unread: 0 });
  Object.assign(cluster, { time: {} });
  expect(shareOf(cluster)).toEqual({ read: 1, notLive: 0, unread: 0 });
});

it('counts a lock with several rows once', async () => {
  const cluster = clusterNode();
  const queue = mutex('/l/a', 1n, 2n);
  lockNode(queue, cluster, '/l/a');
  lockNode({ ...queue }, cluster, '/l/other');
  const [blocker] = await new ClusterRankings().of(cluster, ({ blockers }) => blockers);
  expect(blocker?.places.length).toBe(1);
});

it('keeps a ranking until a queue changes, and drops what was removed', async () => {
  const cluster = clusterNode();
  const rankings = new ClusterRankings();
  const lock = lockNode(mutex('/l/a', 1n, 2n), cluster, '/l/a');
  const first = await rankings.of(cluster, ({ blockers }) => blockers);
  expect(await rankings.of(cluster, ({ blockers }) => blockers)).toBe(first);
  lock.queue = mutex('/l/a', 2n, 3n);
  expect(await rankings.of(cluster, members)).toEqual(['session 0x2']);
  cluster.locks.clear();
  expect(await rankings.of(cluster, members)).toEqual([]);
});

it('makes one ranking of a cluster after the other, and each caller gets the newest queues', async () => {
  const cluster = clusterNode();
  const rankings = new ClusterRankings();
  // Long enough for several turns of the event loop.
  for (let at = 0; at < 3_000; at++) lockNode(mutex(`/l/x${at}`, 1n, BigInt(at + 10)), cluster, `/l/x${at}`);
  let running = 0;
  const use = (ranking: ClusterRanking): number => {
    expect(running++).toBe(0);
    const places = ranking.blockers.reduce((sum, blocker) => sum + blocker.places.length, 0);
    // The index is of the same moment as the ranking.
    expect([...ranking.index.queues].length).toBe(places);
    running--;
    return places;
  };
  const one = rankings.of(cluster, use);
  await new Promise(resolve => setImmediate(resolve));
  lockNode(mutex('/l/late', 1n, 2n), cluster, '/l/late');
  const [first, ...others] = await Promise.all([one, rankings.of(cluster, use), rankings.of(cluster, use)]);
  expect(first).toBeGreaterThanOrEqual(3_000);
  expect(others).toEqual([3_001, 3_001]);
});

it('is not made again before a caller that takes turns is done with it', async () => {
  const cluster = clusterNode();
  const rankings = new ClusterRankings();
  lockNode(mutex('/l/a', 1n, 2n), cluster, '/l/a');
  const done = Promise.withResolvers<undefined>();
  const first = rankings.of(cluster, async ranking => {
    await done.promise;
    return [...ranking.index.queues].length;
  });
  await new Promise(resolve => setImmediate(resolve));
  lockNode(mutex('/l/b', 3n, 4n), cluster, '/l/b');
  const next = rankings.of(cluster, ({ index }) => [...index.queues].length);
  await new Promise(resolve => setImmediate(resolve));
  done.resolve(undefined);
  expect(await Promise.all([first, next])).toEqual([1, 2]);
});

it('goes on after a caller that failed', async () => {
  const cluster = clusterNode();
  const rankings = new ClusterRankings();
  lockNode(mutex('/l/a', 1n, 2n), cluster, '/l/a');
  const failing = rankings.of(cluster, () => {
    throw new Error('of the caller');
  });
  await expect(failing).rejects.toThrow('of the caller');
  expect(await rankings.of(cluster, members)).toEqual(['session 0x1']);
});

it('begins from nothing after a ranking that failed, instead of handing out the one before', async () => {
  const cluster = clusterNode();
  const rankings = new ClusterRankings();
  lockNode(mutex('/l/a', 1n, 2n), cluster, '/l/a');
  expect(await rankings.of(cluster, members)).toEqual(['session 0x1']);
  const queue = mutex('/l/b', 3n, 4n, 5n);
  const broken = { ...queue, contenders: [...queue.contenders] };
  // The first contender is asked for its path before the ranking begins.
  Object.defineProperty(broken.contenders, 1, {
    configurable: true,
    get: () => {
      throw new Error('of the ranking');
    },
  });
  lockNode(broken, cluster, '/l/b');
  await expect(rankings.of(cluster, members)).rejects.toThrow('of the ranking');
  await expect(rankings.of(cluster, members)).rejects.toThrow('of the ranking');
  Object.defineProperty(broken.contenders, 1, { value: queue.contenders[1] });
  expect(await rankings.of(cluster, members)).toEqual(['session 0x3', 'session 0x1']);
});

it('has the row of each queue that was ranked, though it was read again meanwhile', async () => {
  const cluster = clusterNode();
  const rankings = new ClusterRankings();
  for (let at = 0; at < 3_000; at++) lockNode(mutex(`/l/x${at}`, 1n, BigInt(at + 10)), cluster, `/l/x${at}`);
  const lock = lockNode(mutex('/l/a', 2n, 3n), cluster, '/l/a');
  const ranking = rankings.of(cluster, ({ blockers, locks }) =>
    blockers.flatMap(({ places }) => places).map(({ queue }) => locks.get(queue)?.path),
  );
  await new Promise(resolve => setImmediate(resolve));
  lock.queue = mutex('/l/a', 2n, 4n);
  const paths = await ranking;
  expect(paths).toContain('/l/a');
  expect(paths).not.toContain(undefined);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { Emitter } from '../../../../src/base/event.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { FollowedRankings } from '../../../../src/app/blockers/followedRankings.ts';
import { ClusterRankings, type ClusterRanking } from '../../../../src/app/blockers/rankedCluster.ts';
import type { ClusterNode, LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { clusterNode } from '../../extension/fixtures.ts';
import { putLock } from './blockedLocks.ts';

let cluster: ClusterNode;
let listed: ClusterNode[];
let list: Emitter<undefined>;
let nodes: Emitter<ClusterNode | LockNode>;
let clock: number;
let timers: { at: number; callback: () => void }[];
/** What each ranking of a cluster takes, ms. */
let workMs: number;
let seen: string[];
let rankings: Pick<ClusterRankings, 'of'>;
let followed: FollowedRankings;

beforeEach(() => {
  cluster = clusterNode();
  listed = [cluster];
  [list, nodes] = [new Emitter<undefined>(nullLogger), new Emitter<ClusterNode | LockNode>(nullLogger)];
  [clock, timers, workMs, seen] = [1_000, [], 0, []];
  const real = new ClusterRankings();
  rankings = {
    of: (node, use) => {
      clock += workMs;
      return real.of(node, use);
    },
  };
  followed = follow();
});

function follow(): FollowedRankings {
  return new FollowedRankings({
    registry: {
      get all() {
        return listed.map(node => ({ node }));
      },
      onChange: list.event,
      onNodeChange: nodes.event,
    },
    rankings: { of: (node, use) => rankings.of(node, use) },
    onRanking: ({ cluster: { id }, blockers }: ClusterRanking) => seen.push(`${id} ${String(blockers.length)}`),
    onClusters: () => seen.push(followed.clusters.map(({ id }) => id).join()),
    schedule: (callback, ms) => {
      const timer = { at: clock + ms, callback };
      timers.push(timer);
      return toDisposable(() => void (timers = timers.filter(each => each !== timer)));
    },
    now: () => clock,
    logger: nullLogger,
  });
}

/** Lets time pass up to the next timer. @returns the ms until then; `undefined` without a timer */
async function nextTimer(): Promise<number | undefined> {
  const next = timers.shift();
  if (next === undefined) return undefined;
  const ms = next.at - clock;
  clock = next.at;
  next.callback();
  await new Promise(resolve => setImmediate(resolve));
  return ms;
}

/** What passes between the end of each ranking, which took so long, and the next one, ms. */
async function restsAfter(works: readonly number[]): Promise<unknown[]> {
  const rests: unknown[] = [];
  for (workMs of works) {
    nodes.fire(cluster);
    rests.push(await nextTimer());
  }
  nodes.fire(cluster);
  return [...rests.slice(1), timers[0] && timers[0].at - clock];
}

describe('followed rankings', () => {
  it('are made once for all changes that come together, and not more often than is needed', async () => {
    followed.isVisible = true;
    const lock = putLock(cluster, '/a', [
      ['A', 1],
      ['B', 2],
    ]);
    for (let change = 0; change < 50; change++) nodes.fire(lock);
    expect(await nextTimer()).toBe(100);
    expect(seen).toEqual(['orders 1']);
    nodes.fire(lock);
    expect(await nextTimer()).toBe(180);
    expect(await nextTimer()).toBeUndefined();
  });

  it('rest after long work, so that they take a small part of one core', async () => {
    followed.isVisible = true;
    expect(await restsAfter([100, 100, 100])).toEqual([100, 100, 500]);
    expect(await restsAfter([100])).toEqual([500]);
  });

  it('do not rest after one or two that were slow', async () => {
    followed.isVisible = true;
    expect(await restsAfter([10, 100, 100, 10, 100])).toEqual([170, 100, 100, 170, 100]);
  });

  it('are not made while they cannot be seen, and of what changed meanwhile once they can', async () => {
    nodes.fire(cluster);
    expect(timers).toHaveLength(0);
    followed.isVisible = true;
    nodes.fire(cluster);
    followed.isVisible = false;
    expect(timers).toHaveLength(0);
    followed.isVisible = true;
    await nextTimer();
    expect(seen).toEqual(['orders 0']);
  });

  it('are of clusters with a session, also of one that is being replaced', () => {
    const other = clusterNode({ id: 'other', connection: { kind: 'connecting' } });
    listed = [cluster, other];
    list.fire(undefined);
    expect(followed.clusters).toEqual([cluster]);
    other.connection = { kind: 'connected' };
    nodes.fire(other);
    other.connection = { kind: 'lost', cause: undefined, lastContactAt: 0 };
    nodes.fire(other);
    expect(followed.clusters).toEqual([cluster, other]);
    other.connection = { kind: 'disconnected' };
    nodes.fire(other);
    expect(seen).toEqual(['orders,other', 'orders']);
  });

  it('stop in the middle when they are hidden, and the rest is made once they can be seen', async () => {
    listed = [cluster, clusterNode({ id: 'other' })];
    list.fire(undefined);
    seen = [];
    const real = rankings;
    rankings = {
      of: (node, use) => {
        followed.isVisible = false;
        return real.of(node, use);
      },
    };
    followed.isVisible = true;
    for (const node of listed) nodes.fire(node);
    await nextTimer();
    expect(seen).toEqual(['orders 0']);
    rankings = real;
    expect(timers).toHaveLength(0);
    followed.isVisible = true;
    await nextTimer();
    expect(seen).toEqual(['orders 0', 'other 0']);
  });

  it('go on after one that failed', async () => {
    followed.isVisible = true;
    const real = rankings;
    rankings = { of: () => Promise.reject(new Error('out of memory')) };
    nodes.fire(cluster);
    await nextTimer();
    rankings = real;
    nodes.fire(cluster);
    await nextTimer();
    expect(seen).toEqual(['orders 0']);
  });

  it('end with what they follow', async () => {
    followed.isVisible = true;
    nodes.fire(cluster);
    followed.dispose();
    expect(timers).toHaveLength(0);
    expect([list.listenerCount, nodes.listenerCount]).toEqual([0, 0]);
    expect(await nextTimer()).toBeUndefined();
  });
});

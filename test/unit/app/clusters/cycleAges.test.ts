import { expect, it } from 'vitest';
import { CycleAges } from '../../../../src/app/clusters/cycleAges.ts';
import type { ClusterNode, LockNode } from '../../../../src/app/clusters/clusterModel.ts';
import { findDeadlocks } from '../../../../src/inspector/findDeadlocks.ts';
import type { LockQueue } from '../../../../src/locks/lockQueue.ts';
import { clusterNode, contender, lockNode, queueOf } from '../../extension/fixtures.ts';

const limitMs = 30_000;

/** The holder's session first; a czxid tells the joins apart. */
function mutex(path: string, ...joins: readonly [session: bigint, czxid: bigint][]): LockQueue {
  const contenders = joins.map(([ownerSession, czxid], at) =>
    contender(`n${String(czxid)}`, {
      path: `${path}/n${String(czxid)}`,
      role: at === 0 ? 'holder' : 'waiter',
      ownerSession,
      czxid,
    }),
  );
  return queueOf(contenders, { path });
}

class Scene {
  clock = 1_000;
  readonly cluster: ClusterNode = clusterNode();
  readonly ages = new CycleAges(
    () => limitMs,
    () => this.clock,
  );

  show(queue: LockQueue, live = true): LockNode {
    return Object.assign(lockNode(queue, this.cluster, queue.path), { live });
  }

  /** The age in seconds of each cycle after the queues were looked at, lasting ones marked. */
  look(): string[] {
    const queues = [...this.cluster.locks.values()].flatMap(({ queue }) => queue ?? []);
    this.ages.note(this.cluster, findDeadlocks(queues).deadlocks);
    return this.ages
      .of(this.cluster)
      .map(({ ageMs, isLasting }) => `${String(ageMs / 1_000)}${isLasting ? ' lasting' : ''}`);
  }

  pass(seconds: number): void {
    this.clock += seconds * 1_000;
  }
}

/** Session 1 has a, 2 has b; each wants the other one. */
function crossed(scene: Scene, live = true): [LockNode, LockNode] {
  return [scene.show(mutex('/l/a', [1n, 1n], [2n, 4n]), live), scene.show(mutex('/l/b', [2n, 2n], [1n, 3n]), live)];
}

it('a cycle lasts from the limit on, though others join the queues and leave them meanwhile', () => {
  const scene = new Scene();
  crossed(scene);
  expect(scene.look()).toEqual(['0']);
  scene.pass(20);
  scene.show(mutex('/l/a', [1n, 1n], [2n, 4n], [3n, 5n], [2n, 6n]));
  expect(scene.look()).toEqual(['20']);
  scene.pass(10);
  scene.show(mutex('/l/a', [1n, 1n], [2n, 4n], [2n, 6n], [2n, 7n]));
  expect(scene.look()).toEqual(['30 lasting']);
});

it('one that ends and forms again begins again', () => {
  const scene = new Scene();
  crossed(scene);
  expect(scene.look()).toEqual(['0']);
  scene.pass(20);
  scene.show(mutex('/l/a', [2n, 4n]));
  expect(scene.look()).toEqual([]);
  scene.show(mutex('/l/a', [1n, 1n], [2n, 8n]));
  expect(scene.look()).toEqual(['0']);
  scene.pass(20);
  expect(scene.look()).toEqual(['20']);
});

it('a larger deadlock keeps the age of the cycle that was there first', () => {
  const scene = new Scene();
  crossed(scene);
  scene.look();
  scene.pass(30);
  scene.show(mutex('/l/c', [3n, 5n], [2n, 7n]));
  scene.show(mutex('/l/a', [1n, 1n], [2n, 4n], [3n, 6n]));
  expect(scene.look()).toEqual(['30 lasting', '0']);
});

it('time in which a lock was not looked at does not count, until it is read again with the same nodes', () => {
  const scene = new Scene();
  const [first] = crossed(scene);
  scene.look();
  scene.pass(10);
  scene.look();
  first.live = false;
  scene.pass(40);
  expect(scene.look()).toEqual(['10']);
  scene.show(mutex('/l/a', [1n, 1n], [2n, 4n]), false);
  expect(scene.look()).toEqual(['50 lasting']);
});

it('a lock whose path is that of an election is never certain', () => {
  const scene = new Scene();
  scene.show(mutex('/app/leader', [1n, 1n], [2n, 4n]));
  scene.show(mutex('/l/b', [2n, 2n], [1n, 3n]));
  scene.look();
  scene.pass(3_600);
  expect(scene.look()).toEqual(['3600']);
});

it('answers for a cycle that was found elsewhere, and remembers it', () => {
  const scene = new Scene();
  crossed(scene);
  const queues = [...scene.cluster.locks.values()].flatMap(({ queue }) => queue ?? []);
  const [cycle = []] = findDeadlocks(queues).deadlocks[0]!.cycles;
  expect(scene.ages.ageOf(scene.cluster, cycle)).toMatchObject({ ageMs: 0, isLasting: false });
  scene.pass(31);
  expect(scene.ages.ageOf(scene.cluster, cycle)).toMatchObject({ ageMs: 31_000, isLasting: true });
});

it('in a recording a cycle is as old as its nodes prove, however often it is looked at', () => {
  const scene = new Scene();
  const moment = { zxid: 9n, time: 0 };
  Object.assign(scene.cluster, { time: { moment } });
  const queued = { createdAt: 100_000 };
  const held = { createdAt: 0, heldSince: { earliest: 90_000, latest: 95_000 } };
  const timed = (queue: LockQueue, holder: object): LockQueue => ({
    ...queue,
    contenders: queue.contenders.map(each => ({ ...each, ...(each.role === 'holder' ? holder : queued) })),
  });
  const show = (holder: object): void => {
    scene.show(timed(mutex('/l/a', [1n, 1n], [2n, 4n]), holder));
    scene.show(timed(mutex('/l/b', [2n, 2n], [1n, 3n]), holder));
  };
  show(held);
  moment.time = 120_000;
  expect(scene.look()).toEqual(['20']);
  scene.pass(1_000);
  expect(scene.look()).toEqual(['20']);
  moment.time = 130_000;
  expect(scene.look()).toEqual(['30 lasting']);
  moment.time = 110_000;
  expect(scene.look()).toEqual(['10']);
  // A holder of which it is not known since when it holds proves nothing.
  moment.time = 900_000;
  show({ heldSince: { earliest: 0 } });
  expect(scene.look()).toEqual(['0']);
});

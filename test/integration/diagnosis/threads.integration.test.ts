import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LockMarks } from '../../../src/app/clusters/marks.ts';
import { QueueMarks } from '../../../src/app/clusters/queueMarks.ts';
import { monotonicNow } from '../../../src/base/deadline.ts';
import { findDeadlocks } from '../../../src/inspector/findDeadlocks.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../../support/curatorContenders.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { clusterNode, lockNode } from '../../unit/extension/fixtures.ts';

const realm = useTestRealm();
let curator: Contenders<CuratorRecipe>;
let client: ZooKeeperClient;
let started: string[] = [];

beforeAll(() => {
  curator = startCuratorContenders(realm.serverConnectString);
});
afterAll(async () => {
  await curator.stop();
});
beforeEach(async () => {
  client = await connect(realm.connectString);
});
afterEach(async () => {
  const sessions = new Map(started.map(contender => [contender.split(' ')[0], contender]));
  for (const contender of sessions.values()) await curator.end(contender);
  started = [];
  await client.close();
});

/** Starts a thread, written as `<program> <thread>`: the threads of a program share its session. It joins the queue and does not wait. */
async function join(thread: string, recipe: CuratorRecipe, path: string, maxLeases = 1): Promise<void> {
  const session = thread.split(' ')[0] ?? thread;
  const before = await length(path);
  await curator.start({ contender: thread, recipe, path: realm.chroot + path, session, maxLeases });
  started.push(thread);
  await curator.begin(thread);
  await eventually(async () => expect(await length(path)).toBe(before + 1));
}

async function queuesAt(...paths: string[]): Promise<LockQueue[]> {
  return (await Promise.all(paths.map(path => readQueues(client, path)))).flat();
}

async function length(path: string): Promise<number> {
  return (await queuesAt(path)).reduce((sum, { contenders }) => sum + contenders.length, 0);
}

const none = { deadlocked: 0, maybeDeadlocked: 0, cycles: [] };

/** The marks of the first lock after a look at all of them. */
class Look {
  private readonly cluster = clusterNode();
  private readonly marks: QueueMarks;

  constructor(deadlockMs: number) {
    this.marks = new QueueMarks(() => ({ longHeldMs: Infinity, deadlockMs }), monotonicNow);
  }

  async at(...paths: string[]): Promise<LockMarks> {
    const locks = (await queuesAt(...paths)).map(queue =>
      Object.assign(lockNode(queue, this.cluster, queue.path), { live: true }),
    );
    return this.marks.of(locks[0]!, Date.now());
  }
}

describe('healthy programs with several threads', () => {
  it.each(['latch', 'selector'] as const)(
    'a leader that waits for what its standby has: the candidate of a %s blocks no thread',
    async recipe => {
      await join('a leads', recipe, '/locks/service');
      await curator.holds('a leads');
      await join('b stands-by', recipe, '/locks/service');
      await join('b works', 'mutex', '/locks/work');
      await curator.holds('b works');
      await join('a waits', 'mutex', '/locks/work');
      expect(findDeadlocks(await queuesAt('/locks/service', '/locks/work'))).toEqual({
        deadlocks: [],
        possible: [],
        waitingBehind: [],
      });
      expect(await new Look(0).at('/locks/service', '/locks/work')).toMatchObject(none);
      await curator.release('b works');
      await curator.holds('a waits');
    },
  );

  it('a standby that had the lock before it stood by: never certain where the path is that of an election', async () => {
    await join('a leads', 'selector', '/app/leader');
    await curator.holds('a leads');
    await join('b works', 'mutex', '/locks/work');
    await curator.holds('b works');
    await join('b stands-by', 'selector', '/app/leader');
    await join('a waits', 'mutex', '/locks/work');
    expect(await new Look(0).at('/app/leader', '/locks/work')).toMatchObject({ deadlocked: 0, maybeDeadlocked: 2 });
    await curator.release('b works');
    await curator.holds('a waits');
  });

  it('a reader and a writer in each of two programs on one lock: they take turns', async () => {
    const path = '/locks/rw';
    for (const program of ['a', 'b']) {
      await join(`${program} reads`, 'read', path);
      await curator.holds(`${program} reads`);
    }
    for (const program of ['a', 'b']) await join(`${program} writes`, 'write', path);
    expect(await new Look(0).at(path)).toMatchObject(none);
    const { deadlocks, possible } = findDeadlocks(await queuesAt(path));
    expect([deadlocks.length, possible.length]).toEqual([0, 1]);
    for (const program of ['a', 'b']) await curator.release(`${program} reads`);
    for (const program of ['a', 'b']) {
      await curator.holds(`${program} writes`);
      await curator.release(`${program} writes`);
    }
    expect(findDeadlocks(await queuesAt(path)).possible).toEqual([]);
  });

  it('leases of two programs with two threads each: only possible, and they take turns', async () => {
    const path = '/locks/semaphore';
    for (const program of ['a', 'b']) {
      await join(`${program} first`, 'semaphore', path, 2);
      await curator.holds(`${program} first`);
    }
    for (const program of ['a', 'b']) await join(`${program} second`, 'semaphore', path, 2);
    expect(await new Look(0).at(path)).toMatchObject(none);
    const { deadlocks, possible } = findDeadlocks(await queuesAt(path));
    expect(deadlocks).toEqual([]);
    expect(possible.map(({ members }) => members.length)).toEqual([2]);
    await curator.release('a first');
    await curator.holds('a second');
    await eventually(async () => expect(findDeadlocks(await queuesAt(path)).possible).toEqual([]));
  });

  it('crossing mutexes of different threads: possible as long as the limit has not passed, and they end by themselves', async () => {
    const paths = ['/locks/one', '/locks/two'] as const;
    const look = new Look(60_000);
    await join('a has', 'mutex', paths[0]);
    await join('b has', 'mutex', paths[1]);
    await curator.holds('a has');
    await curator.holds('b has');
    await join('a wants', 'mutex', paths[1]);
    await join('b wants', 'mutex', paths[0]);
    expect(await look.at(...paths)).toMatchObject({ deadlocked: 0, maybeDeadlocked: 2 });
    await curator.release('a has');
    await curator.holds('b wants');
    expect(await look.at(...paths)).toMatchObject(none);
    await curator.release('b has');
    await curator.holds('a wants');
  });
});

it('two programs that cross two mutexes and stay are deadlocked once the limit has passed', async () => {
  const paths = ['/locks/one', '/locks/two'] as const;
  const look = new Look(400);
  await join('a has', 'mutex', paths[0]);
  await join('b has', 'mutex', paths[1]);
  await curator.holds('a has');
  await curator.holds('b has');
  await join('a wants', 'mutex', paths[1]);
  await join('b wants', 'mutex', paths[0]);
  expect(await look.at(...paths)).toMatchObject({ deadlocked: 0, maybeDeadlocked: 2 });
  await eventually(async () => {
    const { deadlocked, maybeDeadlocked, cycles } = await look.at(...paths);
    expect({ deadlocked, maybeDeadlocked }).toEqual({ deadlocked: 2, maybeDeadlocked: 0 });
    expect(cycles.map(({ edges, isLasting }) => [edges.length, isLasting])).toEqual([[2, true]]);
    expect(cycles[0]!.edges.map(({ lock }) => lock.path).sort()).toEqual([...paths]);
  });
});

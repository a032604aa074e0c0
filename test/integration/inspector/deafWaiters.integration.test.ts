import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { explainLock, type LockExplanation } from '../../../src/inspector/explainLock.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { describeWithGo } from '../../support/goContenders.ts';
import { serverWatches } from '../../support/serverWatches.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { curator, go, kazoo, startPrograms, type Part, type Programs } from '../truth/programs.ts';
import { readServerFacts } from '../truth/serverFacts.ts';

// docs/faults.md, L37. A watch on the data of a node fires once, for a write too. A waiter that acts on the end of its predecessor
// alone, and does not watch it again after a write, never learns of that end.

const realm = useTestRealm();
const lockPath = '/lock';
/** A second election of the same two sessions, in which nothing is written. */
const controlPath = '/control';
let proxy: TcpProxy;
let programs: Programs;
let client: ZooKeeperClient;
let started: { part: Part; contender: string }[];

beforeAll(async () => {
  proxy = await startTcpProxy(Number(realm.serverConnectString.split(':')[1]));
  programs = startPrograms(proxy.connectString);
});
afterAll(async () => {
  await programs.stop();
  await proxy.close();
});
beforeEach(async () => {
  started = [];
  client = await connect(realm.connectString);
});
afterEach(async () => {
  // The contenders of one session end together.
  for (const { part, contender } of started) {
    await programs
      .of(part.library)
      .end(contender)
      .catch(() => undefined);
  }
  await client.close();
});

/** Lets a contender queue up. @returns the path of its node */
async function join(part: Part, contender: string, path = lockPath, session?: string): Promise<string> {
  const program = programs.of(part.library);
  const before = await pathsIn(path);
  await program.start({ contender, recipe: part.recipe, path: realm.chroot + path, ...(session && { session }) });
  started.push({ part, contender });
  await program.begin(contender);
  return eventually(async () => {
    const added = (await pathsIn(path)).filter(each => !before.includes(each));
    expect(added).toHaveLength(1);
    return added[0]!;
  });
}

async function pathsIn(directory: string): Promise<string[]> {
  return (await realm.observer.ls(directory).catch(() => [])).map(({ path }) => path);
}

/** The nodes of a directory that the session of a contender watches, as the server says. */
async function watchedBy(part: Part, contender: string, directory = lockPath): Promise<string[]> {
  const sessionId = programs.of(part.library).sessionId(contender);
  return (await serverWatches({ sessionId }, realm)).filter(path => path.startsWith(`${directory}/`));
}

/** One holds, and one that waits behind it has set its watch. @returns the node of the first, and that of the second */
async function pair(
  [ahead, behind]: readonly [Part, Part],
  { path = lockPath, prefix = '', shared = false } = {},
): Promise<[first: string, second: string]> {
  const [first, second] = [`${prefix}first`, `${prefix}second`];
  const held = await join(ahead, first, path, shared ? 'ahead' : undefined);
  await programs.of(ahead.library).holds(first);
  const waiting = await join(behind, second, path, shared ? 'behind' : undefined);
  await eventually(async () => expect(await watchedBy(behind, second, path)).toContain(held));
  return [held, waiting];
}

/** What *Explain Lock* says of the only queue; as if it had stood for long, since young waiters are not judged. */
async function explain(): Promise<LockExplanation> {
  const readAt = Date.now();
  const [queue, ...more] = await readQueues(client, lockPath);
  expect(more).toEqual([]);
  const facts = await readServerFacts(realm.serverConnectString, client, realm.chroot);
  return explainLock(queue!, { ...facts, cluster: 'c', readAt, now: Date.now() + 60_000 });
}

/** Paths of the holders, and of the waiters with the signs that they are stale. */
function said({ holders, waiters }: LockExplanation): unknown {
  return {
    holders: holders.map(({ contender, staleReasons }) => [contender.path, ...staleReasons]),
    waiters: waiters.map(({ contender, staleReasons }) => [contender.path, ...staleReasons]),
  };
}

/** Two elections of two sessions. The node of the leader of the first one is written to; then both leaders leave. */
async function writeAndLeave(part: Part): Promise<{ first: string; second: string; before: LockExplanation }> {
  const program = programs.of(part.library);
  const [first, second] = await pair([part, part], { shared: true });
  await pair([part, part], { path: controlPath, prefix: 'control-', shared: true });
  expect(said(await explain())).toEqual({ holders: [[first]], waiters: [[second]] });
  await realm.observer.set(first, 'written');
  await eventually(async () => expect(await watchedBy(part, 'second')).toEqual([]));
  const before = await explain();
  await program.release('first');
  await eventually(async () => expect(await pathsIn(lockPath)).toEqual([second]));
  // A session gets its events in order: once it leads here, it has got all that it will get there.
  await program.release('control-first');
  await program.holds('control-second');
  expect(await program.holders()).toEqual(['control-second']);
  return { first, second, before };
}

describe('L37 a write to the node ahead of a waiter', () => {
  const [latch] = curator('latch');
  const [support] = curator('leaderElectionSupport');

  it('leaves a latch of Curator without a watch: it does not lead when its turn comes, until it connects again', async () => {
    const { first, second, before } = await writeAndLeave(latch!);
    expect(said(before)).toEqual({ holders: [[first]], waiters: [[second, 'never-woken']] });
    expect(before.herd).toEqual({ sessions: 1, registered: 0 });
    expect(before.onRelease?.unwoken.map(({ path }) => path)).toEqual([second]);
    // It is first now. One that leads watches nothing either, so nothing on the servers shows the difference.
    expect(said(await explain())).toEqual({ holders: [[second]], waiters: [] });
    expect(await programs.of('curator').holders()).toEqual(['control-second']);
    proxy.cut();
    await programs.of('curator').holds('second');
  });

  it('does the same to LeaderElectionSupport of ZooKeeper, whose names may be those of clients that poll: nothing is said', async () => {
    const { first, second, before } = await writeAndLeave(support!);
    expect(said(before)).toEqual({ holders: [[first]], waiters: [[second]] });
    expect(before.herd).toEqual({ sessions: 1, registered: 0 });
  });
});

const [mutex, read, write, semaphoreV1, selector] = curator('mutex', 'read', 'write', 'semaphoreV1', 'selector');
const [lock, kazooRead, kazooWrite, election] = kazoo('lock', 'read', 'write', 'election');
const [writeLock] = curator('zooKeeperWriteLock');
const [goLock, goLockOfToday] = go('lock', 'lockOfToday');

/** The write takes the second's watch away; it sets it again, and gets the lock once the first has given it back. */
async function watchesAgain(ahead: Part, behind: Part): Promise<void> {
  const [first] = await pair([ahead, behind]);
  await realm.observer.set(first, 'written');
  await eventually(async () => expect(await watchedBy(behind, 'second')).toContain(first));
  await programs.of(ahead.library).release('first');
  await programs.of(behind.library).holds('second');
}

describe('other clients watch the node again after such a write', () => {
  it.each([
    ['InterProcessMutex of Curator', mutex!, mutex!],
    ['read lock of Curator', write!, read!],
    ['write lock of Curator', read!, write!],
    ['InterProcessSemaphore of Curator', semaphoreV1!, semaphoreV1!],
    ['LeaderSelector of Curator', selector!, selector!],
    ['Lock of kazoo', lock!, lock!],
    ['ReadLock of kazoo', kazooWrite!, kazooRead!],
    ['WriteLock of kazoo', kazooRead!, kazooWrite!],
    ['Election of kazoo', election!, election!],
    ['WriteLock of ZooKeeper', writeLock!, writeLock!],
  ])('%s', (_, ahead, behind) => watchesAgain(ahead, behind));
});

describeWithGo('go-zookeeper watches the node again after such a write', () => {
  it.each([
    ['Lock', goLock!],
    ['its Lock since 1.0.3', goLockOfToday!],
  ])('%s', (_, part) => watchesAgain(part, part));
});

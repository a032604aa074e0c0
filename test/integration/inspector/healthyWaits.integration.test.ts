import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lookForStale, type StaleLook } from '../../../src/app/deletes/lookForStale.ts';
import { explainLock } from '../../../src/inspector/explainLock.ts';
import { findStale } from '../../../src/inspector/findStale.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { ServerFacts } from '../../../src/inspector/waitWatches.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { Contenders } from '../../support/contenders.ts';
import { startCuratorContenders, type CuratorRecipe } from '../../support/curatorContenders.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { startKazooContenders, type KazooContenders } from '../../support/kazooContenders.ts';
import { clusterNode, lockNode, profileNamed } from '../../unit/extension/fixtures.ts';
import { readServerFacts } from '../truth/serverFacts.ts';

// Real clients that wait with several threads of one session, or in ways that look odd from outside: nothing of them is stale. What
// nothing will wake is found beside them.

const realm = useTestRealm();
const lockPath = '/lock';
let curator: Contenders<CuratorRecipe>;
let kazoo: KazooContenders;
let client: ZooKeeperClient;
let started: { program: Contenders<string>; contender: string }[];

beforeAll(() => {
  curator = startCuratorContenders(realm.serverConnectString);
  kazoo = startKazooContenders(realm.serverConnectString);
});
afterAll(() => Promise.all([curator.stop(), kazoo.stop()]));
beforeEach(async () => {
  started = [];
  client = await connect(realm.connectString);
});
afterEach(async () => {
  // The contenders of one session end together.
  for (const { program, contender } of started) await program.end(contender).catch(() => undefined);
  await client.close();
});

async function start<R extends string>(
  program: Contenders<R>,
  plan: { contender: string; recipe: R; session?: string; maxLeases?: number },
): Promise<void> {
  await program.start({ ...plan, path: realm.chroot + lockPath });
  started.push({ program: program, contender: plan.contender });
}

/** Three programs with three threads each, or as many as said, queued one after the other. */
async function startThreads<R extends string>(
  program: Contenders<R>,
  recipe: R,
  programs = 3,
  each = 3,
): Promise<void> {
  for (let at = 0; at < programs * each; at++) {
    const contender = `thread-${at}`;
    await start(program, { contender, recipe, session: `program-${at % programs}` });
    await program.begin(contender);
    await hasNodes(at + 1);
  }
}

async function hasNodes(count: number): Promise<void> {
  await eventually(async () => expect(await realm.observer.ls(lockPath).catch(() => [])).toHaveLength(count));
}

/** The lock's queue with what the servers say, as if it had stood for long: young nodes are not judged. */
async function look(): Promise<{ queue: LockQueue; facts: ServerFacts & { now: number } }> {
  const queuesReadAt = Date.now();
  const [queue, ...more] = await readQueues(client, lockPath);
  expect(more).toEqual([]);
  const facts = await readServerFacts(realm.serverConnectString, client, realm.chroot);
  return { queue: queue!, facts: { queuesReadAt, now: Date.now() + 60_000, ...facts } };
}

/** What is said of the queue without and with the facts of the servers, in words. */
async function suspicions(): Promise<string[]> {
  const { queue, facts } = await look();
  const { queuesReadAt, now } = facts;
  const findings = [...findStale([queue], { queuesReadAt, now }), ...findStale([queue], facts)];
  return [
    ...findings.map(({ contender, reasons }) => `${contender.name}: ${reasons.map(({ reason }) => reason).join()}`),
    ...queue.hazards.map(({ kind, names }) => `${kind}: ${names.join()}`),
  ];
}

describe('threads of programs that share a session', () => {
  it.each([['mutex'], ['latch'], ['selector'], ['write'], ['read']] as const)(
    'are no stale nodes and no hazard: Curator %s',
    async recipe => {
      await startThreads(curator, recipe);
      // The last to join has perhaps not set its watch yet.
      await eventually(async () => expect(await suspicions()).toEqual([]));
    },
  );

  it.each([['lock'], ['write'], ['election']] as const)('are no stale nodes and no hazard: kazoo %s', async recipe => {
    await startThreads(kazoo, recipe);
    await eventually(async () => expect(await suspicions()).toEqual([]));
  });

  it('are no stale nodes and no hazard: the first n of a semaphore that looks like a mutex (Curator)', async () => {
    for (let at = 0; at < 6; at++) {
      const contender = `thread-${at}`;
      await start(curator, { contender, recipe: 'semaphoreV1', maxLeases: 3, session: `program-${at % 2}` });
      await curator.begin(contender);
      await hasNodes(at + 1);
    }
    const limitUnknown = (text: string): boolean => text.startsWith('limit-unknown');
    await eventually(async () => expect((await suspicions()).filter(text => !limitUnknown(text))).toEqual([]));
  });

  it('do not hide a node that nothing will wake', async () => {
    await startThreads(curator, 'mutex', 2, 2);
    const orphan = await realm.observer.create(`${lockPath}/_c_${randomUUID()}-lock-`, {
      ephemeral: true,
      sequence: true,
    });
    await start(curator, { contender: 'last', recipe: 'mutex' });
    await curator.begin('last');
    await hasNodes(6);
    await eventually(async () => {
      const { queue, facts } = await look();
      expect(findStale([queue], facts)).toMatchObject([
        { contender: { path: orphan }, reasons: [{ reason: 'never-woken', confidence: 'likely' }] },
      ]);
      // Its session lives, so it is offered on request only.
      const { choices, living } = await lookForChoices();
      expect(choices).toEqual([]);
      expect(living.map(({ path, isPicked }) => [path, isPicked])).toEqual([[orphan, false]]);
      const { sharedSessions } = explainLock(queue, { ...facts, cluster: 'c', readAt: facts.queuesReadAt });
      expect(sharedSessions.map(({ places }) => places)).toEqual([2, 2]);
    });
  });
});

describe('a write lock that is downgraded (Curator 5.4)', () => {
  it('leaves a reader that holds beside the next writer, and is shown so by the watches', async () => {
    for (const [contender, recipe] of [
      ['downgrades', 'downgrade'],
      ['next', 'write'],
    ] as const) {
      await start(curator, { contender, recipe });
      await curator.begin(contender);
      await hasNodes(started.length);
    }
    await curator.holds('downgrades');
    // Takes the read lock, behind the next writer.
    await curator.release('downgrades');
    await hasNodes(3);
    const below = await look();
    expect(below.queue.contenders.map(({ kind, role, mayHold }) => [kind, role, mayHold])).toEqual([
      ['write', 'holder', undefined],
      ['write', 'waiter', undefined],
      ['read', 'waiter', true],
    ]);
    await eventually(async () => expect(await suspicions()).toEqual([]));
    await curator.release('downgrades');
    await curator.holds('next');
    expect(await curator.holders()).toEqual(['downgrades', 'next']);
    await eventually(async () => {
      const { queue, facts } = await look();
      const explained = explainLock(queue, { ...facts, cluster: 'c', readAt: facts.queuesReadAt });
      expect(explained.holders.map(({ contender }) => contender.ownerSession)).toEqual([
        curator.sessionId('next'),
        curator.sessionId('downgrades'),
      ]);
      expect(explained.downgraded).toHaveLength(1);
      expect(await suspicions()).toEqual([]);
    });
    // A reader that waits is none of them.
    await start(curator, { contender: 'waits', recipe: 'read' });
    await curator.begin('waits');
    await hasNodes(3);
    await eventually(async () => {
      const { queue, facts } = await look();
      const explained = explainLock(queue, { ...facts, cluster: 'c', readAt: facts.queuesReadAt });
      expect(explained.holders).toHaveLength(2);
      expect(explained.waiters.map(({ contender }) => contender.ownerSession)).toEqual([curator.sessionId('waits')]);
    });
  });
});

describe('nodes without an owner that live programs made', () => {
  it.each(['lock-', 'write-', 'W-', 'orders_lock_'])('are offered, not preselected and not marked: %s', async stem => {
    await realm.observer.ensure(lockPath);
    const sessions = [await realm.observer.openSession(), await realm.observer.openSession()];
    for (const session of sessions) await session.create(`${lockPath}/${stem}`, { sequence: true });
    expect(await suspicions()).toEqual([]);
    const { choices } = await lookForChoices();
    expect(choices.map(({ isPicked }) => isPicked)).toEqual([false, false]);
    expect(choices).toMatchObject([
      { finding: { confidence: 'possible', owner: { alive: 'no-owner' } } },
      { finding: { confidence: 'possible', owner: { alive: 'no-owner' } } },
    ]);
    for (const session of sessions) await session.closeSession();
  });
});

/** What *Delete Stale Nodes* offers. */
async function lookForChoices(): Promise<StaleLook> {
  const profile = profileNamed('orders', { connectString: realm.connectString });
  // As if the server's clock were ahead, so that all nodes have stood for long.
  const cluster = clusterNode({ profile, sightings: { aheadMs: -60_000, narrow: queues => [...queues] } });
  const unused = (): never => {
    throw new Error('only one lock is read');
  };
  return lookForStale(
    { node: cluster, findBelowRoots: unused, refresh: unused },
    client,
    lockNode(undefined, cluster, lockPath),
    {
      ownerQuery: { adminServerPort: undefined, secrets: { get: () => Promise.resolve(undefined) } },
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
  );
}

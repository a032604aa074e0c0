import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteConsequences } from '../../../src/inspector/deleteConsequences.ts';
import { findStale } from '../../../src/inspector/findStale.ts';
import { queueByWatches } from '../../../src/inspector/queueByWatches.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { WaitWatches } from '../../../src/inspector/waitWatches.ts';
import type { Contender, LockQueue } from '../../../src/locks/lockQueue.ts';
import { connect } from '../../../src/zookeeper/connect.ts';
import type { ZooKeeperClient } from '../../../src/zookeeper/client.ts';
import { eventually } from '../../support/eventually.ts';
import { useTestRealm } from '../../support/freshChroot.ts';
import { describeWithGo } from '../../support/goContenders.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { startPrograms, type Part, type Programs } from '../truth/programs.ts';
import { readServerFacts } from '../truth/serverFacts.ts';

// Where names leave open who holds, the watches on the servers show it: compared with the libraries' own word.

const realm = useTestRealm();
let programs: Programs;
let client: ZooKeeperClient;
let names: Map<bigint, string>;

beforeAll(() => {
  programs = startPrograms(realm.serverConnectString);
});
afterAll(() => programs.stop());
beforeEach(async () => {
  client = await connect(realm.connectString);
  names = new Map();
});
afterEach(() => client.close());

const lockPath = '/lock';
const nameOf = ({ ownerSession }: Contender): string => names.get(ownerSession) ?? 'unknown';

async function join(name: string, { library, recipe }: Part, maxLeases?: number): Promise<void> {
  const program = programs.of(library);
  const path = realm.chroot + lockPath;
  const limit = maxLeases === undefined ? {} : { maxLeases };
  const session = await program.start({ contender: name, recipe, path, identifier: name, ...limit });
  names.set(session, name);
  await program.begin(name);
  await eventually(async () => {
    const nodes = await realm.observer.ls(lockPath).catch(() => []);
    expect(nodes.map(({ ephemeralOwner }) => ephemeralOwner)).toContain(session);
  });
}

/** The queue as read, and by the watches; with the signs of stale nodes that a later look would find. */
async function look(): Promise<{ asRead: LockQueue; queue: LockQueue; stale: string[] }> {
  const queuesReadAt = Date.now();
  const [asRead] = await readQueues(client, lockPath);
  const facts = await readServerFacts(realm.serverConnectString, client, realm.chroot);
  // Later, when each waiter has set its watch.
  const known = { ...facts, queuesReadAt, now: Date.now() + 60_000 };
  const queue = queueByWatches(asRead!, WaitWatches.from(known));
  return { asRead: asRead!, queue, stale: findStale([asRead!], known).map(({ contender }) => nameOf(contender)) };
}

const holding = ({ contenders }: LockQueue): string[] =>
  contenders.filter(({ role }) => role === 'holder').map(nameOf).sort(); // prettier-ignore

async function truth(): Promise<string[]> {
  const all = await Promise.all([...new Set(['curator', 'kazoo', 'go'] as const)].map(async library => {
    try {
      return await programs.of(library).holders();
    } catch {
      return [];
    }
  })); // prettier-ignore
  return all
    .flat()
    .filter(name => [...names.values()].includes(name))
    .sort();
}

/** Waits until libraries and watches agree, and nothing is called stale. */
async function agree(): Promise<LockQueue> {
  return eventually(async () => {
    const before = await truth();
    const { queue, stale } = await look();
    expect({ holders: holding(queue), stale }).toEqual({ holders: before, stale: [] });
    expect(await truth()).toEqual(before);
    return queue;
  });
}

async function leave(name: string, { library }: Part, queue: LockQueue): Promise<void> {
  const leaving = queue.contenders.find(each => nameOf(each) === name)!;
  const { nextHolders, succession } = deleteConsequences(queue, leaving.path, { now: Date.now() })!;
  const stay = holding(queue).filter(other => other !== name);
  await programs.of(library).release(name);
  for (const [session, other] of names) if (other === name) names.delete(session);
  const next = nextHolders.map(nameOf);
  await eventually(async () => {
    const now = await truth();
    if (succession === 'known') expect(now).toEqual([...stay, ...next].sort());
    else expect([...stay, ...next]).toEqual(expect.arrayContaining(now));
  });
  await programs.of(library).end(name);
}

describe("Curator's InterProcessSemaphore, whose names are those of a mutex", () => {
  const part: Part = { library: 'curator', recipe: 'semaphoreV1' };

  it.each([1, 2, 3])('with a limit of %i', async limit => {
    const random = seededRandom(limit);
    let count = 0;
    const add = () => join(`v${limit}.${count++}`, part, limit);
    for (let at = 0; at < limit + 3; at++) await add();
    for (let round = 0; round < 8; round++) {
      const queue = await agree();
      // Once some have left out of order, the distances may show only bounds.
      const known = limit === 1 ? undefined : limit;
      expect(round === 0 ? [known] : [known, undefined]).toContain(queue.maxLeases);
      expect(queue.hazards).toEqual([]);
      const holders = holding(queue);
      await leave(holders[random.below(holders.length)]!, part, queue);
      await add();
    }
    await agree();
    for (const name of [...names.values()]) await programs.of('curator').end(name);
  });

  it('of which all hold is of unknown limit', async () => {
    for (const name of ['all.0', 'all.1', 'all.2']) await join(name, part, 3);
    await eventually(async () => expect(await truth()).toHaveLength(3));
    const { asRead, queue, stale } = await look();
    expect([asRead.hazards, holding(asRead), stale]).toEqual([[], ['all.0'], []]);
    expect(queue.contenders.map(({ mayHold }) => mayHold)).toEqual([undefined, true, true]);
    expect(queue.hazards.map(({ kind }) => kind)).toEqual(['limit-unknown']);
    for (const name of [...names.values()]) await programs.of('curator').end(name);
  });
});

describeWithGo('go-zookeeper beside kazoo', () => {
  const go: Part = { library: 'go', recipe: 'lockOfToday' };

  it('that counts it: one queue, served by number', async () => {
    const beside: Part = { library: 'kazoo', recipe: 'lockBesideGo' };
    const parts = [go, beside, go, beside];
    for (const [at, part] of parts.entries()) await join(`m${at}`, part);
    for (const [at, part] of parts.entries()) {
      const queue = await agree();
      expect(queue.contenders.map(nameOf)).toEqual(parts.slice(at).map((_, index) => `m${at + index}`));
      expect([holding(queue), queue.hazards]).toEqual([[`m${at}`], []]);
      await leave(`m${at}`, part, queue);
    }
  });

  it('that does not: both hold, and that is said', async () => {
    const plain: Part = { library: 'kazoo', recipe: 'lock' };
    for (const [at, part] of [go, plain, go].entries()) await join(`p${at}`, part);
    const queue = await agree();
    expect(holding(queue)).toEqual(['p0', 'p1']);
    expect(queue.hazards.map(({ kind }) => kind)).toEqual(['mixed-dialects']);
    const { asRead } = await look();
    expect(asRead.contenders.map(({ role, mayHold }) => [role, mayHold])).toEqual([
      ['holder', undefined],
      ['waiter', true],
      ['waiter', undefined],
    ]);
    await leave('p0', go, queue);
    expect(holding(await agree())).toEqual(['p1']);
    for (const name of [...names.values()]) await programs.of(name === 'p1' ? 'kazoo' : 'go').end(name);
  });
});

it('kazoo waits for a name that begins with anything before its marker', async () => {
  const foreign = await connect(realm.connectString);
  await foreign.create(lockPath);
  await foreign.create(`${lockPath}/backup__lock__`, { mode: 'ephemeral_sequential' });
  await join('k', { library: 'kazoo', recipe: 'lock' });
  const { asRead, queue } = await look();
  expect(asRead.contenders.map(({ role }) => role)).toEqual(['holder', 'waiter']);
  expect(queue.contenders.map(({ role }) => role)).toEqual(['holder', 'waiter']);
  expect(await truth()).toEqual([]);
  await foreign.close();
  expect(holding(await agree())).toEqual(['k']);
  await programs.of('kazoo').end('k');
});

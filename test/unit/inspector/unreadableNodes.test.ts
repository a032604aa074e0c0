import { beforeEach, describe, expect, it } from 'vitest';
import { deleteConsequences } from '../../../src/inspector/deleteConsequences.ts';
import { explainLock } from '../../../src/inspector/explainLock.ts';
import { findDeadlocks } from '../../../src/inspector/findDeadlocks.ts';
import { findStale, isLongHeld } from '../../../src/inspector/findStale.ts';
import { forceDelete } from '../../../src/inspector/forceDelete.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import { standingInQueues } from '../../../src/app/testLocks/standing.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { queueOfNames } from '../../../src/locks/recognition/recognise.ts';
import { turnOf } from '../../../src/locks/turn.ts';
import { curatorMutex, kazooLock } from '../../support/contenderNames.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClient } from '../../support/fakeClient.ts';

// From 3.9.2 on a server says nothing of a node without the right to read it, not even its owner; its name is in the listing.

let client: FakeClient;
beforeEach(() => {
  client = new FakeClient();
});

function hide(path: string): void {
  client.denied.add(path);
  client.hidden.add(path);
}

async function read(names: readonly string[], hidden: readonly string[], path = '/app/locks'): Promise<LockQueue[]> {
  names.forEach((name, at) => {
    const owner = name === 'config' ? 0n : BigInt(at + 1);
    client.put(`${path}/${name}`, { owner, data: `host-${at}` });
  });
  for (const name of hidden) hide(`${path}/${name}`);
  return readQueues(client, path);
}

const shown = (queue: LockQueue | undefined) =>
  queue?.contenders.map(
    ({ role, waitsFor = '-', isUnread }, at) => `#${at + 1} ${role} ${waitsFor}${isUnread ? ' unread' : ''}`,
  );

const mutex = [1, 2, 3].map(curatorMutex);
const [first, second] = mutex as [string, string, string];

describe('a mutex', () => {
  it('whose head may not be read keeps it as the holder, by its name', async () => {
    const [queue, ...others] = await read(mutex, [first]);
    expect(others).toEqual([]);
    expect(shown(queue)).toEqual(['#1 holder - unread', `#2 waiter ${first}`, `#3 waiter ${second}`]);
    expect(queue).toMatchObject({ strangers: [], hazards: [{ kind: 'unreadable', names: [first] }] });
    expect(queue?.contenders[0]).toEqual({
      name: first,
      path: `/app/locks/${first}`,
      kind: 'exclusive',
      role: 'holder',
      sequence: 1,
      ownerSession: 0n,
      czxid: 0n,
      createdAt: 0,
      identifier: '',
      isUnread: true,
    });
  });

  it('with one in the middle that may not be read keeps all places', async () => {
    const [queue] = await read(mutex, [second]);
    expect(shown(queue)).toEqual(['#1 holder -', `#2 waiter ${first} unread`, `#3 waiter ${second}`]);
  });

  it('of which nothing may be read is a queue all the same', async () => {
    const [queue] = await read(mutex, mutex);
    expect(shown(queue)).toEqual(['#1 holder - unread', `#2 waiter ${first} unread`, `#3 waiter ${second} unread`]);
  });

  it('says the same to who deletes from it, reads of it or waits in it', async () => {
    const [queue] = await read(mutex, [first]);
    const path = `/app/locks/${second}`;
    const facts = { now: Date.now() };
    expect(deleteConsequences(queue!, path, facts)).toMatchObject({
      contender: { role: 'waiter' },
      position: 2,
      nextHolders: [],
      remainingHolders: [{ name: first }],
      twoHoldersPossible: false,
    });
    const { holders, waiters, onRelease } = explainLock(queue!, { ...facts, cluster: 'c', readAt: facts.now });
    expect(holders).toMatchObject([{ position: 1, owner: { session: 0n, alive: 'unknown' }, staleReasons: [] }]);
    expect(waiters.map(({ position }) => position)).toEqual([2, 3]);
    expect(onRelease).toMatchObject({ succession: 'known', next: [{ name: second }] });
    const place = { path, ahead: 1, waitsFor: `/app/locks/${first}` };
    expect(standingInQueues('/app/locks', place, [queue!])).toMatchObject({
      position: 2,
      waitsFor: first,
      holder: first,
    });
  });

  it('is neither called stale nor held for long because of a node that may not be read, and that is not deleted', async () => {
    const [queue] = await read(mutex, [first]);
    const now = Date.now();
    const live = { ids: new Set([2n, 3n]), listedBy: 'leader', server: 's' } as const;
    const owners = { connections: new Map(), live, sources: [], askedAt: now };
    expect(findStale([queue!], { queuesReadAt: now, now, owners })).toEqual([]);
    expect(isLongHeld(queue!.contenders[0]!, now, 1)).toBe(false);
    const { path, czxid } = queue!.contenders[0]!;
    await expect(forceDelete(client, { path, czxid })).rejects.toMatchObject({ reason: 'unreadable' });
  });

  it('is the same in the live picture, until its head leaves', async () => {
    const [queue] = await read(mutex, [first]);
    const seen: LockQueue[][] = [];
    const watch = await watchQueues(client, '/app/locks', queues => void seen.push(queues), { lookEveryMs: 10 });
    try {
      expect(seen.at(-1)).toEqual([queue]);
      client.drop(`/app/locks/${first}`);
      await eventually(() => expect(shown(seen.at(-1)?.[0])).toEqual(['#1 holder -', `#2 waiter ${second}`]));
      expect(seen.at(-1)?.[0]?.hazards).toEqual([]);
    } finally {
      watch.dispose();
    }
  });

  it('forms no deadlock by a node that may not be read', async () => {
    const name = (n: number): string => curatorMutex(n);
    client.put(`/app/a/${name(1)}`, { owner: 1n });
    client.put(`/app/b/${name(1)}`, { owner: 2n });
    client.put(`/app/a/${name(2)}`, { owner: 2n });
    client.put(`/app/b/${name(2)}`, { owner: 1n });
    const all = async () => [...(await readQueues(client, '/app/a')), ...(await readQueues(client, '/app/b'))];
    expect(findDeadlocks(await all()).deadlocks).toHaveLength(1);
    hide(`/app/a/${name(1)}`);
    expect(findDeadlocks(await all()).deadlocks).toEqual([]);
  });
});

describe('by its names alone, as the recipe of its library reads them', () => {
  const id = (n: number): string => `_c_0123456${n}-89ab-cdef-0123-456789abcdef`;
  const layouts: [string, string[]][] = [
    ['Curator readers and writers', [`${id(1)}-__WRIT__0000000001`, `${id(2)}-__READ__0000000002`, `${id(3)}-__READ__0000000003`]],
    ['Curator readers first', [`${id(1)}-__READ__0000000001`, `${id(2)}-__READ__0000000002`, `${id(3)}-__WRIT__0000000003`]],
    ['kazoo', [1, 2, 3].map(n => kazooLock(n, n))],
    ['any number', ['guid-lock-0000000001', 'guid-lock-0000000002', 'guid-lock-0000000003']],
    ['a foreign child that counts', ['config', curatorMutex(2), curatorMutex(3)]],
    ['a foreign child that does not', ['config', kazooLock(2, 2), kazooLock(3, 3)]],
  ]; // prettier-ignore

  const subsets = [1, 2, 3, 4, 5, 6];
  it.each(layouts.flatMap(([label, names]) => subsets.map(bits => [label, bits, names] as const)))(
    '%s, hidden %i',
    async (_, bits, names) => {
      const hidden = names.filter((_name, at) => (bits & (1 << at)) !== 0);
      const queues = await read(names, hidden);
      for (const { name, role, waitsFor } of queues.flatMap(({ contenders }) => contenders)) {
        const named = queueOfNames('/app/locks', names, name)!;
        const turn = turnOf(named.entries, name, named.rule);
        expect({ name, holds: role === 'holder', waitsFor }).toEqual({ name, waitsFor: undefined, ...turn });
      }
    },
  );
});

it('waiters of a semaphore wait for the head of their queue that may not be read', async () => {
  const { name } = {
    name: (n: number, kind: string) => `_c_0123456${n}-89ab-cdef-0123-456789abcdef-${kind}-000000000${n}`,
  };
  client.put(`/s/leases/${name(0, 'lease')}`, { owner: 1n });
  for (const n of [1, 2]) client.put(`/s/locks/${name(n, 'lock')}`, { owner: BigInt(n + 1) });
  hide(`/s/locks/${name(1, 'lock')}`);
  const [queue] = await readQueues(client, '/s');
  expect(shown(queue)).toEqual(['#1 waiter -', '#2 waiter - unread', `#3 waiter ${name(1, 'lock')}`]);
  // The lease may be the one with which the head waits.
  expect(queue?.contenders.map(({ mayHold }) => mayHold)).toEqual([true, undefined, undefined]);
  expect(queue?.strangers).toEqual([]);
  expect(queue?.hazards).toEqual([{ kind: 'unreadable', names: [name(1, 'lock')] }]);
});

it('a lock that is one node stays one beside a queue of which nothing may be read', async () => {
  const queues = await read(['leader', first], [first], '/app/locks');
  expect(queues.map(({ path, contenders }) => [path, contenders.map(({ role }) => role)])).toEqual([
    ['/app/locks', ['holder']],
    ['/app/locks/leader', ['holder']],
  ]);
  expect(queues.map(({ hazards }) => hazards)).toEqual([[{ kind: 'unreadable', names: [first] }], []]);
});

it('a node that is no contender by its name may be the holder of any lock', async () => {
  const queues = await read(['leader', 'other', first], ['other'], '/app/locks');
  expect(queues.map(({ hazards }) => hazards)).toEqual([
    [{ kind: 'unreadable', names: ['other'] }],
    [{ kind: 'unreadable', names: ['../other'] }],
  ]);
  expect(queues[0]?.strangers).toContain('other');
});

it('a named lock beside another one that may not be read keeps its holder', async () => {
  const names = ['a', 'b'].map((letter, at) => `${letter}-000000000${at}`);
  const queues = await read(names, [names[0]!]);
  expect(queues.map(queue => shown(queue))).toEqual([['#1 holder - unread'], ['#1 holder -']]);
});

it('a name that is likely no lock is none because it may not be read', async () => {
  const number = 'part-0000000001';
  expect(await read([number], [number], '/app/data')).toEqual([]);
});

it('hazards that only a node itself shows are not said of one that was not read', async () => {
  const [queue] = await read(mutex, [second]);
  expect(queue?.hazards.map(({ kind }) => kind)).toEqual(['unreadable']);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { deleteConsequences } from '../../../src/inspector/deleteConsequences.ts';
import { explainLock } from '../../../src/inspector/explainLock.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { standingInQueues } from '../../../src/app/testLocks/standing.ts';
import { placeOf, type LockQueue } from '../../../src/locks/lockQueue.ts';
import { queueOfNames } from '../../../src/locks/recognition/recognise.ts';
import { turnOf } from '../../../src/locks/turn.ts';
import { curatorMutex, kazooLock } from '../../support/contenderNames.ts';
import { FakeClient } from '../../support/fakeClient.ts';

// From 3.9.2 on a server tells nothing of a node without the right to read it, not even its owner; its name is in the listing.

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
  queue?.contenders.map((contender, at) => `#${placeOf(contender, at)} ${contender.role} ${contender.waitsFor ?? '-'}`);

const mutex = [1, 2, 3].map(curatorMutex);
const [first, second, third] = mutex as [string, string, string];

describe('a mutex', () => {
  it('whose head may not be read has waiters only, each in its place', async () => {
    const [queue, ...others] = await read(mutex, [first]);
    expect(others).toEqual([]);
    expect(shown(queue)).toEqual([`#2 waiter ${first}`, `#3 waiter ${second}`]);
    expect(queue).toMatchObject({ strangers: [first], hazards: [{ kind: 'unreadable', names: [first] }] });
  });

  it('with a gap in the middle keeps its holder, and the waiter behind waits for the gap', async () => {
    const [queue] = await read(mutex, [second]);
    expect(shown(queue)).toEqual(['#1 holder -', `#3 waiter ${second}`]);
  });

  it('whose last may not be read is as it was', async () => {
    const [queue] = await read(mutex, [third]);
    expect(shown(queue)).toEqual(['#1 holder -', `#2 waiter ${first}`]);
    expect(queue?.contenders.map(({ position }) => position)).toEqual([undefined, undefined]);
  });

  it('says the same to who deletes from it, reads of it or waits in it', async () => {
    const [queue] = await read(mutex, [first]);
    const path = `/app/locks/${second}`;
    const facts = { now: Date.now() };
    expect(deleteConsequences(queue!, path, facts)).toMatchObject({
      contender: { role: 'waiter' },
      position: 2,
      nextHolders: [],
      twoHoldersPossible: false,
    });
    const { holders, waiters } = explainLock(queue!, { ...facts, cluster: 'c', readAt: facts.now });
    expect([holders, waiters.map(({ position }) => position)]).toEqual([[], [2, 3]]);
    const place = { path, ahead: 1, waitsFor: `/app/locks/${first}` };
    expect(standingInQueues('/app/locks', place, [queue!])).toMatchObject({ position: 2, waitsFor: first, holder: '' });
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
  expect(shown(queue)).toEqual(['#1 holder -', `#3 waiter ${name(1, 'lock')}`]);
  expect(queue?.strangers).toEqual([`locks/${name(1, 'lock')}`]);
});

it('a lock that is one node stays one beside a queue of which nothing may be read', async () => {
  const queues = await read(['leader', first], [first], '/app/locks');
  expect(queues.map(({ path, contenders }) => [path, contenders.map(({ role }) => role)])).toEqual([
    ['/app/locks/leader', ['holder']],
  ]);
  expect(queues[0]?.hazards).toEqual([{ kind: 'unreadable', names: [`../${first}`] }]);
});

it('a named lock beside another one that may not be read keeps its holder', async () => {
  const names = ['a', 'b'].map((letter, at) => `${letter}-000000000${at}`);
  const queues = await read(names, [names[0]!]);
  expect(queues.flatMap(queue => shown(queue))).toEqual(['#1 holder -']);
  expect(queues[0]?.strangers).toEqual([names[0]]);
});

it('hazards that only a node itself can tell are not told of one that was not read', async () => {
  const [queue] = await read(mutex, [second]);
  expect(queue?.hazards.map(({ kind }) => kind)).toEqual(['unreadable']);
});

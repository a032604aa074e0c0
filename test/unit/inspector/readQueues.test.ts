import { beforeEach, describe, expect, it } from 'vitest';
import { readDirectory } from '../../../src/inspector/readDirectory.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { CancelledError, NotConnectedError } from '../../../src/zookeeper/errors.ts';
import { FakeClient } from '../../support/fakeClient.ts';
import { curatorMutex, holders, kazooLock, lease, waiters } from '../../support/contenderNames.ts';

let client: FakeClient;
beforeEach(() => {
  client = new FakeClient();
});

function mutex(path: string, ...numbers: number[]): string[] {
  return numbers.map(number => {
    const name = curatorMutex(number);
    client.put(`${path}/${name}`, { owner: BigInt(number + 1), data: `host-${number}` });
    return name;
  });
}

async function only(path: string): Promise<LockQueue> {
  const queues = await readQueues(client, path);
  expect(queues).toHaveLength(1);
  return queues[0]!;
}

it('reads holder and waiters, with what they say of themselves', async () => {
  const [first, second] = mutex('/locks/a', 3, 4);
  const queue = await only('/locks/a');
  expect(queue).toMatchObject({ path: '/locks/a', dialect: 'curator' });
  expect(queue.contenders).toMatchObject([
    { name: first, role: 'holder', ownerSession: 4n, identifier: 'host-3', sequence: 3 },
    { name: second, role: 'waiter', waitsFor: first, ownerSession: 5n, identifier: 'host-4', sequence: 4 },
  ]);
});

it('reads contenders in the order of their numbers, however the server lists them', async () => {
  const listed = mutex('/locks/a', 30, 4, 100, 5);
  const reading = await readDirectory(client, '/locks/a');
  expect(reading?.directory.children.map(({ name }) => name)).toEqual([1, 3, 0, 2].map(at => listed[at]));
});

it.each(['/nowhere', '/locks/none'])('%s holds no locks', async path => {
  client.put('/locks');
  expect(await readQueues(client, path)).toEqual([]);
});

it('an ephemeral node is its own queue', async () => {
  client.put('/controller', { owner: 9n, data: '{"version":1,"brokerid":3}' });
  const queue = await only('/controller');
  expect(queue.dialect).toBe('kafka-controller');
  expect(holders(queue)).toEqual(['controller']);
});

it('reads the further directories of a semaphore', async () => {
  client.put('/s/locks/_c_01234567-89ab-cdef-0123-456789abcdef-lock-0000000002', { owner: 2n });
  client.put('/s/leases/_c_01234567-89ab-cdef-0123-456789abcdef-lease-0000000000', { owner: 1n });
  client.put('/s/leases/_c_11234567-89ab-cdef-0123-456789abcdef-lease-0000000001', { owner: 2n });
  const queue = await only('/s');
  expect(queue.dialect).toBe('curator-semaphore');
  expect(queue.contenders.filter(contender => contender.role === 'holder').map(holder => holder.ownerSession)).toEqual([
    1n,
  ]);
});

it('reads the queue beside a kazoo semaphore', async () => {
  client.put('/k', { data: '1' });
  client.put(`/k/${lease(1)}`, { owner: 1n, data: 'host-a' });
  client.put(`/k-__lock__/${kazooLock(2, 0)}`, { owner: 2n });
  const queue = await only('/k');
  expect(queue.dialect).toBe('kazoo-semaphore');
  expect(holders(queue)).toEqual([lease(1)]);
  expect(waiters(queue)).toEqual([kazooLock(2, 0)]);
});

it('shows names that are traps for plain objects', async () => {
  mutex('/locks/a', 1);
  for (const name of ['__proto__', 'constructor', 'toString']) client.put(`/locks/a/${name}`);
  expect((await only('/locks/a')).strangers.sort()).toEqual(['__proto__', 'constructor', 'toString']);
});

describe('children that change while it reads', () => {
  it('a vanished child is simply gone', async () => {
    const [first, second] = mutex('/a', 1, 2);
    client.beforeRead = request => {
      client.beforeRead = undefined;
      if (request.path === '/a')
        client.beforeRead = () => (client.drop(`/a/${first}`), (client.beforeRead = undefined));
    };
    const queue = await only('/a');
    expect([holders(queue), waiters(queue)]).toEqual([[second], []]);
  });

  it('a waiter is never shown as a holder because those before it left later', async () => {
    // 2 is read, then 2 and 1 leave and 3 comes; only then 1 is asked for. 2 never held the lock.
    const [second, first] = mutex('/a', 2, 1);
    let third = '';
    client.beforeRead = request => {
      if (request.path !== `/a/${first}`) return;
      client.beforeRead = undefined;
      client.drop(`/a/${second}`);
      client.drop(`/a/${first}`);
      third = mutex('/a', 3)[0]!;
    };
    const queue = await only('/a');
    expect([holders(queue), waiters(queue)]).toEqual([[third], []]);
  });

  it('ends although something vanishes each time', async () => {
    const [last] = mutex('/a', 1_000);
    let number = 0;
    client.beforeRead = request => {
      if (request.op === 'getChildren') mutex('/a', (number += 1));
      else if (request.path.endsWith(curatorMutex(number))) client.drop(request.path);
    };
    expect(holders(await only('/a'))).toEqual([last]);
  });

  it('a directory that vanishes holds no locks', async () => {
    mutex('/a', 1, 2);
    client.beforeRead = request => {
      if (request.path !== '/a') client.drop('/a');
    };
    expect(await readQueues(client, '/a')).toEqual([]);
  });
});

describe('permissions', () => {
  it('a contender whose data may not be read keeps its place, without identifier', async () => {
    const [first, second] = mutex('/a', 1, 2);
    client.denied.add(`/a/${first}`);
    const queue = await only('/a');
    expect(queue.contenders).toMatchObject([
      { name: first, role: 'holder', identifier: '', ownerSession: 2n },
      { name: second, role: 'waiter' },
    ]);
    expect(queue.hazards).toEqual([]);
  });

  it('one of which nothing may be read keeps its place, under a hazard', async () => {
    const [first, second] = mutex('/a', 1, 2);
    client.denied.add(`/a/${first}`);
    client.hidden.add(`/a/${first}`);
    const queue = await only('/a');
    expect([holders(queue), waiters(queue)]).toEqual([[first], [second]]);
    expect(queue.contenders.map(({ isUnread }) => isUnread)).toEqual([true, undefined]);
    expect(queue.strangers).toEqual([]);
    expect(queue.hazards).toContainEqual({ kind: 'unreadable', names: [first] });
  });

  it('a lock of which nothing may be read is still a lock', async () => {
    const [first] = mutex('/a', 1);
    client.denied.add(`/a/${first}`);
    client.hidden.add(`/a/${first}`);
    expect(await only('/a')).toMatchObject({ dialect: 'curator', contenders: [{ name: first, isUnread: true }] });
  });

  it('a directory that may not be listed is an error', async () => {
    mutex('/a', 1);
    client.denied.add('/a');
    await expect(readQueues(client, '/a')).rejects.toMatchObject({ codeName: 'NO_AUTH', path: '/a' });
  });

  it('a further directory that may not be listed is a hazard', async () => {
    client.put('/s/locks');
    client.put('/s/leases/_c_01234567-89ab-cdef-0123-456789abcdef-lease-0000000000', { owner: 1n });
    client.denied.add('/s/locks');
    client.hidden.add('/s/locks');
    const queue = await only('/s');
    expect(queue.hazards).toContainEqual({ kind: 'unreadable', names: expect.arrayContaining(['locks']) as string[] });
  });
});

describe('failures', () => {
  it('no connection', async () => {
    client.disconnect();
    await expect(readQueues(client, '/a')).rejects.toBeInstanceOf(NotConnectedError);
  });

  it('cancelled', async () => {
    mutex('/a', 1);
    const abort = new AbortController();
    client.beforeReply = () => abort.abort();
    await expect(readQueues(client, '/a', { signal: abort.signal })).rejects.toBeInstanceOf(CancelledError);
  });
});

describe('since when the holder holds', () => {
  const heldSince = async (): Promise<unknown> => (await only('/l')).contenders[0]?.heldSince;

  it('is known from the directory, without a request of its own', async () => {
    mutex('/l', 3, 4);
    expect(await heldSince()).toEqual({ earliest: 1_000, latest: 1_000 });
    expect(client.reads.filter(read => read.endsWith(' /l'))).toEqual(['getChildren /l', 'getData /l']);
    mutex('/l', 5);
    client.drop(`/l/${curatorMutex(5)}`);
    expect(await heldSince()).toEqual({ earliest: 1_000 });
  });

  it('takes no older stat for that of the list: servers before 3.6 answer one after the other', async () => {
    mutex('/l', 2, 3, 4);
    const together = client.readMany.bind(client);
    client.readMany = async (reads, options) => {
      if (reads.every(({ op }) => op === 'getData')) return together(reads, options);
      const results = [];
      for (const [at, read] of reads.entries()) {
        results.push(...(await together([read])));
        // The head leaves, and with it the turn changes, between two answers.
        if (at === 0) client.drop(`/l/${curatorMutex(2)}`);
      }
      return results;
    };
    expect(await heldSince()).toEqual({ earliest: 1_000 });
  });
});

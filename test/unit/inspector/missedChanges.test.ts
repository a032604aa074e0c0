import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Disposable } from '../../../src/base/disposable.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { curatorMutex, holders, kazooLock, lease, waiters } from '../../support/contenderNames.ts';
import { FakeClient } from '../../support/fakeClient.ts';

let client: FakeClient;
let watch: Disposable | undefined;
let calls: LockQueue[][];

beforeEach(() => {
  vi.useFakeTimers();
  client = new FakeClient();
  client.put('/a');
  calls = [];
});
afterEach(() => {
  watch?.dispose();
  expect([client.watchCount, client.watchedLists, vi.getTimerCount()]).toEqual([0, [], 0]);
  vi.useRealTimers();
});

const settle = (ms = 5): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
/** Until one more check is over. */
const nextCheck = (): Promise<unknown> => settle(15_100);
const shown = (): unknown => [holders(calls.at(-1)?.[0]), waiters(calls.at(-1)?.[0])];

async function start(path = '/a'): Promise<void> {
  watch = await watchQueues(client, path, queues => void calls.push(queues));
  await settle();
}

function put(number: number, isReadable: boolean): string {
  const name = curatorMutex(number);
  if (!isReadable) client.denied.add(`/a/${name}`);
  client.put(`/a/${name}`, { owner: BigInt(number) });
  return name;
}

/** What is read until everything has settled. */
async function readsOf(change: () => unknown): Promise<string[]> {
  const before = client.reads.length;
  await change();
  await settle();
  return client.reads.slice(before);
}

it('a contender without an event costs one listing and the reading of its own node', async () => {
  const first = put(1, false);
  await start();
  expect(client.watchedLists).toEqual(['/a']);
  let second = '';
  const reads = await readsOf(() => (second = put(2, false)));
  expect(reads).toEqual(['getChildren /a', `getData /a/${second}`, `exists /a/${second}`]);
  expect(shown()).toEqual([[first], [second]]);
  expect(calls).toHaveLength(2);
});

it('an empty queue is watched until its contenders are seen to be readable, and then by events alone', async () => {
  await start();
  expect(client.watchedLists).toEqual(['/a']);
  expect(calls).toEqual([[]]);
  const first = put(1, true);
  await settle();
  expect(shown()).toEqual([[first], []]);
  expect(await readsOf(() => client.drop(`/a/${first}`))).toEqual([]);
  let second = '';
  expect(await readsOf(() => (second = put(2, true)))).toEqual([`getData /a/${second}`]);
  expect(client.watchedLists).toEqual([]);
  expect(shown()).toEqual([[second], []]);
});

it('the last of them may leave, and the next is reported all the same', async () => {
  const first = put(1, false);
  await start();
  client.drop(`/a/${first}`);
  await settle();
  put(2, true);
  await settle();
  client.drop(`/a/${curatorMutex(2)}`);
  await settle();
  const third = put(3, false);
  await settle();
  expect(shown()).toEqual([[third], []]);
});

it('a check asks for one stat, and for nothing more if nothing was missed', async () => {
  put(1, true);
  await start();
  expect(await readsOf(nextCheck)).toEqual(['exists /a']);
  expect(calls).toHaveLength(1);
});

it('a check finds a contender that joined without an event, and from then on the list is watched', async () => {
  const first = put(1, true);
  await start();
  const second = put(2, false);
  await settle();
  expect(shown()).toEqual([[first], []]);
  await nextCheck();
  expect(shown()).toEqual([[first], [second]]);
  expect(client.watchedLists).toEqual(['/a']);
});

it('a check finds a path that came without an event, and nothing as long as it does not exist', async () => {
  await start('/b');
  expect(await readsOf(nextCheck)).toEqual(['exists /b']);
  expect(await readsOf(nextCheck)).toEqual(['exists /b']);
  client.denied.add('/b');
  client.put('/b');
  client.denied.delete('/b');
  client.denied.add(`/b/${curatorMutex(1)}`);
  client.put(`/b/${curatorMutex(1)}`, { owner: 1n });
  await nextCheck();
  expect(shown()).toEqual([[curatorMutex(1)], []]);
});

it('a check finds a further directory that came without an event', async () => {
  client.put('/k', { data: '1' });
  client.put(`/k/${lease(1)}`, { owner: 1n });
  await start('/k');
  expect(await readsOf(nextCheck)).toEqual(['exists /k', 'exists /k-__lock__']);
  const waiter = `/k-__lock__/${kazooLock(2, 0)}`;
  for (const path of ['/k-__lock__', waiter]) {
    client.denied.add(path);
    client.put(path, { owner: 2n });
  }
  client.denied.delete('/k-__lock__');
  await nextCheck();
  expect(shown()).toEqual([[lease(1)], [kazooLock(2, 0)]]);
});

it('a node that is replaced by its like before its list is watched is read again', async () => {
  const leader = '/service/scope/leader';
  client.put('/service/scope/initialize');
  client.denied.add(leader);
  client.put(leader, { owner: 1n });
  watch = await watchQueues(client, '/service/scope', queues => void calls.push(queues));
  client.drop(leader);
  client.put(leader, { owner: 2n });
  await settle();
  expect(calls.at(-1)?.[0]?.contenders[0]?.ownerSession).toBe(2n);
});

it('nothing is checked without a connection', async () => {
  await start();
  client.disconnect();
  expect(await readsOf(nextCheck)).toEqual([]);
});

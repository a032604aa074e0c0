import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Disposable } from '../../../src/base/disposable.ts';
import { LockTable } from '../../../src/app/clusters/lockTable.ts';
import { QueueMarks } from '../../../src/app/clusters/queueMarks.ts';
import { ServerClock } from '../../../src/history/clocks.ts';
import { HistoryRecorder } from '../../../src/history/historyRecorder.ts';
import { HolderSightings } from '../../../src/history/holderSightings.ts';
import { watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { Contender, LockQueue } from '../../../src/locks/lockQueue.ts';
import { curatorMutex } from '../../support/contenderNames.ts';
import { FakeClient } from '../../support/fakeClient.ts';

// What a change of a long queue costs, as work that can be counted: no clock is asked, so nothing here depends on the machine.

const length = 20_000;
const path = '/a';

let client: FakeClient;
let watch: Disposable | undefined;
let calls: LockQueue[];

beforeEach(async () => {
  vi.useFakeTimers();
  client = new FakeClient();
  for (let number = 0; number < length; number++) put(number);
  calls = [];
  watch = await watchQueues(client, path, ([queue]) => queue !== undefined && calls.push(queue));
});
afterEach(() => {
  watch?.dispose();
  vi.useRealTimers();
});

function put(number: number): void {
  client.put(`${path}/${curatorMutex(number)}`, { owner: BigInt(number + 1), data: `host-${number}` });
}

/** The head leaves and a waiter joins. @returns the queue before and after */
async function change(): Promise<[LockQueue, LockQueue]> {
  const before = calls.at(-1)!;
  client.drop(`${path}/${before.contenders[0]!.name}`);
  put(length);
  await vi.advanceTimersByTimeAsync(5_000);
  const after = calls.at(-1)!;
  expect(after.contenders).toHaveLength(length);
  return [before, after];
}

/** The same queue, whose waiters count how often each of their fields is read. */
function counted(queue: LockQueue, fields: readonly (keyof Contender)[]): { queue: LockQueue; reads: () => number } {
  let reads = 0;
  const contenders = queue.contenders.map(contender => {
    if (contender.role === 'holder') return contender;
    const watched = { ...contender };
    for (const field of fields) {
      Object.defineProperty(watched, field, {
        get: () => {
          reads++;
          return contender[field];
        },
      });
    }
    return watched;
  });
  return { queue: { ...queue, contenders }, reads: () => reads };
}

it('a change reads what came, and makes the contenders new whose turn it changed', async () => {
  const requests = client.reads.length;
  const [before, after] = await change();
  expect(client.reads.slice(requests)).toEqual([`getData ${path}/${curatorMutex(length)}`]);
  const known = new Set(before.contenders);
  const fresh = after.contenders.filter(contender => !known.has(contender));
  expect(fresh.map(({ name }) => name)).toEqual([curatorMutex(1), curatorMutex(length)]);
});

it('looks at the times and sessions of waiters once, when they come', () => {
  const clocks = { now: () => 1_000, monotonicNow: () => 1_000 };
  const sightings = new HolderSightings(new ServerClock(clocks));
  const history = new HistoryRecorder(clocks);
  const { queue, reads } = counted(calls[0]!, ['czxid', 'createdAt', 'ownerSession', 'path']);
  sightings.note(path, [queue], true);
  history.observe(queue);
  const first = reads();
  const [head, ...waiters] = queue.contenders;
  const next = { ...waiters[0]!, role: 'holder' as const };
  expect(head?.role).toBe('holder');
  const later = { ...queue, contenders: [next, ...waiters.slice(1)] };
  const before = reads();
  sightings.note(path, [later], true);
  history.observe(later);
  expect(first).toBeGreaterThan(length);
  expect(reads() - before).toBeLessThan(100);
});

it('judges no waiter of a queue in which none can have a sign', () => {
  const { queue, reads } = counted(calls[0]!, ['ownerSession', 'name', 'isUnread', 'createdAt']);
  const cluster = { type: 'cluster', locks: new LockTable(), sightings: { aheadMs: 0 } };
  const lock = { type: 'lock', queue, cluster } as unknown as Parameters<QueueMarks['of']>[0];
  const marks = new QueueMarks(
    () => ({ longHeldMs: 1, deadlockMs: 1 }),
    () => 0,
  ).of(lock, Date.now());
  expect(marks).toMatchObject({ stale: 0, maybeStale: 0, longHeld: 1 });
  expect(reads()).toBe(0);
});

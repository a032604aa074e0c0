import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Disposable } from '../../../src/base/disposable.ts';
import { nullLogger } from '../../../src/base/logger.ts';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import { settlingMs, watchQueues } from '../../../src/inspector/watchQueues.ts';
import type { LockQueue } from '../../../src/locks/lockQueue.ts';
import { curatorMutex, holders, kazooLock, lease, waiters } from '../../support/contenderNames.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { FakeClient } from '../../support/fakeClient.ts';

let client: FakeClient;
let watch: Disposable | undefined;
let calls: LockQueue[][];
let failures: unknown[];
/** The state of the session whenever changes may have been missed. */
let gaps: string[];

beforeEach(() => {
  vi.useFakeTimers();
  client = new FakeClient();
  calls = [];
  failures = [];
  gaps = [];
  watch = undefined;
});
afterEach(() => {
  watch?.dispose();
  expect(client.watchCount).toBe(0);
  expect(client.stateListenerCount).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function put(path: string, number: number): string {
  const name = curatorMutex(number);
  client.put(`${path}/${name}`, { owner: BigInt(number) });
  return name;
}

async function start(path: string, listener?: (queues: LockQueue[]) => void): Promise<void> {
  watch = await watchQueues(client, path, listener ?? (queues => void calls.push(queues)), {
    onFailure: error => void failures.push(error),
    onGap: () => void gaps.push(client.state),
  });
}

/** Lets everything happen that is due now. */
const settle = (ms = 5): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const last = (): LockQueue | undefined => calls.at(-1)?.[0];
const readsOf = (from: number): string[] => client.reads.slice(from);

describe('since when the holder holds', () => {
  it('is not said by a stat from before a change', async () => {
    put('/a', 3);
    put('/a', 4);
    await start('/a');
    expect(last()?.contenders[0]?.heldSince).toEqual({ earliest: 1_000, latest: 1_000 });
    client.drop(`/a/${curatorMutex(3)}`);
    await settle();
    expect(last()?.contenders[0]?.heldSince).toEqual({ earliest: 1_000 });
    put('/a', 5);
    await settle();
    expect(last()?.contenders[0]?.heldSince).toEqual({ earliest: 1_000, latest: 1_000 });
    put('/a', 6);
    client.drop(`/a/${curatorMutex(5)}`);
    await settle();
    expect(last()?.contenders[0]?.heldSince).toEqual({ earliest: 1_000 });
  });

  it('is the same for a watch as for a reading, whatever comes and goes', async () => {
    const random = seededRandom(7);
    await start('/a');
    const present: string[] = [];
    for (let number = 3; number < 60; number++) {
      for (let changes = random.below(3); changes >= 0; changes--) {
        if (random.below(2) === 0 && present.length > 0)
          client.drop(`/a/${present.splice(random.below(present.length), 1)[0]!}`);
        else present.push(put('/a', number * 10 + changes));
      }
      await settle(200);
      expect(last()?.contenders ?? []).toEqual((await readQueues(client, '/a'))[0]?.contenders ?? []);
    }
  });
});

describe('while connected', () => {
  it('tells the first picture before it resolves', async () => {
    const first = put('/a', 1);
    await start('/a');
    expect(calls).toHaveLength(1);
    expect(holders(last())).toEqual([first]);
  });

  it('sets the watch before it reads: nothing is lost in between', async () => {
    const first = put('/a', 1);
    let second = '';
    client.beforeReply = () => {
      client.beforeReply = undefined;
      second = put('/a', 2);
    };
    await start('/a');
    await settle();
    expect([holders(last()), waiters(last())]).toEqual([[first], [second]]);
  });

  it('a new contender costs one small read', async () => {
    put('/a', 1);
    await start('/a');
    const before = client.reads.length;
    const second = put('/a', 2);
    await settle();
    expect(readsOf(before)).toEqual([`getData /a/${second}`]);
    expect(waiters(last())).toEqual([second]);
  });

  it('a hand-over costs no read', async () => {
    const first = put('/a', 1);
    const second = put('/a', 2);
    await start('/a');
    const before = client.reads.length;
    client.drop(`/a/${first}`);
    await settle();
    expect(readsOf(before)).toEqual([]);
    expect(holders(last())).toEqual([second]);
  });

  it('a burst gives one call and reads each node once', async () => {
    put('/a', 1);
    await start('/a');
    const before = client.reads.length;
    for (let number = 2; number < 102; number += 1) client.change(`/a/${put('/a', number)}`, 'x');
    await settle();
    expect(calls).toHaveLength(2);
    expect(readsOf(before)).toHaveLength(100);
    expect(waiters(last())).toHaveLength(100);
  });

  it('what lies deeper costs nothing', async () => {
    const first = put('/a', 1);
    await start('/a');
    const before = client.reads.length;
    client.put(`/a/${first}/deep/deeper`);
    await settle(1_000);
    expect(readsOf(before)).toEqual([]);
    expect(calls).toHaveLength(1);
  });

  it('an answer that is older than an event does not win', async () => {
    put('/a', 1);
    await start('/a');
    const second = put('/a', 2);
    client.beforeReply = () => {
      client.beforeReply = undefined;
      client.drop(`/a/${second}`);
    };
    await settle();
    expect(waiters(last())).toEqual([]);
  });

  describe('nobody is shown as a holder who never was', () => {
    const everHeld = (): unknown[] => calls.flatMap(([queue]) => holders(queue));

    it('when the head changes while it is read for the first time', async () => {
      client.put('/a');
      await start('/a');
      const first = put('/a', 1);
      put('/a', 2);
      client.beforeReply = () => {
        client.beforeReply = undefined;
        client.change(`/a/${first}`, 'x');
      };
      await settle(1_000);
      expect(calls.length).toBeGreaterThan(1);
      expect(new Set(everHeld())).toEqual(new Set([first]));
    });

    it.each([false, true])('when two leave while the first of them is read; events told late: %s', async late => {
      client.tellsLate = late;
      const [first, second, third] = [put('/a', 1), put('/a', 2), put('/a', 3)];
      await start('/a');
      client.change(`/a/${first}`, 'x');
      client.beforeRead = () => {
        client.beforeRead = undefined;
        client.drop(`/a/${second}`);
        client.drop(`/a/${first}`);
      };
      await settle(1_000);
      expect(new Set(everHeld())).toEqual(new Set([first, third]));
    });
  });

  it('a path that does not exist, comes, goes and comes back', async () => {
    await start('/a/b');
    expect(calls).toEqual([[]]);
    const first = put('/a/b', 1);
    await settle();
    expect(holders(last())).toEqual([first]);
    client.drop('/a/b');
    await settle();
    expect(calls.at(-1)).toEqual([]);
    const again = put('/a/b', 0);
    await settle();
    expect(holders(last())).toEqual([again]);
  });

  it('watches the queue beside a kazoo semaphore, from its first lease on', async () => {
    client.put('/k', { data: '1' });
    await start('/k');
    client.put(`/k/${lease(1)}`, { owner: 1n });
    await settle();
    expect(client.watchedPaths).toEqual(['/k', '/k-__lock__']);
    client.put(`/k-__lock__/${kazooLock(2, 0)}`, { owner: 2n });
    await settle();
    expect([holders(last()), waiters(last())]).toEqual([[lease(1)], [kazooLock(2, 0)]]);
  });

  it('sees what came to a further directory before its watch was set', async () => {
    client.put('/k', { data: '1' });
    client.put(`/k/${lease(1)}`, { owner: 1n });
    client.beforeWatch = path => {
      if (path === '/k-__lock__') client.put(`${path}/${kazooLock(2, 0)}`, { owner: 2n });
    };
    await start('/k');
    expect(calls).toHaveLength(1);
    expect(waiters(last())).toEqual([kazooLock(2, 0)]);
  });

  it('a listener that throws hears the next change all the same', async () => {
    put('/a', 1);
    const logger = { ...nullLogger, error: vi.fn() };
    let heard = 0;
    const failing = (): void => {
      heard += 1;
      throw new Error('broken row');
    };
    watch = await watchQueues(client, '/a', failing, { logger });
    put('/a', 2);
    await settle();
    expect(heard).toBe(2);
    expect(logger.error).toHaveBeenCalledTimes(2);
    expect(failures).toEqual([]);
  });
});

describe('disposed', () => {
  it('is silent, whatever was under way', async () => {
    put('/a', 1);
    await start('/a');
    put('/a', 2);
    client.beforeReply = () => watch?.dispose();
    await settle();
    put('/a', 3);
    await settle(60_000);
    expect(calls).toHaveLength(1);
  });

  it('by its own listener', async () => {
    put('/a', 1);
    await start('/a', queues => {
      calls.push(queues);
      watch?.dispose();
    });
    put('/a', 2);
    await settle();
    put('/a', 3);
    await settle();
    expect(calls).toHaveLength(2);
  });
});

describe('without connection', () => {
  it('reads everything again when it is back', async () => {
    const first = put('/a', 1);
    await start('/a');
    client.disconnect();
    client.drop(`/a/${first}`);
    const second = put('/a', 2);
    await settle(60_000);
    expect(calls).toHaveLength(1);
    client.reconnect();
    await settle();
    expect(holders(last())).toEqual([second]);
    expect(failures).toEqual([]);
  });

  it('says before it is connected that changes may have been missed, and tells the queue even if none was', async () => {
    put('/a', 1);
    await start('/a');
    client.disconnect();
    await settle(60_000);
    expect(gaps).toEqual([]);
    client.reconnect();
    expect(gaps).toEqual(['uncertain']);
    await settle();
    expect(calls).toHaveLength(2);
    expect(gaps).toHaveLength(1);
  });

  it('neither reads nor doubts what it told when the same connection answers again', async () => {
    put('/a', 1);
    await start('/a');
    client.disconnect();
    client.recover();
    await settle(60_000);
    expect(gaps).toEqual([]);
    expect(calls).toHaveLength(1);
  });

  it('reports no queue as current that it worked out before the gap', async () => {
    for (let number = 0; number < 5_000; number++) put('/a', number);
    await start('/a');
    const before = calls.length;
    // Slow: every part of the work takes a turn of its own.
    let clock = performance.now();
    const slow = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10));
    client.drop(`/a/${curatorMutex(0)}`);
    for (let turn = 0; turn < 4; turn++) await vi.advanceTimersToNextTimerAsync();
    expect(calls).toHaveLength(before);
    client.disconnect();
    client.drop(`/a/${curatorMutex(1)}`);
    client.reconnect();
    expect(gaps).toHaveLength(1);
    slow.mockRestore();
    await settle(5_000);
    expect(calls.slice(before).map(([queue]) => holders(queue))).toEqual([[curatorMutex(2)]]);
  });

  // A reading takes two replies: the lists, then the nodes.
  it.each([
    [1, 3],
    [2, 3],
    [1, 4],
    [2, 4],
  ])('reports nothing that was read before a gap, where one run meets two (replies %i and %i)', async (...during) => {
    put('/a', 1);
    await start('/a');
    const before = calls.length;
    const gap = (): void => {
      client.disconnect();
      put('/a', 2 + gaps.length);
      client.reconnect();
    };
    let replies = 0;
    client.beforeReply = () => {
      replies += 1;
      if (during.includes(replies)) gap();
    };
    gap();
    await settle(1_000);
    expect(gaps).toHaveLength(3);
    expect(calls.slice(before).map(([queue]) => waiters(queue))).toEqual([[2, 3, 4].map(curatorMutex)]);
  });

  it('a read that the connection took along is repeated (docs/faults.md, L10)', async () => {
    put('/a', 1);
    await start('/a');
    const second = put('/a', 2);
    client.beforeReply = () => client.disconnect();
    await settle();
    expect(failures).toHaveLength(1);
    client.beforeReply = undefined;
    client.reconnect();
    await settle();
    expect(waiters(last())).toEqual([second]);
  });

  it('a failed read is repeated with growing pauses, without any event', async () => {
    put('/a', 1);
    await start('/a');
    const second = put('/a', 2);
    client.beforeReply = () => Promise.reject(new Error('reply lost'));
    await settle();
    await settle(10_000);
    expect(failures.length).toBeGreaterThan(3);
    expect(failures.length).toBeLessThan(10);
    client.beforeReply = undefined;
    await settle(15_000);
    expect(waiters(last())).toEqual([second]);
  });

  it('does not sit out the pause when the connection is back', async () => {
    put('/a', 1);
    await start('/a');
    client.beforeReply = () => Promise.reject(new Error('reply lost'));
    put('/a', 2);
    await settle(60_000);
    client.beforeReply = undefined;
    client.disconnect();
    client.reconnect();
    await settle();
    expect(waiters(last())).toHaveLength(1);
  });

  it.each(['lose', 'close'] as const)('ends with the session: %s', async how => {
    put('/a', 1);
    await start('/a');
    void client[how]();
    await settle(60_000);
    expect(calls).toHaveLength(1);
    expect(client.watchCount).toBe(0);
  });

  it('rejects and leaves nothing behind if the first read fails', async () => {
    put('/a', 1);
    client.denied.add('/a');
    await expect(watchQueues(client, '/a', () => undefined)).rejects.toMatchObject({ codeName: 'NO_AUTH' });
    client.disconnect();
    await expect(watchQueues(client, '/a', () => undefined)).rejects.toThrow('not sent');
  });
});

it('keeps a queue that changes all the time from taking the whole core', async () => {
  put('/a', 1);
  let clock = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
  await start('/a', queues => {
    calls.push(queues);
    clock += 20;
  });
  const before = calls.length;
  for (let number = 2; number < 52; number += 1) {
    put('/a', number);
    clock += 10;
    await settle(10);
  }
  now.mockRestore();
  expect(calls.length - before).toBeLessThan(15);
  expect(calls.length - before).toBeGreaterThan(3);
  await settle(1_000);
});

describe('settlingMs', () => {
  it.each([
    [0, 0],
    [0.9, 0],
    [2, 50],
    [4, 100],
    [100, 750],
    [1_000, 2_000],
  ])('after %d ms of work %d ms', (cost, expected) => expect(settlingMs(cost)).toBe(expected));
});

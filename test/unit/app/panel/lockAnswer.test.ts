import { describe, expect, it } from 'vitest';
import { lockAnswer } from '../../../../src/app/panel/lockAnswer.ts';
import { holdersWithout } from '../../../../src/inspector/turnsWithout.ts';
import type { Contender, LockQueue } from '../../../../src/locks/lockQueue.ts';
import { now, queueOf, contender as contenderOf } from '../../extension/fixtures.ts';
import { curatorQueue, onlyQueue, plainQueue, semaphoreQueue } from '../../inspector/diagnosisQueues.ts';

function queueOfKinds(...kinds: Contender['kind'][]): LockQueue {
  return curatorQueue(
    '/locks/a',
    kinds.map((kind, at) => ({ kind, owner: BigInt(at + 1) })),
  );
}

/** Positions of those that are next, and by what rule. */
function nextIn(queue: LockQueue): [string, ...number[]] | undefined {
  const { next } = lockAnswer(queue, now);
  return next && [next.succession, ...next.next.map(contender => queue.contenders.indexOf(contender) + 1)];
}

describe('who has a lock and who is next', () => {
  it.each<[string, LockQueue, ReturnType<typeof nextIn>]>([
    ['the first that waits', queueOfKinds('exclusive', 'exclusive', 'exclusive'), ['known', 2]],
    ['no one where no one waits', queueOfKinds('exclusive'), undefined],
    ['all readers in front of a writer', queueOfKinds('write', 'read', 'read', 'write', 'read'), ['known', 2, 3]],
    ['the writer, after all readers', queueOfKinds('read', 'read', 'read', 'write', 'read'), ['known', 4]],
    ['the first that waits for a lease', semaphoreQueue('/s', [1n, 2n, 3n, 4n], 2), ['known', 3]],
    ['the first client that creates the node', onlyQueue('/app/locks', [{ name: 'orders', owner: 1n }]), ['race']],
  ])('is next: %s', (_, queue, expected) => {
    expect(nextIn(queue)).toEqual(expected);
  });

  it('is not known where it depends on which of the holders leaves', () => {
    const holds = { kind: 'lease', role: 'holder' } as const;
    const waits = { kind: 'lease', role: 'waiter' } as const;
    const queue = plainQueue('/s', 'curator', [
      { ...holds, name: 'a', path: '/s/a' },
      { ...holds, name: 'b', path: '/s/b' },
      { ...waits, name: 'c', path: '/s/c', waitsFor: 'a' },
      { ...waits, name: 'd', path: '/s/d', waitsFor: 'b' },
    ]);
    expect(nextIn({ ...queue, maxLeases: 3 })).toBeUndefined();
  });

  it('is whom the delete dialog names, however long the queue is', () => {
    const queue = queueOfKinds('write', ...Array<'read'>(40).fill('read'), ...Array<'write'>(500).fill('write'));
    const { holders } = holdersWithout(queue, queue.contenders[0]!);
    expect(lockAnswer(queue, now).next?.next.map(({ name }) => name)).toEqual(holders.map(({ name }) => name));
  });

  it('counts and dates those that wait, but none that may not be read', () => {
    const queue = queueOf([
      contenderOf('h', { role: 'holder', createdAt: now - 90_000 }),
      contenderOf('a', { createdAt: now - 10_000, mayHold: true }),
      contenderOf('b', { createdAt: now - 20_000 }),
      contenderOf('c', { createdAt: 0, isUnread: true }),
    ]);
    expect(lockAnswer(queue, now)).toMatchObject({
      waiters: 3,
      mayHold: 1,
      waitingSince: now - 20_000,
      kind: 'exclusive',
    });
    expect(lockAnswer(queueOf([]), now)).toEqual({
      holders: [],
      isHolderUnknown: false,
      isLeaseOver: false,
      waiters: 0,
      mayHold: 0,
    });
  });
});

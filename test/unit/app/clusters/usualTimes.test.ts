import { beforeEach, describe, expect, it, vi } from 'vitest';
import { UsualTimes } from '../../../../src/app/clusters/usualTimes.ts';
import type { Contender } from '../../../../src/locks/lockQueue.ts';
import { contender, lockNode, now, queueOf } from '../../extension/fixtures.ts';
import { at, FakeRecording, holdOf, waitOf } from '../recordings/fakeRecording.ts';

const minute = 60_000;
let recording: FakeRecording;
let past: { holds: (path: string) => ReturnType<FakeRecording['holds']>; waits: FakeRecording['waits'] } | undefined;
let usual: UsualTimes;

const held = (ms: number, fields: Partial<Contender> = {}): Contender =>
  contender('holder', {
    role: 'holder',
    createdAt: now - ms,
    heldSince: { earliest: now - ms, latest: now - ms },
    ...fields,
  });
const waiting = (ms: number, fields: Partial<Contender> = {}): Contender =>
  contender('waiter', { createdAt: now - ms, ...fields });
const of = (...contenders: Contender[]) => usual.of(lockNode(queueOf(contenders)), now);

beforeEach(() => {
  recording = new FakeRecording();
  recording.allHolds = Array.from({ length: 25 }, (_, index) =>
    holdOf(`n-${String(index)}`, at(BigInt(10 + 2 * index), 10 * index), at(BigInt(11 + 2 * index), 10 * index + 2), {
      queued: at(BigInt(5 + index), 10 * index - 3),
      czxid: BigInt(5 + index),
    }),
  );
  past = { holds: vi.fn((path: string) => recording.holds(path)), waits: path => recording.waits(path) };
  usual = UsualTimes.untilNow(() => past);
});

describe('a lock', () => {
  it('is unusual when its hold lasts far longer than each before', () => {
    expect(of(held(4 * minute))).toEqual({
      hold: { ms: 4 * minute, usual: { samples: 25, p50: 2_000, p95: 2_000, max: 2_000 } },
    });
    expect(of(held(4_000))).toEqual({});
  });

  it('is unusual when the next in line waits far longer than each before', () => {
    expect(of(held(1_000), waiting(4 * minute))).toMatchObject({ wait: { ms: 4 * minute, usual: { p50: 3_000 } } });
  });

  it('is not called so by a hold that may have begun just now', () => {
    expect(of(held(4 * minute, { heldSince: { earliest: now - 4 * minute } }))).toEqual({});
  });

  it.each([
    ['of a leader', held(4 * minute, { kind: 'candidate' })],
    ['of a node that may not be read', held(4 * minute, { isUnread: true })],
    ['of a lease that is over', held(4 * minute, { leaseEndsAt: now - 60 * minute })],
    ['of a waiter that may hold', waiting(4 * minute, { mayHold: true })],
  ])('is not called so by what is known %s', (_, one) => {
    expect(of(one)).toEqual({});
  });

  it('counts the wait of one that had to give way from then on', () => {
    recording.allWaits = [
      waitOf('waiter', at(3n, 0), undefined, { czxid: 7n, from: { zxid: 90n, time: now - 4_000 } }),
    ];
    expect(of(held(1_000), waiting(4 * minute))).toEqual({});
  });

  it('is as usual while nothing is known of its past', () => {
    past = undefined;
    expect(of(held(4 * minute))).toEqual({});
    expect(usual.usualOf(lockNode(queueOf([])))).toBeUndefined();
  });

  it('costs nothing while it is held for a moment, and little for each holder', () => {
    const lock = lockNode(queueOf([held(1_000)]));
    usual.of(lock, now);
    expect(past?.holds).not.toHaveBeenCalled();
    for (let ms = 0; ms < minute; ms += 1_000) usual.of(lock, now + ms);
    expect(past?.holds).toHaveBeenCalledTimes(1);
    lock.queue = queueOf([held(9_000, { czxid: 8n })]);
    usual.of(lock, now);
    expect(past?.holds).toHaveBeenCalledTimes(2);
  });
});

describe('a lock of a recording', () => {
  it('is compared with what had ended at the moment', () => {
    const moment = at(30n, 102);
    usual = UsualTimes.at({ recording, moment });
    expect(usual.usualOf(lockNode(queueOf([])))?.hold.samples).toBe(10);
  });
});

import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../../src/base/interruptible.ts';
import { historyOf, holdsOf, reusedSessions } from '../../../../src/app/sessions/sessionHistory.ts';
import type { Hold } from '../../../../src/history/hold.ts';
import { mutex, noon } from './sessionQueues.ts';

const moment = (at: number) => ({ zxid: BigInt(at), time: noon + at });

function hold(at: number, ownerSession: bigint, to?: number): Hold {
  return {
    path: '/a',
    name: `n-${String(at)}`,
    kind: 'exclusive',
    identifier: '',
    ownerSession,
    czxid: BigInt(at),
    queued: moment(at),
    from: moment(at),
    ...(to === undefined ? {} : { to: moment(to), ended: 'released' as const }),
  };
}

describe('the history of sessions', () => {
  it('is their newest holds and what is recorded of them', () => {
    const all = [hold(1, 1n), hold(2, 2n), hold(3, 1n), hold(4, 0n), hold(5, 1n)];
    const ids = new Set([1n, 7n]);
    const holds = holdsOf({ holds: () => all }, ids);
    const history = historyOf({ holds, sessions: new Map([[1n, { timeoutMs: 5_000 }], [2n, {}]]) }, ids, 2); // prettier-ignore
    expect(history.holds.map(({ czxid }) => czxid)).toEqual([5n, 3n]);
    expect([history.total, [...history.sessions]]).toEqual([3, [[1n, { timeoutMs: 5_000 }]]]);
  });

  it('says nothing of what is later than the moment', () => {
    const holds = [hold(1, 1n, 3), hold(4, 1n, 8), hold(6, 1n, 7)];
    const sessions = new Map([
      [1n, { opened: moment(0), ended: moment(9), how: 'expired' as const }],
      [2n, { opened: moment(6), timeoutMs: 5_000 }],
    ]);
    const history = historyOf({ holds, sessions }, new Set([1n, 2n]), 5, moment(5));
    expect(history.holds).toEqual([hold(4, 1n), hold(1, 1n, 3)]);
    expect([history.total, [...history.sessions]]).toEqual([2, [[1n, { opened: moment(0) }]]]);
  });
});

describe('an id that was given out again', () => {
  const queue = mutex({ path: '/a', sessions: [1n, 2n, 3n, 4n] });

  it('is one whose nodes are newer than the recorded end', () => {
    const sessions = new Map([
      [1n, { ended: moment(50) }],
      [2n, { ended: moment(200) }],
      [3n, {}],
    ]);
    expect(atOnce(reusedSessions(sessions, [queue]))).toEqual(new Set([1n]));
  });

  it('is known by the times where no transaction is known', () => {
    const sessions = new Map([
      [1n, { ended: { zxid: 0n, time: noon } }],
      [2n, { ended: { zxid: 0n, time: noon - 100_000 } }],
    ]);
    expect(atOnce(reusedSessions(sessions, [queue]))).toEqual(new Set([2n]));
  });
});

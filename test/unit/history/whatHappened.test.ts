import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../src/base/interruptible.ts';
import {
  during,
  longestWaitingTimes,
  msBetween,
  spansWithoutHolder,
  type Span,
} from '../../../src/history/whatHappened.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { at, holdOf, waitOf } from '../app/recordings/fakeRecording.ts';

/** Seconds and zxids are the same here. */
const m = (second: number) => at(BigInt(second), second);
const span = (from: number, to: number): Span => ({ from: m(from), to: m(to) });
const seconds = ({ from, to }: Span): [number, number] => [from.time / 1_000, to.time / 1_000];

const hold = (queued: number, from: number, to?: number, fields = {}) =>
  holdOf('h', m(from), to === undefined ? undefined : m(to), { queued: m(queued), ...fields });
const wait = (queued: number, to?: number, fields = {}) =>
  waitOf('w', m(queued), to === undefined ? undefined : m(to), fields);
const before = { isFromBefore: true } as const;

describe('spans without a holder', () => {
  it.each([
    ['one after the other leaves none', [hold(0, 0, 10), hold(5, 10, 20)], [], [], []],
    ['who takes it late leaves one', [hold(0, 0, 10), hold(5, 15, 20)], [], [], [[10, 15]]],
    ['a free lock that no one wants is none', [hold(0, 0, 10), hold(20, 20, 30)], [], [], []],
    ['who never gets it leaves one', [hold(0, 0, 10)], [wait(5, 40)], [], [[10, 40]]],
    ['who waits at the end, to the end', [hold(0, 0, 10)], [wait(5)], [], [[10, 100]]],
    ['two holders end it only together', [hold(0, 0, 10), hold(0, 0, 20)], [wait(5, 30)], [], [[20, 30]]],
    ['two waiters make one span', [], [wait(5, 30), wait(20, 40)], [], [[5, 40]]],
    ['a hold between two parts it', [hold(30, 30, 40)], [wait(5, 60)], [], [[5, 30], [40, 60]]],
    ['what is not known is left out', [], [wait(5, 60)], [span(10, 20)], [[5, 10], [20, 60]]],
    ['a hold from before says nothing of before', [hold(0, 20, 30, before)], [], [], []],
    ['before the whole it is cut', [], [wait(-20, 10)], [], [[1, 10]]],
  ])('%s', (_, holds, waits, unknown, found) => {
    expect(atOnce(spansWithoutHolder(holds, waits, unknown, span(1, 100))).map(seconds)).toEqual(found);
  }); // prettier-ignore
});

const all = { most: Infinity, end: m(100) };

describe('waits', () => {
  it('are those of holders and of others, the longest first', () => {
    const holds = [hold(0, 5), hold(0, 50), hold(0, 90, 95, before)];
    const times = atOnce(longestWaitingTimes(holds, [wait(10, 20), wait(70)], all));
    expect(times.map(({ ms, gotIt }) => [ms / 1_000, gotIt])).toEqual([
      [50, true],
      [30, false],
      [10, false],
      [5, true],
    ]);
  });

  it('of one that was overtaken and held again begin at its last hold', () => {
    const twice = [hold(0, 10, 20, { ended: 'overtaken', czxid: 1n }), hold(0, 50, 60, { czxid: 1n })];
    const times = atOnce(longestWaitingTimes(twice, [wait(0, 90, { from: m(80) })], all));
    expect(times.map(({ ms }) => ms / 1_000)).toEqual([30, 10, 10]);
  });

  it('of one that holds again behind a gap begin at its last hold', () => {
    const twice = [hold(0, 10, 20, { ended: 'unknown', czxid: 1n }), hold(0, 50, 60, { czxid: 1n })];
    const times = atOnce(longestWaitingTimes(twice, [], all));
    expect(times.map(({ ms }) => ms / 1_000)).toEqual([30, 10]);
  });

  it('that took no time are none, nor are those that took less, as clocks of leaders differ', () => {
    const back = holdOf('h', at(9n, 5), undefined, { queued: at(8n, 7) });
    expect(atOnce(longestWaitingTimes([back, hold(3, 3)], [], all))).toEqual([]);
    expect(msBetween({ from: at(8n, 7), to: at(9n, 5) })).toBe(0);
  });

  it('are the longest of many, and of a span those that touch it', () => {
    const random = seededRandom(3);
    const holds = Array.from({ length: 500 }, (_, place) => hold(place, place + random.below(40)));
    const waits = Array.from({ length: 500 }, (_, place) => wait(place, place + random.below(40)));
    const end = m(600);
    for (const wanted of [{ end }, { end, span: span(100, 130) }]) {
      const sorted = atOnce(longestWaitingTimes(holds, waits, { ...wanted, most: Infinity }));
      for (const most of [1, 7, 200]) {
        expect(atOnce(longestWaitingTimes(holds, waits, { ...wanted, most }))).toEqual(sorted.slice(0, most));
      }
      expect(sorted.every(({ from, to }) => !wanted.span || (from.zxid <= 130n && to.zxid >= 100n))).toBe(true);
    }
  });
});

it.each([
  ['before', hold(0, 0, 9), false],
  ['into it', hold(0, 0, 10), true],
  ['within', hold(11, 12, 13), true],
  ['still', hold(0, 0), true],
  ['behind', hold(0, 21, 30), false],
])('what is there during a span: %s', (_, place, isThere) => {
  expect(during([place], span(10, 20), m(100))).toHaveLength(Number(isThere));
});

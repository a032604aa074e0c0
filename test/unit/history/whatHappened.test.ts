import { describe, expect, it } from 'vitest';
import { atOnce } from '../../../src/base/interruptible.ts';
import { during, spansWithoutHolder, waitingTimes, type Span } from '../../../src/history/whatHappened.ts';
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

describe('waits', () => {
  it('are those of holders and of others, the longest first', () => {
    const times = atOnce(
      waitingTimes([hold(0, 5), hold(0, 50), hold(0, 90, 95, before)], [wait(10, 20), wait(70)], m(100)),
    );
    expect(times.map(({ ms, gotIt }) => [ms / 1_000, gotIt])).toEqual([
      [50, true],
      [30, false],
      [10, false],
      [5, true],
    ]);
  });

  it('of one that was overtaken and held again begin at its last hold', () => {
    const twice = [hold(0, 10, 20, { ended: 'overtaken', czxid: 1n }), hold(0, 50, 60, { czxid: 1n })];
    const times = atOnce(waitingTimes(twice, [wait(0, 90, { from: m(80) })], m(100)));
    expect(times.map(({ ms }) => ms / 1_000)).toEqual([30, 10, 10]);
  });

  it('are never negative, whatever the clocks of the leaders', () => {
    const [time] = atOnce(waitingTimes([holdOf('h', at(9n, 5), undefined, { queued: at(8n, 7) })], [], m(100)));
    expect(time?.ms).toBe(0);
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

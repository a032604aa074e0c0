import { describe, expect, it } from 'vitest';
import {
  autoReleaseChoices,
  countdown,
  parseDuration,
  shownAge,
  shownLeft,
  spanParts,
  waitChoices,
} from '../../../../src/app/testLocks/durations.ts';

describe('a typed span of time', () => {
  it.each([
    ['90', 90_000],
    [' 5 s ', 5_000],
    ['5 min', 300_000],
    ['5M', 300_000],
    ['1.5h', 5_400_000],
    ['24 h', 86_400_000],
    ['5 分钟', 300_000],
    ['2小时', 7_200_000],
    ['25 h', undefined],
    ['5 天', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['5 days', undefined],
    ['min', undefined],
    ['1e9', undefined],
    ['', undefined],
  ])('%j is %s ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});

describe('the choices', () => {
  it('to wait: once, 10 s, 60 s, without limit, other', () => {
    expect(waitChoices.map(choice => (choice.kind === 'limit' ? choice.timeoutMs : 'other'))).toEqual([
      0,
      10_000,
      60_000,
      undefined,
      'other',
    ]);
  });

  it('to release: the setting among others, never last, and not at all on production', () => {
    const names = (isProduction: boolean): unknown[] =>
      autoReleaseChoices(3_000, isProduction).map(choice => (choice.kind === 'after' ? choice.ms : choice.kind));
    expect(names(false)).toEqual([3_000, 10_000, 60_000, 300_000, 'other', 'never']);
    expect(names(true)).toEqual([3_000, 10_000, 60_000, 300_000, 'other']);
    expect(autoReleaseChoices(60_000, true)).toHaveLength(4);
  });
});

describe('a countdown', () => {
  it.each([
    [0, '0:00'],
    [-5, '0:00'],
    [1, '0:01'],
    [59_001, '1:00'],
    [61_000, '1:01'],
    [3_600_000, '1:00:00'],
    [3_725_000, '1:02:05'],
  ])('%d ms is %s', (ms, text) => {
    expect(countdown(ms)).toBe(text);
  });

  it.each([
    [299_000, 300_000],
    [60_000, 60_000],
    [56_000, 60_000],
    [9_100, 10_000],
    [8_001, 9_000],
    [-1, 0],
  ])('of %d ms is shown as %d: in large steps first, each second at the end', (left, shown) => {
    expect(shownLeft(left)).toBe(shown);
  });

  it('never shows more time than a moment before', () => {
    let before = Infinity;
    for (let left = 200_000; left >= 0; left -= 137) {
      const shown = shownLeft(left);
      expect(shown).toBeLessThanOrEqual(before);
      expect(shown).toBeGreaterThanOrEqual(left);
      before = shown;
    }
  });

  it('goes with an age in steps', () => {
    expect([4_999, 5_000, 61_000, 130_000].map(shownAge)).toEqual([0, 5_000, 60_000, 120_000]);
  });

  it.each([
    [90_000, { count: 90, unit: 's' }],
    [300_000, { count: 5, unit: 'min' }],
    [7_200_000, { count: 2, unit: 'h' }],
  ])('of %d ms is said with the largest unit that fits', (ms, parts) => {
    expect(spanParts(ms)).toEqual(parts);
  });
});

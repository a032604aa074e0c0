import { describe, expect, it } from 'vitest';
import { backOffMs } from '../../../src/base/backOff.ts';

describe('backOffMs', () => {
  it.each([
    [1, 250],
    [2, 500],
    [5, 4_000],
    [7, 15_000],
    [10_000, 15_000],
  ])('after %i failures %i ms', (failures, expected) => expect(backOffMs(failures)).toBe(expected));

  it('takes a random part off', () => {
    const pace = { firstMs: 500, longestMs: 30_000, spread: 0.5 };
    expect(backOffMs(1, { ...pace, random: () => 0 })).toBe(250);
    expect(backOffMs(1, { ...pace, random: () => 0.999999 })).toBeCloseTo(500, 0);
    expect(backOffMs(1_000, { ...pace, random: () => 0.999999 })).toBeCloseTo(30_000, -1);
  });
});

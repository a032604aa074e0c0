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
});

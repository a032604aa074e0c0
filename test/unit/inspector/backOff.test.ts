import { describe, expect, it } from 'vitest';
import { backOffMs, settlingMs } from '../../../src/inspector/backOff.ts';

describe('backOffMs', () => {
  it.each([
    [1, 250],
    [2, 500],
    [5, 4_000],
    [7, 15_000],
    [10_000, 15_000],
  ])('after %i failures %i ms', (failures, expected) => expect(backOffMs(failures)).toBe(expected));
});

describe('settlingMs', () => {
  it.each([
    [0, 0],
    [0.9, 0],
    [2, 50],
    [4, 100],
    [400, 150],
  ])('after %d ms of work %d ms', (cost, expected) => expect(settlingMs(cost)).toBe(expected));
});

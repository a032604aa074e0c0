import { describe, expect, it } from 'vitest';
import { settlingMs } from '../../../src/inspector/settling.ts';

describe('settlingMs', () => {
  it.each([
    [0, 0],
    [0.9, 0],
    [2, 50],
    [4, 100],
    [400, 150],
  ])('after %d ms of work %d ms', (cost, expected) => expect(settlingMs(cost)).toBe(expected));
});

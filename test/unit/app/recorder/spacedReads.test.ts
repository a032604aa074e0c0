import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SpacedReads } from '../../../../src/app/recorder/spacedReads.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** How long each of so many reads waited, ms. @param everyMs how often something changes */
async function waits(reads: SpacedReads, count: number, everyMs: number): Promise<number[]> {
  const waited: number[] = [];
  for (let read = 0; read < count; read++) {
    const before = Date.now();
    const next = reads.next();
    await vi.advanceTimersToNextTimerAsync();
    await next;
    waited.push(Date.now() - before);
    vi.setSystemTime(Date.now() + everyMs);
  }
  return waited;
}

it('changes are read at once, until they have come one after the other for long', async () => {
  const reads = new SpacedReads(() => Date.now());
  expect(new Set(await waits(reads, 21, 5))).toEqual(new Set([0]));
  expect(new Set(await waits(reads, 180, 5))).toEqual(new Set([15]));
  expect(new Set(await waits(reads, 30, 5))).toEqual(new Set([45]));
  vi.setSystemTime(Date.now() + 1_000);
  expect(new Set(await waits(reads, 21, 5))).toEqual(new Set([0]));
  vi.setSystemTime(Date.now() + 1_000);
  expect(new Set(await waits(reads, 30, 150))).toEqual(new Set([0]));
});

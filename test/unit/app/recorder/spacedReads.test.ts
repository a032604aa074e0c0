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

it('changes are read at once, until they have come fast for long', async () => {
  const reads = new SpacedReads(() => Date.now());
  expect(new Set(await waits(reads, 100, 5))).toEqual(new Set([0]));
  expect((await waits(reads, 100, 5)).slice(-50)).toEqual(Array.from({ length: 50 }, () => 45));
});

it('changes that come 20 times a second are read at once', async () => {
  const reads = new SpacedReads(() => Date.now());
  await waits(reads, 200, 5);
  vi.setSystemTime(Date.now() + 1_000);
  expect(new Set(await waits(reads, 1_000, 50))).toEqual(new Set([0]));
});

it('a hundred are read at once again after a while', async () => {
  const reads = new SpacedReads(() => Date.now());
  await waits(reads, 200, 5);
  vi.setSystemTime(Date.now() + 5_000);
  expect(new Set(await waits(reads, 100, 5))).toEqual(new Set([0]));
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SpacedReads } from '../../../../src/app/recorder/spacedReads.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Changes of which each is noted when it comes, and read with all that came by then. @returns for each how long it waited, ms */
async function waits(reads: SpacedReads, count: number, everyMs: number): Promise<number[]> {
  const waited: number[] = [];
  const unread: number[] = [];
  let readers = 0;
  const readAll = async (): Promise<void> => {
    readers++;
    while (unread.length > 0) {
      await reads.next();
      for (const cameAt of unread.splice(0)) waited.push(Date.now() - cameAt);
    }
    readers--;
  };
  for (let change = 0; change < count; change++) {
    reads.note();
    unread.push(Date.now());
    if (readers === 0) void readAll();
    await vi.advanceTimersByTimeAsync(everyMs);
  }
  await vi.advanceTimersByTimeAsync(100);
  return waited;
}

it('changes are read at once, until they have come fast for long', async () => {
  const reads = new SpacedReads(() => Date.now());
  const waited = await waits(reads, 1_000, 2);
  expect(waited).toHaveLength(1_000);
  expect(Math.max(...waited.slice(0, 300))).toBe(0);
  expect(Math.max(...waited)).toBe(100);
  expect(waited.slice(-500).filter(ms => ms === 100)).toHaveLength(10);
});

it('changes that come 60 times a second are read at once, also after they have come fast', async () => {
  const reads = new SpacedReads(() => Date.now());
  expect(Math.max(...(await waits(reads, 2_000, 17)))).toBe(0);
  await waits(reads, 2_000, 2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(Math.max(...(await waits(reads, 2_000, 17)))).toBe(0);
});

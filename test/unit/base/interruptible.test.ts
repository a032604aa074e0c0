import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TurnClock } from '../../support/turnClock.ts';
import { atOnce, forEachInParts, inTurns, SharedTurns, type Interruptible } from '../../../src/base/interruptible.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Takes 3 ms for each part. */
function* counting(parts: number): Interruptible<number> {
  for (let part = 0; part < parts; part++) {
    vi.advanceTimersByTime(3);
    yield;
  }
  return parts;
}

describe('interruptible work', () => {
  it('has one result, with and without pauses', async () => {
    expect(atOnce(counting(10))).toBe(10);
    const inParts = inTurns(counting(10), () => true);
    await vi.runAllTimersAsync();
    expect(await inParts).toBe(10);
  });

  it('gives others their turn after some ms', async () => {
    let turns = 0;
    const other = (): void => {
      turns++;
      setImmediate(other);
    };
    setImmediate(other);
    const work = inTurns(counting(20), () => true);
    for (let turn = 0; turn < 30; turn++) await vi.advanceTimersToNextTimerAsync();
    expect(await work).toBe(20);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('ends in the turn in which it began when it is short', async () => {
    let isOver = false;
    void inTurns(counting(1), () => true).then(() => (isOver = true));
    await Promise.resolve();
    await Promise.resolve();
    expect(isOver).toBe(true);
  });

  it('leaves a turn of its own to what follows long work', async () => {
    const turns: string[] = [];
    function* long(): Interruptible<void> {
      yield* counting(3);
      setImmediate(() => turns.push('another'));
      return undefined;
    }
    const following = inTurns(long(), () => true).then(() => turns.push('following'));
    await vi.runAllTimersAsync();
    await following;
    expect(turns).toEqual(['another', 'following']);
  });

  it('stops when it is not wanted any more', async () => {
    const work = inTurns(counting(20), () => false);
    await vi.runAllTimersAsync();
    expect(await work).toBeUndefined();
  });

  it('throws what the work throws', async () => {
    function* failing(): Interruptible<void> {
      yield;
      throw new Error('broken');
    }
    await expect(inTurns(failing(), () => true)).rejects.toThrow('broken');
  });

  it('goes through a list in order, with pauses', () => {
    const all = Array.from({ length: 10_000 }, (_, at) => at);
    const seen: number[] = [];
    let pauses = 0;
    const work = forEachInParts(all, (each, at) => void seen.push(each + at));
    while (work.next().done !== true) pauses++;
    expect(seen).toEqual(all.map(each => 2 * each));
    expect(pauses).toBeGreaterThan(1);
  });
});

it('shares turns among pieces of work that follow each other without a pause', async () => {
  vi.useRealTimers();
  const turns = new SharedTurns();
  const clock = new TurnClock();
  const piece = async (): Promise<void> => {
    await turns.share();
    clock.work(1);
    await Promise.resolve();
    clock.work(1);
  };
  await Promise.all(Array.from({ length: 20 }, piece));
  for (let each = 0; each < 20; each++) await piece();
  clock.stop();
  expect(clock.longestTurnMs).toBeLessThanOrEqual(10);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReadPauses } from '../../../src/zookeeper/readPauses.ts';

let isPaused: boolean;
let pauses: ReadPauses;

beforeEach(() => {
  vi.useFakeTimers();
  isPaused = false;
  const socket = { pause: () => void (isPaused = true), resume: () => void (isPaused = false) };
  pauses = new ReadPauses(socket as never, () => Date.now());
});
afterEach(() => {
  vi.useRealTimers();
});

/** @returns how often the program was woken up @param perSecond frames that a server sends */
function flow(perSecond: number, ms: number, isAwaiting = false): number {
  let wakeUps = 0;
  let waiting = 0;
  for (let at = 0; at < ms; at++) {
    waiting += perSecond / 1_000;
    if (!isPaused && waiting >= 1) {
      wakeUps++;
      pauses.noteFrames(Math.floor(waiting), isAwaiting);
      waiting %= 1;
    }
    vi.advanceTimersByTime(1);
  }
  return wakeUps;
}

it('what comes fast is read together, after a burst', () => {
  expect(flow(500, 1_000)).toBe(500);
  flow(500, 1_000);
  expect(flow(500, 10_000)).toBeLessThan(105);
});

it('what comes slowly is read at once, also after it has come fast', () => {
  expect(flow(110, 10_000)).toBeGreaterThan(1_090);
  flow(500, 10_000);
  vi.advanceTimersByTime(10_000);
  expect(flow(110, 10_000)).toBeGreaterThan(1_090);
});

it('nothing is left unread while something is awaited', () => {
  flow(500, 5_000);
  pauses.end();
  expect(isPaused).toBe(false);
  expect(flow(500, 1_000, true)).toBe(500);
});

it('no timer is left of a connection that is over', () => {
  flow(500, 5_000);
  pauses.noteFrames(1_000, false);
  pauses.dispose();
  expect(vi.getTimerCount()).toBe(0);
});

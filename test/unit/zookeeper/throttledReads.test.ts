import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ZooKeeperError } from '../../../src/zookeeper/errors.ts';
import { untilTaken } from '../../../src/zookeeper/throttledReads.ts';

const throttled = new ZooKeeperError(-127, 'exists', '/a');
const clock = (): number => performance.now();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('sends a read again, with growing pauses, until the server takes it', async () => {
  const sentAt: number[] = [];
  const reading = untilTaken(
    throttled,
    () => (sentAt.push(clock()) < 6 ? Promise.reject(throttled) : Promise.resolve('read')),
    10_000,
    clock,
  );
  await vi.runAllTimersAsync();
  expect(await reading).toBe('read');
  const pauses = sentAt.slice(1).map((at, index) => at - sentAt[index]!);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(sentAt[0]).toBeGreaterThanOrEqual(10);
  expect(pauses[0]).toBeGreaterThanOrEqual(10);
});

it('reports the refusal when the time is over', async () => {
  let sent = 0;
  const reading = untilTaken(throttled, () => Promise.reject(((sent += 1), throttled)), 3_000, clock);
  const end = expect(reading).rejects.toBe(throttled);
  await vi.runAllTimersAsync();
  await end;
  expect(sent).toBeLessThan(15);
  expect(clock()).toBeLessThanOrEqual(3_000);
});

it('reports any other answer at once', async () => {
  const noNode = new ZooKeeperError(-101, 'exists', '/a');
  const never = vi.fn(() => Promise.resolve('read'));
  await expect(untilTaken(noNode, never, 3_000, clock)).rejects.toBe(noNode);
  expect(never).not.toHaveBeenCalled();
});

import { expect, it } from 'vitest';
import { WatchFrameLimit } from '../../../src/zookeeper/watchFrameLimit.ts';

const frame = (bytes: number) => Buffer.alloc(bytes);

it('halves what the server did not answer, down to a floor, and keeps what it answered', () => {
  const limit = new WatchFrameLimit();
  expect(limit.bytes).toBe(128 * 1024);
  limit.sent([frame(30_000), frame(9_000)]);
  expect(limit.ended(true)).toBe(30_000);
  expect(limit.bytes).toBe(15_000);
  limit.sent([frame(15_000), frame(15_000), frame(9_000)]);
  for (let answers = 0; answers < 3; answers++) limit.answered();
  expect(limit.ended(true)).toBeUndefined();
  expect(limit.bytes).toBe(15_000);
  for (let connections = 0; connections < 3; connections++) {
    limit.sent([frame(limit.bytes)]);
    limit.ended(true);
  }
  expect(limit.bytes).toBe(4 * 1024);
  limit.sent([frame(limit.bytes)]);
  expect(limit.ended(true)).toBeUndefined();
});

it('learns nothing from a connection that the server did not close', () => {
  const limit = new WatchFrameLimit();
  limit.sent([frame(30_000)]);
  expect(limit.ended(false)).toBeUndefined();
  // What was unanswered on one connection does not count on the next.
  expect(limit.ended(true)).toBeUndefined();
  expect(limit.bytes).toBe(128 * 1024);
});

/**
 * The pause before the next attempt after `failures` failures in a row: doubles from `firstMs`, up to `longestMs`.
 *
 * @param failures 1 or more
 */
export function backOffMs(failures: number, firstMs = 250, longestMs = 15_000): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
}

/**
 * The pause before the queues are worked out again, so that a queue that changes all the time keeps some four percent of a
 * core busy and is still told within 200 ms. A short queue is worked out at once, after every burst of events.
 *
 * @param lastCostMs what it took the last time, the listener's own work included
 */
export function settlingMs(lastCostMs: number): number {
  return lastCostMs < 1 ? 0 : Math.min(150, lastCostMs * 25);
}

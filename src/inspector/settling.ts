/**
 * The pause before the queues are worked out again, so that a queue that changes all the time keeps some four percent of a
 * core busy and is still told within 200 ms. A short queue is worked out at once, after every burst of events.
 *
 * @param lastCostMs what it took the last time, the listener's own work included
 */
export function settlingMs(lastCostMs: number): number {
  return lastCostMs < 1 ? 0 : Math.min(150, lastCostMs * 25);
}

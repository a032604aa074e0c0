import { backOffMs } from '../base/backOff.ts';
import { Deadline, type MonotonicClock } from '../base/deadline.ts';
import { isZooKeeperError } from './errors.ts';

const pauses = { firstMs: 20, longestMs: 1_000, spread: 0.5 };

/**
 * Sends a read that failed again until the server takes it. An overloaded server answers THROTTLED_OP and does nothing
 * (RequestThrottler.java, 3.7+).
 *
 * @param why the first failure
 * @param limitMs how long it is sent again, with growing pauses
 * @throws the last refusal, or another failure
 */
export async function untilTaken<T>(
  why: unknown,
  send: () => Promise<T>,
  limitMs: number,
  clock: MonotonicClock,
): Promise<T> {
  const deadline = new Deadline(limitMs, clock);
  for (let refusals = 1; ; refusals++) {
    const pauseMs = backOffMs(refusals, pauses);
    if (!isZooKeeperError(why, 'THROTTLED_OP') || deadline.remainingMs < pauseMs) throw why;
    await new Promise(resolve => setTimeout(resolve, pauseMs));
    try {
      return await send();
    } catch (error) {
      why = error;
    }
  }
}

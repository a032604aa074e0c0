import { Deadline, monotonicNow, type MonotonicClock } from './deadline.ts';
import { toDisposable, type Disposable } from './disposable.ts';

/** On Linux a timer stands still while the machine sleeps and the clock goes on, so a long one checks the clock this often, ms. */
const lookEveryMs = 10_000;

/** Calls back once after `ms`, unless disposed before; at most 10 s later when the machine slept meanwhile. */
export function callLater(callback: () => void, ms: number, clock: MonotonicClock = monotonicNow): Disposable {
  const deadline = new Deadline(ms, clock);
  const look = (leftMs: number): NodeJS.Timeout =>
    leftMs <= lookEveryMs
      ? setTimeout(callback, leftMs)
      : setTimeout(() => (timer = look(Math.ceil(deadline.remainingMs))), lookEveryMs);
  let timer = look(ms);
  return toDisposable(() => {
    clearTimeout(timer);
  });
}

/** Calls back every `ms` until disposed. */
export function callEvery(callback: () => void, ms: number): Disposable {
  const timer = setInterval(callback, ms);
  return toDisposable(() => {
    clearInterval(timer);
  });
}

import { toDisposable, type Disposable } from '../base/disposable.ts';

/** Calls back once after `ms`, unless disposed before. */
export function callLater(callback: () => void, ms: number): Disposable {
  const timer = setTimeout(callback, ms);
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

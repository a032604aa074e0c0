import { expect, it } from 'vitest';
import { unlessAborted } from '../../../src/base/unlessAborted.ts';

const reason = () => new Error('cancelled');

/** A signal that counts who listens to it. */
function countedSignal(): { abort: AbortController; listeners: () => number } {
  const abort = new AbortController();
  const { signal } = abort;
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    count++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    count--;
    remove(...args);
  };
  return { abort, listeners: () => count };
}

it('gives the result of the work and stops listening', async () => {
  const { abort, listeners } = countedSignal();
  expect(await unlessAborted(Promise.resolve(1), abort.signal, reason)).toBe(1);
  expect(listeners()).toBe(0);
});

it('ends at once when the signal aborts, and stops listening', async () => {
  const { abort, listeners } = countedSignal();
  const waiting = unlessAborted(new Promise(() => undefined), abort.signal, reason);
  abort.abort();
  await expect(waiting).rejects.toThrow('cancelled');
  expect(listeners()).toBe(0);
});

it('ends at once with a signal that is aborted already, whatever the work says', async () => {
  await expect(unlessAborted(Promise.resolve(1), AbortSignal.abort(), reason)).rejects.toThrow('cancelled');
  await expect(unlessAborted(Promise.reject(new Error('late')), AbortSignal.abort(), reason)).rejects.toThrow(
    'cancelled',
  );
});

it('passes on what the work throws, and works without a signal', async () => {
  await expect(unlessAborted(Promise.reject(new Error('no')), undefined, reason)).rejects.toThrow('no');
});

import { expect, it, vi } from 'vitest';
import { LateSignal } from '../../../src/base/lateSignal.ts';

it('aborts the signal that was asked for before, once', () => {
  const late = new LateSignal();
  const { signal } = late;
  const aborted = vi.fn();
  signal.addEventListener('abort', aborted);
  expect(signal.aborted).toBe(false);
  late.abort('first');
  late.abort('second');
  expect(aborted).toHaveBeenCalledOnce();
  expect(signal.reason).toBe('first');
  expect(late.signal).toBe(signal);
});

it('makes an aborted signal when it is asked for after the abort', () => {
  const late = new LateSignal();
  late.abort();
  expect(late.signal.aborted).toBe(true);
  expect(late.signal.reason).toHaveProperty('name', 'AbortError');
  expect(late.signal).toBe(late.signal);
});

import type { SourceOutcome } from './ownerFacts.ts';

/** How long a question may take. */
export interface Limits {
  /** ms for one question, from the connection attempt to the end of the answer; default 5,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Why there is no answer. */
export interface Failure {
  outcome: Exclude<SourceOutcome, 'ok'>;
  /** Foreign text; absent if there is nothing to add. */
  detail?: string;
}

const defaultTimeoutMs = 5_000;

/** Never rejects: the result says what went wrong. @param ask must end when the signal is aborted */
export async function withinLimits<T>(limits: Limits, ask: (signal: AbortSignal) => Promise<T>): Promise<T | Failure> {
  const timeoutMs = limits.timeoutMs ?? defaultTimeoutMs;
  const isCancelled = (): boolean => limits.signal?.aborted === true;
  if (isCancelled()) return { outcome: 'not-attempted' };
  // A signal of its own, and a timer that ends with the answer: `AbortSignal.timeout` would go on, and end in an error with its stack.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const signal = limits.signal === undefined ? timeout.signal : AbortSignal.any([limits.signal, timeout.signal]);
  try {
    return await ask(signal);
  } catch (error) {
    if (isCancelled()) return { outcome: 'not-attempted' };
    if (timeout.signal.aborted) return { outcome: 'timeout', detail: `no answer within ${timeoutMs} ms` };
    return { outcome: 'unreachable', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

import type { Readable } from 'node:stream';
import type { SourceOutcome } from './ownerFacts.ts';

/** How much of an answer is read, and how long one question may take. */
export interface AnswerLimits {
  /** Default 8 MB. */
  maxBytes?: number;
  /** ms for one question, from dialling to the end of the answer; default 5,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** An answer as text, or why there is none. */
export type Answer = { outcome: 'ok'; text: string } | { outcome: Exclude<SourceOutcome, 'ok'>; detail: string };

export const defaultMaxBytes = 8 * 1024 * 1024;
export const defaultTimeoutMs = 5_000;

/**
 * Collects what a server sends until it ends, errs, or is more than is read. A stream that never ends is left at the limit.
 *
 * @returns `undefined` for more than `maxBytes`
 */
export async function collect(stream: Readable, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the stream.
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Runs one question under its limits.
 *
 * @param ask must end when the signal is aborted
 */
export async function limited(limits: AnswerLimits, ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const timeoutMs = limits.timeoutMs ?? defaultTimeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = limits.signal === undefined ? timeout : AbortSignal.any([limits.signal, timeout]);
  const isCancelled = (): boolean => limits.signal?.aborted === true;
  if (isCancelled()) return { outcome: 'not-attempted', detail: '' };
  try {
    return await ask(signal);
  } catch (error) {
    if (isCancelled()) return { outcome: 'not-attempted', detail: '' };
    if (timeout.aborted) return { outcome: 'timeout', detail: `no answer within ${timeoutMs} ms` };
    return { outcome: 'unreachable', detail: error instanceof Error ? error.message : String(error) };
  }
}

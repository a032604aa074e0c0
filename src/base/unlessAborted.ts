/**
 * Waits for work that cannot be interrupted, but no longer than until the signal aborts. The work goes on; its outcome is then dropped.
 *
 * @param reason makes the error to throw when the signal aborts
 * @throws what the work throws; `reason()` at once when the signal is or becomes aborted
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  reason: () => Error,
): Promise<T> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(reason());
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    // The abort comes first: work that ended in the same moment counts as aborted.
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Work that is done once: all calls get the promise of the first one, and a call after a failed attempt tries again. */
export function onceDone<T>(work: () => Promise<T>): () => Promise<T> {
  let attempt: Promise<T> | undefined;
  const tryAgain = (error: unknown): never => {
    attempt = undefined;
    throw error;
  };
  return () => (attempt ??= work().catch(tryAgain));
}

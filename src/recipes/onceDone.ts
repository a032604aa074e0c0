/** Work that is done once: who asks meanwhile shares the attempt, after one that failed the next call tries again. */
export function onceDone(work: () => Promise<void>): () => Promise<void> {
  let attempt: Promise<void> | undefined;
  const tryAgain = (error: unknown): never => {
    attempt = undefined;
    throw error;
  };
  return () => (attempt ??= work().catch(tryAgain));
}

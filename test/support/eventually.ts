/**
 * Retries an assertion until it holds; rethrows the last failure at the deadline.
 *
 * @param timeoutMs default 10 s
 */
export async function eventually<T>(assertion: () => T | Promise<T>, timeoutMs = 10_000, everyMs = 20): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise(resolve => setTimeout(resolve, everyMs));
    }
  }
}

/**
 * The pause before the next attempt after `failures` failures in a row: doubles from `firstMs`, up to `longestMs`.
 *
 * @param failures 1 or more
 */
export function backOffMs(failures: number, firstMs = 250, longestMs = 15_000): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
}

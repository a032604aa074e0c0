const firstMs = 500;
const longestMs = 30_000;

/** A session that lived this long was a good one: the next loss starts again with the shortest delay. */
export const stableAfterMs = 30_000;

/**
 * How long to wait before the next attempt: doubles from 0.5 s to 30 s, spread by half so that many windows do not knock
 * at the same moment.
 *
 * @param failures attempts that failed since the last good session
 * @param random in [0, 1)
 */
export function nextRetryDelay(failures: number, random: () => number = Math.random): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 16));
  return full / 2 + (random() * full) / 2;
}

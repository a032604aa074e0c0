/** How pauses between attempts grow. */
export interface BackOff {
  /** Default 250 ms. */
  firstMs?: number;
  /** Each pause is so many times the one before. Default 2. */
  growth?: number;
  /** Default 15,000 ms. */
  longestMs?: number;
  /** Random part of each pause, 0 to 1, so that many clients do not come back in the same moment. Default 0. */
  spread?: number;
  /** In [0, 1). */
  random?: () => number;
}

/**
 * The pause before the next attempt, in ms: grows from `firstMs` up to `longestMs`, and is at most `spread` of itself shorter.
 *
 * @param failures failed attempts in a row, 1 or more
 */
export function backOffMs(failures: number, options: BackOff = {}): number {
  const { firstMs = 250, growth = 2, longestMs = 15_000, spread = 0, random = Math.random } = options;
  const full = Math.min(longestMs, firstMs * growth ** Math.min(failures - 1, 30));
  return full * (1 - spread + spread * random());
}

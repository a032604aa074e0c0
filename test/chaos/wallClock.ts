const monotonicNow = (): number => Number(process.hrtime.bigint()) / 1e6;

/**
 * Compares the wall clock with the machine's monotonic one. A busy machine may stop this program between two readings, and the wall
 * clock has whole milliseconds: each pair of readings gives a limit, and many pairs together the narrowest.
 *
 * @returns what to add to the monotonic clock to get epoch milliseconds, at most
 */
export function mostWallOffset(): number {
  let most = Infinity;
  const end = monotonicNow() + 20;
  for (let before = monotonicNow(); before < end; before = monotonicNow()) {
    most = Math.min(most, Date.now() + 1 - before);
  }
  return most;
}

import type { Contender, HeldSince } from '../../locks/lockQueue.ts';

/** What its age is counted from, by the clock of this machine. */
export function localTimes(
  { createdAt, heldSince }: Contender,
  aheadMs: number,
): {
  createdAt: number;
  heldSince?: HeldSince;
} {
  if (heldSince === undefined) return { createdAt: createdAt + aheadMs };
  const { earliest, latest } = heldSince;
  const until = latest === undefined ? {} : { latest: latest + aheadMs };
  return { createdAt: createdAt + aheadMs, heldSince: { earliest: earliest + aheadMs, ...until } };
}

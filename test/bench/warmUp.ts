import type { Bench } from './bench.ts';

/** A participant that takes locks. */
export interface Taking {
  name: string;
  /** Takes one so many times. @returns ms */
  take: (times: number) => Promise<number>;
}

/**
 * Lets participants take locks, side by side and unmeasured, until their times hardly fall any more. Before that a ratio of two programs
 * says more of their compilers than of them.
 *
 * @param times how often each takes one, by name; one that has no compiler and no entry takes one
 */
export async function warmUp(
  { options }: Bench,
  participants: readonly Taking[],
  times: Readonly<Partial<Record<string, number>>>,
): Promise<void> {
  await Promise.all(participants.map(({ name, take }) => take(options.quick ? 2 : (times[name] ?? 1))));
}

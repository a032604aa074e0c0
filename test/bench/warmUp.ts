import type { Bench } from './bench.ts';

/** A participant that takes locks. */
export interface Taking {
  name: string;
  /** Takes one so many times. @returns ms */
  take: (times: number) => Promise<number>;
}

/**
 * Lets participants take locks, side by side and unmeasured, until they are as fast as they become. Before that a ratio of two programs
 * says more of their compilers than of them.
 *
 * @param times after which the times of a participant fall no more; once for those that have no compiler
 */
export async function warmUp(
  { options }: Bench,
  participants: readonly Taking[],
  times: Readonly<Partial<Record<string, number>>>,
): Promise<void> {
  await Promise.all(participants.map(({ name, take }) => take(options.quick ? 2 : (times[name] ?? 1))));
}

import type { Hold } from './hold.ts';

/**
 * The hand-overs between the holds of one lock.
 *
 * A hold that is seen to end frees a place; the next hold that begins takes the place that was freed last, and that is a
 * hand-over. So each end is followed by one begin at most, whether both were seen in one look or one after the other.
 *
 * - A semaphore has one place per lease.
 * - Any other lock is a single place, free when the last holder is gone. A reader that begins while others hold joins them
 *   and takes over from none; of many readers after a writer the first one takes over.
 */
export class HandOvers {
  count = 0;
  /** When the places were freed that are still free, epoch ms, oldest first. */
  private freed: number[] = [];

  /**
   * A hold was seen to begin.
   *
   * @param isHeld whether others hold
   * @returns for how many ms the place was free; `undefined` if the hold took over from none
   */
  begin({ kind, from }: Hold, isHeld: boolean): number | undefined {
    if (kind === 'read' && isHeld) return undefined;
    const freeSince = this.freed.pop();
    if (freeSince === undefined) return undefined;
    this.count++;
    return from.time - freeSince;
  }

  /** A hold was seen to end. @param at epoch ms */
  end({ kind }: Hold, at: number): void {
    if (kind !== 'lease') this.freed = [];
    this.freed.push(at);
  }

  /** What happens from now on is not seen, so no later hold takes over from one that ended before. */
  interrupt(): void {
    this.freed = [];
  }
}

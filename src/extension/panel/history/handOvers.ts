import type { ContenderKind } from '../../../protocol.ts';

/**
 * Which hold takes over from which.
 *
 * A hold that is seen to end leaves a place free; one that begins takes the place that became free last, and that is a
 * hand-over. So each end is followed by one beginning at most, whether both were seen in one look or one after the other.
 *
 * - A semaphore has a place for each lease.
 * - Any other lock is a single place: it is free when the last holder is gone. Readers who begin while others hold join them
 *   and take over from nobody; so of many readers after a writer the first takes over.
 */
export class HandOvers {
  private counted = 0;
  /** When the places became free that nobody has taken since, oldest first. */
  private freed: number[] = [];

  get count(): number {
    return this.counted;
  }

  end(kind: ContenderKind, at: number): void {
    if (kind !== 'lease') this.freed = [];
    this.freed.push(at);
  }

  /** @returns since when the place was free; `undefined` if it was taken over from nobody */
  begin(kind: ContenderKind, isHeld: boolean): number | undefined {
    if (kind === 'read' && isHeld) return undefined;
    const freeSince = this.freed.pop();
    if (freeSince !== undefined) this.counted++;
    return freeSince;
  }

  /** What happens meanwhile is not seen: nobody takes over from those who went before. */
  interrupt(): void {
    this.freed = [];
  }

  clear(): void {
    this.counted = 0;
    this.freed = [];
  }
}

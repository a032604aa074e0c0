import type { Contender } from '../locks/lockQueue.ts';

const newestKept = 100;

/** A hold as it was watched, moments in epoch ms. */
export interface SeenHold {
  contender: Contender;
  from: number;
  /** It had begun before watching began, so `from` is only the first look. */
  isFromBefore: boolean;
  /** Absent: it still holds. */
  until?: number;
  /** Ms without any holder before this hold; absent for the first hold and after a time that was not watched. */
  gapMs?: number;
}

/**
 * The holds of one lock: all open ones and the newest of the others, with the hand-overs between them.
 *
 * A hold that is seen to end frees a place; the next hold that begins takes the place that was freed last, and that is a
 * hand-over. So each end is followed by one begin at most, whether both were seen in one look or one after the other.
 *
 * - A semaphore has one place per lease.
 * - Any other lock is a single place, free when the last holder is gone. A reader that begins while others hold joins them
 *   and takes over from none; of many readers after a writer the first one takes over.
 */
export class SeenHolds {
  handOvers = 0;
  private readonly lasting = new Map<string, SeenHold>();
  private newest: SeenHold[] = [];
  /** When the places were freed that are still free, oldest first. */
  private freed: number[] = [];

  /** Open holds, oldest first. */
  get open(): Iterable<SeenHold> {
    return this.lasting.values();
  }

  /** The newest holds, and before them up to `olderLimit` open ones that are older; `leftOut` counts the rest of those. */
  shown(olderLimit: number): { holds: SeenHold[]; leftOut: number } {
    const newest = new Set(this.newest);
    const older = [...this.lasting.values()].filter(hold => !newest.has(hold));
    const shown = older.slice(0, olderLimit);
    return { holds: [...shown, ...newest], leftOut: older.length - shown.length };
  }

  isOpen({ path }: Contender): boolean {
    return this.lasting.has(path);
  }

  /**
   * @param wasSeen whether the begin itself was seen; if not, the contender held already at the first look
   * @returns for how many ms the place was free; `undefined` if the hold took over from none
   */
  begin(contender: Contender, at: number, wasSeen: boolean): number | undefined {
    const isHeld = this.lasting.size > 0;
    const gapMs = wasSeen ? this.takeOver(contender.kind, at, isHeld) : undefined;
    const hold: SeenHold = { contender, from: at, isFromBefore: !wasSeen };
    if (gapMs !== undefined && !isHeld) hold.gapMs = gapMs;
    this.lasting.set(contender.path, hold);
    this.newest.push(hold);
    if (this.newest.length > newestKept) this.newest.shift();
    return gapMs;
  }

  /** @param wasSeen whether the end itself was seen; if not, it came after `until` and no hold takes over */
  end(hold: SeenHold, until: number, wasSeen: boolean): void {
    hold.until = until;
    this.lasting.delete(hold.contender.path);
    if (!wasSeen) return;
    if (hold.contender.kind !== 'lease') this.freed = [];
    this.freed.push(until);
  }

  /** What happens from now on is not seen, so no later hold takes over from one that ended before. */
  interrupt(): void {
    this.freed = [];
  }

  private takeOver(kind: Contender['kind'], at: number, isHeld: boolean): number | undefined {
    if (kind === 'read' && isHeld) return undefined;
    const freeSince = this.freed.pop();
    if (freeSince === undefined) return undefined;
    this.handOvers++;
    return at - freeSince;
  }
}

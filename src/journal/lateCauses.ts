import type { EndCause, Hold, Wait } from '../history/hold.ts';
import type { Present } from '../history/lockHistory.ts';

/** So many ended places wait for their causes. */
const mostPending = 10_000;
/** So many more, until the oldest go together: going past those that went before takes time. */
const surplus = 1_000;

/** The contenders that are gone and whose cause may still come: servers are asked for it after the fact. */
export class LateCauses {
  private readonly pending = new Map<string, Hold | Wait>();

  /** A contender has ended. @param path of its node */
  noteEnd(path: string, { contender, hold, wait }: Present): void {
    const open = hold ?? wait;
    if (open?.ended !== 'unknown') return;
    this.pending.set(keyOf(path, contender.czxid), open);
    if (this.pending.size <= mostPending + surplus) return;
    for (const oldest of this.pending.keys()) {
      if (this.pending.size <= mostPending) return;
      this.pending.delete(oldest);
    }
  }

  /** What the servers proved of the end of a contender. One that is not known changes nothing. */
  settle({ path, czxid, ended, endedBy }: { path: string; czxid: bigint; ended: EndCause; endedBy?: bigint }): void {
    const key = keyOf(path, czxid);
    const open = this.pending.get(key);
    this.pending.delete(key);
    // It may have gone on behind a gap.
    if (open?.ended !== 'unknown') return;
    open.ended = ended;
    if (endedBy !== undefined) open.endedBy = endedBy;
  }
}

function keyOf(path: string, czxid: bigint): string {
  return `${czxid} ${path}`;
}

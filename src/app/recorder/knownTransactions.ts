const keptTransactions = 20_000;
const prunedAtOnce = 5_000;
/** More than that are not gone through for one question. */
const longestSpan = 2_000n;

/**
 * What is known of single transactions, to find out which of them can have ended a session: one that created or wrote a node did not, nor
 * one that deleted a node of another session.
 */
export class KnownTransactions {
  /** By zxid: the owner of a node that it deleted, or `undefined` if it ended no session at all. */
  private readonly known = new Map<bigint, bigint | undefined>();

  /** @param zxid of a transaction that created or wrote a node, or deleted one without an owner */
  note(zxid: bigint): void {
    this.known.set(zxid, undefined);
    this.prune();
  }

  /** @param owner of a node that it deleted, not 0n */
  noteDeletion(zxid: bigint, owner: bigint): void {
    if (!this.known.has(zxid)) this.known.set(zxid, owner);
    else if (this.known.get(zxid) !== owner) this.known.set(zxid, undefined);
    this.prune();
  }

  /** Whether at most one transaction of (after, to] can have ended that session. */
  canBeOneOnly(after: bigint, to: bigint, session: bigint): boolean {
    if (to - after > longestSpan) return false;
    let possible = 0;
    for (let zxid = after + 1n; zxid <= to && possible < 2; zxid++) {
      if (!this.known.has(zxid) || this.known.get(zxid) === session) possible++;
    }
    return possible <= 1;
  }

  clear(): void {
    this.known.clear();
  }

  /** Many at once: a map finds its first key the slower the more were deleted before it. */
  private prune(): void {
    if (this.known.size <= keptTransactions + prunedAtOnce) return;
    for (const zxid of this.known.keys()) {
      if (this.known.size <= keptTransactions) return;
      this.known.delete(zxid);
    }
  }
}

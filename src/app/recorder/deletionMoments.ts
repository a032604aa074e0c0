import type { Moment } from '../../history/hold.ts';

interface Former {
  /** Exact; `undefined`: not known. */
  zxid: bigint | undefined;
  /** 0n: it says nothing of the next one. */
  owner: bigint;
  at: Moment;
}

/**
 * Which deletions have one moment. All nodes of a session that ends go in one transaction, and none of them gets a lock in between. Where
 * the transaction is not known, those that follow each other and are of one session are taken for that.
 */
export class DeletionMoments {
  private former: Former | undefined;

  /** @returns the moment of the deletion before, if this one has the same */
  shared(zxid: bigint | undefined, owner: bigint): Moment | undefined {
    const { former } = this;
    if (former === undefined) return undefined;
    const isExact = zxid !== undefined && former.zxid !== undefined;
    const isSame = isExact ? zxid === former.zxid : owner !== 0n && owner === former.owner;
    return isSame ? former.at : undefined;
  }

  /** A deletion was passed on. */
  note(zxid: bigint | undefined, owner: bigint, at: Moment): void {
    const isShared = this.former?.at === at;
    this.former = { zxid: zxid ?? (isShared ? this.former?.zxid : undefined), owner, at };
  }

  /** Something else may have happened: only the very transaction counts. */
  interrupt(): void {
    if (this.former !== undefined) this.former.owner = 0n;
  }
}

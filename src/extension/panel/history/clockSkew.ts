import type { Contender } from '../../../locks/lockQueue.ts';

/**
 * How far this machine's clock is ahead of the cluster's, told by nodes that are seen to come: the smallest difference
 * between the moment of seeing and the server's time of creation. It contains the shortest delay of an event, a few ms.
 * New nodes are known by their czxid, which only grows.
 */
export class ClockSkew {
  private newest = 0n;
  private smallest = Number.POSITIVE_INFINITY;

  /** @param isContinuous whether every change since the last call was seen */
  note(contenders: readonly Contender[], at: number, isContinuous: boolean): void {
    let { newest } = this;
    for (const { czxid, createdAt } of contenders) {
      if (czxid <= this.newest) continue;
      if (isContinuous) this.smallest = Math.min(this.smallest, at - createdAt);
      if (czxid > newest) newest = czxid;
    }
    this.newest = newest;
  }

  /** From the creation of a node until now by one clock, in ms. Before any node was seen to come, clocks count as equal. */
  since({ createdAt }: Contender, at: number): number {
    return Math.max(0, at - createdAt - (Number.isFinite(this.smallest) ? this.smallest : 0));
  }
}

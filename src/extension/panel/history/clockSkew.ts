import type { Contender } from '../../../locks/lockQueue.ts';

/** The cluster's clock changes with its leader, so old arrivals tell nothing; some are needed for one that was seen at once. */
const arrivalsKept = 10;

/**
 * How far this machine's clock is ahead of the cluster's, told by nodes that are seen to come: the smallest difference
 * between the moment of seeing and the server's time of creation, of the newest ones. It contains the shortest delay of an
 * event, a few ms. New nodes are known by their czxid, which only grows.
 */
export class ClockSkew {
  private newest = 0n;
  private arrivals: number[] = [];
  private known = 0;

  /** @param isContinuous whether every change since the last call was seen; if not, the clock is learnt anew */
  note(contenders: readonly Contender[], at: number, isContinuous: boolean): void {
    let { newest } = this;
    if (!isContinuous) this.arrivals = [];
    for (const { czxid, createdAt } of contenders) {
      if (czxid <= this.newest) continue;
      if (isContinuous) this.learn(at - createdAt);
      if (czxid > newest) newest = czxid;
    }
    this.newest = newest;
  }

  /** From the creation of a node until now by one clock, in ms. Before any node was seen to come, clocks count as equal. */
  since({ createdAt }: Contender, at: number): number {
    return Math.max(0, at - createdAt - this.known);
  }

  private learn(difference: number): void {
    this.arrivals.push(difference);
    if (this.arrivals.length > arrivalsKept) this.arrivals.shift();
    this.known = Math.min(...this.arrivals);
  }
}

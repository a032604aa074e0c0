import type { Contender } from '../locks/lockQueue.ts';

/** The two clocks of a machine, in ms. */
export interface WallAndSteadyClock {
  /** Epoch ms. It may be set at any time. */
  now(): number;
  /** Monotonic. */
  monotonicNow(): number;
}

/** A smaller difference between the clocks comes from slewing, or from reading one after the other, not from setting the clock. */
const leastStepMs = 1_000;

/**
 * The time of a history. It runs with the monotonic clock, so spans and order stay right when the wall clock is set. It starts
 * at the wall clock's time; `step` converts its moments to the wall clock as it is set now.
 */
export class HistoryClock {
  private readonly clocks: WallAndSteadyClock;
  private readonly ahead: number;
  private lastStep = 0;

  constructor(clocks: WallAndSteadyClock) {
    this.clocks = clocks;
    this.ahead = clocks.now() - clocks.monotonicNow();
  }

  now(): number {
    return Math.round(this.clocks.monotonicNow() + this.ahead);
  }

  /** How far the wall clock was set since the start, in ms: add it to a moment of this clock before showing it. */
  get step(): number {
    const step = this.clocks.now() - this.now();
    if (Math.abs(step - this.lastStep) >= leastStepMs) this.lastStep = step;
    return this.lastStep;
  }
}

/** A new leader brings another clock, so old samples must go; a few are needed to contain one event that came without delay. */
const samplesKept = 10;

/**
 * How far this machine's clock is ahead of the cluster's: the smallest difference between the arrival of a new node's event and
 * the node's creation time, over the newest nodes. It includes the shortest delay of an event, a few ms. A node is new if its
 * czxid is greater than all before.
 */
export class ClockSkew {
  private newest = 0n;
  private samples: number[] = [];
  private aheadMs = 0;

  /** @param isContinuous whether every change since the last call was seen; if not, all samples are dropped */
  note(contenders: readonly Contender[], at: number, isContinuous: boolean): void {
    let { newest } = this;
    if (!isContinuous) this.samples = [];
    for (const { czxid, createdAt } of contenders) {
      if (czxid <= this.newest) continue;
      if (isContinuous) this.learn(at - createdAt);
      if (czxid > newest) newest = czxid;
    }
    this.newest = newest;
  }

  /** Ms from the creation of the node until `at`, corrected by the skew. Without a sample the clocks count as equal. */
  since({ createdAt }: Contender, at: number): number {
    return Math.max(0, at - createdAt - this.aheadMs);
  }

  private learn(difference: number): void {
    this.samples.push(difference);
    if (this.samples.length > samplesKept) this.samples.shift();
    this.aheadMs = Math.min(...this.samples);
  }
}

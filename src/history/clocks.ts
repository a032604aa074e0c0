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
 * The clock of a cluster, from the events of new nodes: a node's creation time is the server's, its event arrives a few ms later.
 * It runs with this machine's monotonic clock, so setting the wall clock changes nothing. Before the first such event it is the wall
 * clock, but never behind the newest creation time that was read.
 *
 * A new leader brings another clock: after a gap only new events count, and until there is one the last known difference.
 */
export class ServerClock {
  private readonly clocks: WallAndSteadyClock;
  private newest = 0n;
  private samples: number[] = [];
  /** The server's time less the monotonic one. Each event is late, so the greatest is the best. */
  private offset: number | undefined;
  /** The server's time less the monotonic one is this at least: no node is older than its own creation. */
  private floor = -Infinity;

  constructor(clocks: WallAndSteadyClock) {
    this.clocks = clocks;
  }

  /** The server's time less the monotonic one, ms, as far as it is known. */
  get base(): number {
    return this.offset ?? Math.max(this.clocks.now() - this.clocks.monotonicNow(), this.floor);
  }

  /** How far this machine's wall clock is ahead, ms; 0 while that is not known. */
  get aheadMs(): number {
    return Math.round(this.clocks.now() - this.clocks.monotonicNow() - this.base);
  }

  /** Now, ms of the monotonic clock. */
  get steady(): number {
    return this.clocks.monotonicNow();
  }

  /** Ms until now since a moment of the server's clock, never negative. @param at epoch ms */
  since(at: number): number {
    return Math.max(0, Math.round(this.steady + this.base - at));
  }

  /**
   * @param contenders those that may be new: the rest of a lock need not be given again
   * @param isContinuous whether every change of their lock was seen: only then are new ones new
   */
  note(contenders: readonly Pick<Contender, 'czxid' | 'createdAt'>[], isContinuous: boolean): void {
    let { newest } = this;
    const now = this.steady;
    for (const { czxid, createdAt } of contenders) {
      if (czxid <= this.newest) continue;
      this.floor = Math.max(this.floor, createdAt - now);
      if (isContinuous) this.learn(createdAt - now);
      if (czxid > newest) newest = czxid;
    }
    this.newest = newest;
  }

  /** What comes may be from another leader. */
  restart(): void {
    this.samples = [];
    this.newest = 0n;
    this.floor = -Infinity;
  }

  /** What comes may be of another cluster. */
  clear(): void {
    this.restart();
    this.offset = undefined;
  }

  private learn(difference: number): void {
    this.samples.push(difference);
    if (this.samples.length > samplesKept) this.samples.shift();
    this.offset = Math.max(...this.samples);
  }
}

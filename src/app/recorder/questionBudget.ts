import type { MonotonicClock } from '../../base/deadline.ts';

interface Bucket {
  left: number;
  at: number;
}

const minuteMs = 60_000;

/** How many questions servers may be asked: so many a minute each, and a few more at once. */
export class QuestionBudget {
  private readonly perMinute: number;
  private readonly burst: number;
  private readonly clock: MonotonicClock;
  private readonly buckets = new Map<string, Bucket>();
  private asked: number[] = [];

  constructor(perMinute: number, burst: number, clock: MonotonicClock) {
    this.perMinute = perMinute;
    this.burst = burst;
    this.clock = clock;
  }

  /** Questions of the last minute, to all servers together. */
  get lastMinute(): number {
    const from = this.clock() - minuteMs;
    if ((this.asked[0] ?? Infinity) < from) this.asked = this.asked.filter(at => at >= from);
    return this.asked.length;
  }

  /** A server is asked. */
  spend(server: string): void {
    const bucket = this.filled(server);
    bucket.left--;
    this.asked.push(bucket.at);
  }

  /** Ms until a server may be asked so many questions. */
  waitMs(server: string, count: number): number {
    const missing = Math.min(count, this.burst) - this.filled(server).left;
    return missing <= 0 ? 0 : Math.ceil((missing * minuteMs) / this.perMinute);
  }

  private filled(server: string): Bucket {
    const now = this.clock();
    const bucket = this.buckets.get(server) ?? { left: this.burst, at: now };
    bucket.left = Math.min(this.burst, bucket.left + ((now - bucket.at) * this.perMinute) / minuteMs);
    bucket.at = now;
    this.buckets.set(server, bucket);
    return bucket;
  }
}

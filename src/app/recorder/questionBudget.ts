import type { MonotonicClock } from '../../base/deadline.ts';
import { TokenBucket } from '../../base/tokenBucket.ts';

const minuteMs = 60_000;

/** How many questions servers may be asked: so many a minute each, and a few more at once. */
export class QuestionBudget {
  private readonly perMinute: number;
  private readonly burst: number;
  private readonly clock: MonotonicClock;
  private readonly buckets = new Map<string, TokenBucket>();
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
    this.bucketOf(server).take();
    this.asked.push(this.clock());
  }

  /** Ms until a server may be asked so many questions. */
  waitMs(server: string, count: number): number {
    return Math.ceil(this.bucketOf(server).waitMs(count));
  }

  private bucketOf(server: string): TokenBucket {
    const known = this.buckets.get(server);
    if (known !== undefined) return known;
    const bucket = new TokenBucket(this.perMinute / 60, this.burst, this.clock);
    this.buckets.set(server, bucket);
    return bucket;
  }
}

import { backOffMs } from '../base/backOff.ts';
import type { MonotonicClock } from '../base/deadline.ts';

const windowMs = 3_000;
const attemptsPerWindow = 5;
const roundPause = { firstMs: 120, longestMs: 2_000, spread: 0.25 };

/**
 * Spaces connection attempts: never more than 5 in any 3 s, and a growing pause after each round
 * through all servers. A handshake alone is no success (docs/faults.md, D8): only a connection that lasted resets the
 * pause.
 */
export class AttemptPacer {
  private readonly clock: MonotonicClock;
  private readonly random: () => number;
  private readonly attempts: number[] = [];
  private failures = 0;

  /** @param random in [0, 1): spreads the clients of a restarted ensemble */
  constructor(clock: MonotonicClock, random: () => number = Math.random) {
    this.clock = clock;
    this.random = random;
  }

  /** @returns how long to wait before the next attempt, ms; counts that attempt */
  next(serverCount: number): number {
    const now = this.clock();
    const round = Math.floor(this.failures / serverCount);
    const pause = round === 0 ? 0 : backOffMs(round, { ...roundPause, random: this.random });
    this.failures += 1;
    return this.reserve(now + pause) - now;
  }

  /** @returns how long to wait before a question to a server that is no attempt, ms; it counts as a connection */
  nextQuestion(): number {
    const now = this.clock();
    return this.reserve(now) - now;
  }

  /** The attempt, or question, that was waited for begins now: timers run late, and the distance counts from here. */
  started(): void {
    this.attempts[this.attempts.length - 1] = this.clock();
  }

  private reserve(wanted: number): number {
    const limiting = this.attempts[this.attempts.length - attemptsPerWindow];
    const at = limiting === undefined ? wanted : Math.max(wanted, limiting + windowMs + 1);
    this.attempts.push(at);
    if (this.attempts.length > attemptsPerWindow) this.attempts.shift();
    return at;
  }

  /** @param lastedMs how long the connection was good for requests; 0 for a failed attempt */
  ended(lastedMs: number): void {
    if (lastedMs >= windowMs) this.failures = 0;
  }
}

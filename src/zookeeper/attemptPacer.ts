import { backOffMs } from '../base/backOff.ts';
import type { MonotonicClock } from '../base/deadline.ts';

const windowMs = 3_000;
const mostPerWindow = 10;
const mostWithoutPause = 3;
/** On average 120 ms, 30 % more each time, and in the long run 2 s. */
const pausePace = { firstMs: 150, growth: 1.3, longestMs: 2_500, spread: 0.4 };

/**
 * Spaces the connections to the servers, whether they try to attach the session or ask for a server's state.
 *
 * The first servers are visited without a pause. Then each visit waits a pause that grows, with jitter: ten visits are spread over
 * the first three seconds, in which most elections end, and in the long run there is one every 2 s. What spares a restarted ensemble is
 * this spread; at most 10 in any 3 s is the limit when connections succeed and break again at once. A handshake alone is no success
 * (docs/faults.md, D8): only a connection that lasted starts again from the beginning.
 */
export class AttemptPacer {
  private readonly clock: MonotonicClock;
  private readonly random: () => number;
  /** When the last ten began, oldest first. */
  private readonly begun: number[] = [];
  private visits = 0;
  private pauses = 0;
  /** `free`: a refused dial left its place to the next server. `passed on`: that one has it now. */
  private place: 'own' | 'free' | 'passed on' = 'own';

  /** @param random in [0, 1): spreads the clients of a restarted ensemble */
  constructor(clock: MonotonicClock, random: () => number = Math.random) {
    this.clock = clock;
    this.random = random;
  }

  /** @returns how long to wait before the next server is visited, ms; counts that visit */
  next(serverCount: number): number {
    this.visits += 1;
    if (this.place === 'free' && serverCount > 1) {
      this.place = 'passed on';
      return 0;
    }
    this.place = 'own';
    const now = this.clock();
    return this.reserve(now + this.pauseMs(serverCount)) - now;
  }

  /** The visit that was waited for begins now: timers run late, and the distance counts from here. */
  started(): void {
    this.begun[this.begun.length - 1] = this.clock();
  }

  /** Nothing listened there, as when the server is dead. That cost no server anything: the next one is visited at once, but only one. */
  refused(): void {
    if (this.place === 'own') this.place = 'free';
  }

  /** @param lastedMs how long a connection was good for requests */
  ended(lastedMs: number): void {
    if (lastedMs >= windowMs) this.visits = this.pauses = 0;
  }

  private pauseMs(serverCount: number): number {
    if (this.visits <= Math.min(serverCount, mostWithoutPause)) return 0;
    this.pauses += 1;
    return backOffMs(this.pauses, { ...pausePace, random: this.random });
  }

  private reserve(wanted: number): number {
    const limiting = this.begun[this.begun.length - mostPerWindow];
    const at = limiting === undefined ? wanted : Math.max(wanted, limiting + windowMs + 1);
    this.begun.push(at);
    if (this.begun.length > mostPerWindow) this.begun.shift();
    return at;
  }
}

import { DisposableSlot, type Disposable } from './disposable.ts';

/** How often a `Pacer` calls. All times in ms. */
export interface Pace {
  /** The first call waits this long, so that changes which come together are handled together. */
  gatherMs: number;
  /** Shortest time between two calls. */
  spacingMs: number;
  /** A call that took t ms, up to the end of its promise, is followed by a pause of at least `restPerWork` × t: expensive work runs less often. Default 0. */
  restPerWork?: number;
  /** Upper limit of the pause that `restPerWork` asks for. Default: no limit. */
  longestSpacingMs?: number;
}

export interface PacerOptions<T> extends Pace {
  /**
   * Receives every change since the last call, each once, in the order in which it first came.
   *
   * @returns a promise if it takes longer: there is no other call before that is fulfilled. It must not be rejected
   */
  call(changes: ReadonlySet<T>): void | Promise<void>;
  schedule(callback: () => void, ms: number): Disposable;
  /** Monotonic ms. */
  now(): number;
}

/** Turns many changes into few calls: one soon after the first change, the next ones at the given pace. */
export class Pacer<T> implements Disposable {
  private readonly options: PacerOptions<T>;
  private readonly timer = new DisposableSlot();
  private pending = new Set<T>();
  private lastCall = Number.NEGATIVE_INFINITY;
  private spacing: number;
  private isCalling = false;

  constructor(options: PacerOptions<T>) {
    this.options = options;
    this.spacing = options.spacingMs;
  }

  add(change: T): void {
    this.pending.add(change);
    this.arm();
  }

  /** Calls at once if there are changes, and no call is under way. */
  flush(): void {
    if (this.isCalling) return;
    this.timer.value = undefined;
    if (this.pending.size === 0) return;
    const changes = this.pending;
    this.pending = new Set();
    this.lastCall = this.options.now();
    const work = this.options.call(changes);
    if (work === undefined) this.rest();
    else void this.awaitCall(work);
  }

  /** Drops the changes that have not led to a call. */
  cancel(): void {
    this.timer.value = undefined;
    this.pending.clear();
  }

  dispose(): void {
    this.timer.dispose();
    this.pending.clear();
  }

  private arm(): void {
    if (this.isCalling || this.timer.value !== undefined) return;
    const { options } = this;
    const wait = Math.max(options.gatherMs, this.lastCall + this.spacing - options.now());
    this.timer.value = options.schedule(() => this.flush(), wait);
  }

  private async awaitCall(work: Promise<void>): Promise<void> {
    this.isCalling = true;
    await work;
    this.isCalling = false;
    this.rest();
    if (this.pending.size > 0) this.arm();
  }

  private rest(): void {
    const { spacingMs, restPerWork = 0, longestSpacingMs = Infinity } = this.options;
    const rest = (this.options.now() - this.lastCall) * restPerWork;
    this.spacing = Math.max(spacingMs, Math.min(longestSpacingMs, rest));
  }
}

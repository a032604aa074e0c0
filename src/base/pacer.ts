import { DisposableSlot, type Disposable } from './disposable.ts';

/** Gathers what arrives together, for example a read and the news that the lock is live now. */
const gatherMs = 10;
/** At most ten calls a second: more than an eye can follow. */
const spacingMs = 100;
/** What costs more comes less often: a queue of many thousands would keep a good part of a core busy. */
const restPerWork = 12;
const longestSpacingMs = 500;

export interface PacerParts {
  call(): void;
  schedule(callback: () => void, ms: number): Disposable;
  /** Monotonic ms. */
  now(): number;
}

/** Turns many requests into few calls: one soon after the first request, then at most ten a second, of costly ones two. */
export class Pacer implements Disposable {
  private readonly parts: PacerParts;
  private readonly timer = new DisposableSlot();
  private lastCall = Number.NEGATIVE_INFINITY;
  private spacing = spacingMs;

  constructor(parts: PacerParts) {
    this.parts = parts;
  }

  request(): void {
    if (this.timer.value !== undefined) return;
    const wait = Math.max(gatherMs, this.lastCall + this.spacing - this.parts.now());
    this.timer.value = this.parts.schedule(() => {
      this.timer.value = undefined;
      this.lastCall = this.parts.now();
      this.parts.call();
      const costMs = this.parts.now() - this.lastCall;
      this.spacing = Math.max(spacingMs, Math.min(longestSpacingMs, costMs * restPerWork));
    }, wait);
  }

  /** Forgets a request that has not led to its call. */
  cancel(): void {
    this.timer.value = undefined;
  }

  dispose(): void {
    this.timer.dispose();
  }
}

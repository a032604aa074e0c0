import { DisposableSlot, type Disposable } from '../../base/disposable.ts';

/** Gathers what arrives together, for example a read and the news that the lock is live now. */
const gatherMs = 10;
/** At most ten calls a second: more than an eye can follow, and one long queue costs some ms. */
const spacingMs = 100;

export interface PacerParts {
  call(): void;
  schedule(callback: () => void, ms: number): Disposable;
  /** Monotonic ms. */
  now(): number;
}

/** Turns many requests into few calls: one soon after the first request, then at most ten a second. */
export class Pacer implements Disposable {
  private readonly parts: PacerParts;
  private readonly timer = new DisposableSlot();
  private lastCall = Number.NEGATIVE_INFINITY;

  constructor(parts: PacerParts) {
    this.parts = parts;
  }

  request(): void {
    if (this.timer.value !== undefined) return;
    const wait = Math.max(gatherMs, this.lastCall + spacingMs - this.parts.now());
    this.timer.value = this.parts.schedule(() => {
      this.timer.value = undefined;
      this.lastCall = this.parts.now();
      this.parts.call();
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

import { DisposableSlot, type Disposable } from '../../base/disposable.ts';

/** Gathers what arrives together, for example the two events of a hand-off. */
const gatherMs = 20;

/**
 * VS Code takes the first change of a tree at once, but then waits until 200 ms have passed without another, starting
 * anew with each (extHostTreeViews.ts, a leading debounce). A busy lock would thus freeze the view. Changes told further
 * apart than that are each a first one.
 */
const spacingMs = 205;
/** What costs more to draw comes less often: queues of many thousands would keep a good part of a core busy. */
const restPerWork = 20;
const longestSpacingMs = 600;

export interface CoalescerParts<T> {
  flush(changes: ReadonlySet<T>): void;
  schedule(callback: () => void, ms: number): Disposable;
  /** Monotonic milliseconds. */
  now(): number;
}

/** Turns a flood of changes into few notifications, the first one soon. */
export class ChangeCoalescer<T> implements Disposable {
  private readonly parts: CoalescerParts<T>;
  private readonly timer = new DisposableSlot();
  private pending = new Set<T>();
  private lastFlush = Number.NEGATIVE_INFINITY;
  private spacing = spacingMs;

  constructor(parts: CoalescerParts<T>) {
    this.parts = parts;
  }

  add(change: T): void {
    this.pending.add(change);
    if (this.timer.value !== undefined) return;
    const wait = Math.max(gatherMs, this.lastFlush + this.spacing - this.parts.now());
    this.timer.value = this.parts.schedule(() => {
      this.flush();
    }, wait);
  }

  /** Tells what has gathered without waiting. */
  flush(): void {
    this.timer.value = undefined;
    if (this.pending.size === 0) return;
    const changes = this.pending;
    this.pending = new Set();
    this.lastFlush = this.parts.now();
    this.parts.flush(changes);
    const costMs = this.parts.now() - this.lastFlush;
    this.spacing = Math.max(spacingMs, Math.min(longestSpacingMs, costMs * restPerWork));
  }

  dispose(): void {
    this.timer.dispose();
    this.pending.clear();
  }
}

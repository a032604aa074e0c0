import type { Contender } from '../../../locks/lockQueue.ts';

/**
 * `held`: seen to begin. `held-before`: held already when watching began. `released`: seen to end. `ended-unseen`: gone when
 * watching went on. `watching`, `not-watching`: from here on what happens is seen, or not.
 */
export type HistoryEventKind = 'held' | 'held-before' | 'released' | 'ended-unseen' | 'watching' | 'not-watching';

/** One thing that was seen. Spans are ms. */
export interface HistoryEvent {
  /** Epoch ms. */
  at: number;
  kind: HistoryEventKind;
  contender?: Contender;
  /** Contenders in the queue at that moment; absent where none was looked at. */
  queueLength?: number;
  heldMs?: number;
  /** For how long the place was free that the hold took over. */
  gapMs?: number;
  waitMs?: number;
}

/** The newest events; older ones are counted and dropped. */
export class HistoryEvents {
  private readonly limit: number;
  private kept: HistoryEvent[] = [];
  private lost = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get all(): readonly HistoryEvent[] {
    return this.kept;
  }

  get dropped(): number {
    return this.lost;
  }

  add(event: HistoryEvent): void {
    this.kept.push(event);
    if (this.kept.length <= this.limit) return;
    this.kept.shift();
    this.lost++;
  }

  clear(): void {
    this.kept = [];
    this.lost = 0;
  }
}

import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';

/** What a lock must be to be shown. */
export type Trouble = 'contended' | 'stale' | 'deadlocked';

/** What the person chose for the view as a whole. */
export class ViewState implements Disposable {
  readonly onChange: Event<undefined>;
  private readonly changed: Emitter<undefined>;
  private currentFilter = '';
  private isPaused = false;
  private shownTrouble: Trouble | undefined;

  constructor(logger: Logger) {
    this.changed = new Emitter(logger);
    this.onChange = this.changed.event;
  }

  /** Only locks whose path or name contains this text are shown; empty shows all. */
  get filter(): string {
    return this.currentFilter;
  }

  set filter(text: string) {
    if (text === this.currentFilter) return;
    this.currentFilter = text;
    this.changed.fire(undefined);
  }

  /** Only locks that are so are shown; `undefined` shows all. */
  get only(): Trouble | undefined {
    return this.shownTrouble;
  }

  set only(trouble: Trouble | undefined) {
    if (trouble === this.shownTrouble) return;
    this.shownTrouble = trouble;
    this.changed.fire(undefined);
  }

  /** Nothing is watched while this is set. */
  get paused(): boolean {
    return this.isPaused;
  }

  set paused(paused: boolean) {
    if (paused === this.isPaused) return;
    this.isPaused = paused;
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

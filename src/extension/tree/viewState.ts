import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';

/** What the person chose for the view as a whole. */
export class ViewState implements Disposable {
  readonly onChange: Event<undefined>;
  private readonly changed: Emitter<undefined>;
  private currentFilter = '';
  private isPaused = false;

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

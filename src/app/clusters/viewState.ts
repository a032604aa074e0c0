import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';

/** The troubles by which the view can filter its locks. */
export type Trouble = 'contended' | 'stale' | 'deadlocked';

/** What the user chose for the view as a whole. */
export class ViewState implements Disposable {
  readonly onChange: Event<undefined>;
  private readonly changed: Emitter<undefined>;
  private readonly values = { filter: '', paused: false, grouped: false, only: undefined as Trouble | undefined };

  constructor(logger: Logger) {
    this.changed = new Emitter(logger);
    this.onChange = this.changed.event;
  }

  /** Only locks whose path or name contains this text are shown; empty shows all. */
  get filter(): string {
    return this.values.filter;
  }

  set filter(filter: string) {
    this.set('filter', filter);
  }

  /** Only locks with this trouble are shown; `undefined` shows all. */
  get only(): Trouble | undefined {
    return this.values.only;
  }

  set only(only: Trouble | undefined) {
    this.set('only', only);
  }

  /** While this is set, nothing is watched. */
  get paused(): boolean {
    return this.values.paused;
  }

  set paused(paused: boolean) {
    this.set('paused', paused);
  }

  /** Whether the locks stand in a tree of their directories, or in a list. */
  get grouped(): boolean {
    return this.values.grouped;
  }

  set grouped(grouped: boolean) {
    this.set('grouped', grouped);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private set<K extends keyof ViewState['values']>(key: K, value: ViewState['values'][K]): void {
    if (this.values[key] === value) return;
    this.values[key] = value;
    this.changed.fire(undefined);
  }
}

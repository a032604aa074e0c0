import { toDisposable, type Disposable } from './disposable.ts';
import type { Logger } from './logger.ts';

/** Subscribes a listener; the result unsubscribes it. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * A typed event. A listener that throws is logged and contained: the others still receive the event (docs/faults.md, D20).
 */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<{ call: (value: T) => void }>();
  private readonly logger: Logger;

  constructor(logger: Logger) {
    this.logger = logger;
  }

  readonly event: Event<T> = listener => {
    const entry = { call: listener };
    this.listeners.add(entry);
    return toDisposable(() => this.listeners.delete(entry));
  };

  get listenerCount(): number {
    return this.listeners.size;
  }

  fire(value: T): void {
    for (const entry of [...this.listeners])
      if (this.listeners.has(entry)) callListener(entry.call, value, this.logger);
  }

  dispose(): void {
    this.listeners.clear();
  }
}

/** Calls a listener; what it throws is logged, so that the other listeners are still called (docs/faults.md, D20). */
export function callListener<T>(listener: (value: T) => void, value: T, logger: Logger): void {
  try {
    listener(value);
  } catch (error) {
    logger.error(`A listener failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

/** Passes values on at once, but no more than one in `spacingMs`; of those in between only the last, when the time is over. */
export class Paced<T> {
  readonly #call: (value: T) => void;
  readonly #spacingMs: number;
  #waiting: { value: T } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(spacingMs: number, call: (value: T) => void) {
    this.#spacingMs = spacingMs;
    this.#call = call;
  }

  send(value: T): void {
    if (this.#timer !== undefined) {
      this.#waiting = { value };
      return;
    }
    this.#call(value);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting !== undefined) this.send(waiting.value);
    }, this.#spacingMs);
  }

  /** Drops what waits. */
  cancel(): void {
    this.#waiting = undefined;
  }

  dispose(): void {
    this.cancel();
    clearTimeout(this.#timer);
  }
}

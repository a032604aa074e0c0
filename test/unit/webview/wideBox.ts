/** A box of 1,000 pixels: jsdom lays nothing out. Stands in for `ResizeObserver`. */
export class WideBox {
  readonly #notify: ResizeObserverCallback;
  constructor(notify: ResizeObserverCallback) {
    this.#notify = notify;
  }
  observe(): void {
    const entry = { contentRect: { width: 1_000 } } as ResizeObserverEntry;
    queueMicrotask(() => this.#notify([entry], this));
  }
  unobserve(): void {
    // Nothing ever changes its size.
  }
  disconnect(): void {
    // As above.
  }
}

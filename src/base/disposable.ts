/** A resource that must be released: a listener, a watch, a timer. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/**
 * Wraps a clean-up function.
 *
 * @param cleanUp runs at the first `dispose()` only
 */
export function toDisposable(cleanUp: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      cleanUp();
    },
  };
}

/** Owns disposables and disposes them together, last added first. What is added after that is disposed at once. */
export class DisposableStore implements Disposable {
  private owned: Disposable[] = [];
  private ended = false;

  get isDisposed(): boolean {
    return this.ended;
  }

  /** @returns its argument, so that taking and owning fit in one line */
  add<T extends Disposable>(disposable: T): T {
    if (this.ended) disposable.dispose();
    else this.owned.push(disposable);
    return disposable;
  }

  dispose(): void {
    this.ended = true;
    const owned = this.owned.reverse();
    this.owned = [];
    for (const disposable of owned) disposable.dispose();
  }
}

/** Owns the current one of a changing subscription; a new one disposes the former. */
export class DisposableSlot implements Disposable {
  private current: Disposable | undefined;
  private ended = false;

  set value(next: Disposable | undefined) {
    const former = this.current;
    this.current = this.ended ? undefined : next;
    former?.dispose();
    if (this.ended) next?.dispose();
  }

  get value(): Disposable | undefined {
    return this.current;
  }

  dispose(): void {
    this.ended = true;
    this.value = undefined;
  }
}

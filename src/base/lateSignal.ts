/** A signal that is made when it is first asked for: most of those that belong to a lock are never listened to. */
export class LateSignal {
  private controller: AbortController | undefined;
  private end: { reason: unknown } | undefined;

  /** Aborted from the start if `abort` came before. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.end !== undefined) this.controller.abort(this.end.reason);
    return this.controller.signal;
  }

  /** Only the first call counts. @param reason of the abort; default: an AbortError */
  abort(reason?: unknown): void {
    this.end ??= { reason };
    this.controller?.abort(this.end.reason);
  }
}

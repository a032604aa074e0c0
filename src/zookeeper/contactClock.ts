import type { MonotonicClock } from '../base/deadline.ts';

/** `confirmed`: trust it. `late`: no acknowledgement for two thirds of the timeout, but bytes still arrive. `silent`: give the connection up. */
export type Contact = 'confirmed' | 'late' | 'silent';

/**
 * Judges, by a monotonic clock, how much a session can still be trusted (docs/faults.md: D1, L18, L19).
 *
 * The server keeps a session alive by what it *receives*, so the session may be over one timeout after the moment at
 * which the last request was sent that is known to have arrived. A large reply on a slow link holds back the
 * acknowledgements behind it (F10): while such a frame grows the connection is kept, but not trusted.
 */
export class ContactClock {
  private readonly clock: MonotonicClock;
  private timeoutMs: number;
  private ackedSendAt: number;
  private ackedAt: number;
  private grewAt: number;

  constructor(clock: MonotonicClock, timeoutMs: number) {
    this.clock = clock;
    this.timeoutMs = timeoutMs;
    this.ackedSendAt = this.ackedAt = this.grewAt = clock();
  }

  get now(): number {
    return this.clock();
  }

  /** @param sentAt when the request was sent whose reply has just arrived, by the same clock */
  acknowledged(sentAt: number): void {
    this.ackedSendAt = Math.max(this.ackedSendAt, sentAt);
    this.ackedAt = this.grewAt = this.clock();
  }

  /** More bytes of an incomplete frame have arrived. */
  grew(): void {
    this.grewAt = this.clock();
  }

  /** The timeout was negotiated anew, ms. */
  negotiated(timeoutMs: number): void {
    this.timeoutMs = timeoutMs;
  }

  get contact(): Contact {
    const now = this.clock();
    if (now < this.trustedUntil) return 'confirmed';
    return now - this.grewAt < this.limitMs ? 'late' : 'silent';
  }

  /** An answer that is read late, after a pause of this process, proves little: the send that it answers counts too. */
  private get trustedUntil(): number {
    return Math.min(this.ackedAt + this.limitMs, this.ackedSendAt + this.timeoutMs);
  }

  private get limitMs(): number {
    return (this.timeoutMs * 2) / 3;
  }

  /** Milliseconds since the last acknowledgement arrived. */
  get sinceAcknowledgedMs(): number {
    return this.clock() - this.ackedAt;
  }

  /** Milliseconds until `contact` can become worse. */
  get untilWorseMs(): number {
    const worse = this.contact === 'confirmed' ? this.trustedUntil : this.grewAt + this.limitMs;
    return Math.max(0, worse - this.clock());
  }

  /** Milliseconds until the session must be presumed over; 0 when it must be now. */
  get untilLostMs(): number {
    return Math.max(0, this.ackedSendAt + this.timeoutMs - this.clock());
  }
}

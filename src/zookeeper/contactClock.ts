import type { MonotonicClock } from '../base/deadline.ts';

/** `confirmed`: trustworthy. `late`: no acknowledgement for two thirds of the timeout, but bytes still arrive. `silent`: nothing, so the connection is to be closed. */
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

  /** A new timeout was negotiated, ms. */
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

export interface WatchdogActions {
  /** Time for a sign of life. */
  ping(): void;
  /** Called at every tick while connected: settle what is overdue. */
  tick(): void;
  /** There are connection and acknowledgements again (`true`), or the acknowledgements are late (`false`). */
  trusted(isTrusted: boolean): void;
  /** Nothing received for two thirds of the timeout: the connection is to be closed. */
  silent(): void;
  /** One timeout since the last acknowledged send: the session must be presumed over. */
  lost(): void;
}

/** Timers stand still while the machine sleeps (Linux), so the clock is checked this often, ms: a long timer would be late. */
const lookEveryMs = 1_000;

/**
 * Judges a session's contact with one timer, set to the next moment at which something can be due: pings every third of the
 * timeout whatever is being received (D5), silence at two thirds (D1), presumed loss at the whole (L18).
 */
export class Watchdog {
  private readonly contact: ContactClock;
  private readonly actions: WatchdogActions;
  private timer: NodeJS.Timeout | undefined;
  private isConnected = false;
  private pingEveryMs = 0;
  private nextPingAt = 0;
  private wasTrusted = true;

  constructor(contact: ContactClock, actions: WatchdogActions) {
    this.contact = contact;
    this.actions = actions;
  }

  /** @param pingEveryMs a third of the negotiated timeout, ms */
  connected(pingEveryMs: number): void {
    this.isConnected = true;
    this.wasTrusted = true;
    this.pingEveryMs = pingEveryMs;
    this.nextPingAt = this.contact.now + pingEveryMs;
    this.arm();
  }

  /** Only presumed loss is still watched. */
  disconnected(): void {
    this.isConnected = false;
    this.arm();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** A reply has confirmed contact. */
  confirmed(): void {
    if (!this.wasTrusted) this.judge();
  }

  private arm(): void {
    clearTimeout(this.timer);
    const due = this.isConnected
      ? Math.min(this.nextPingAt - this.contact.now, this.contact.untilWorseMs)
      : this.contact.untilLostMs;
    this.timer = setTimeout(() => this.watch(), Math.min(lookEveryMs, Math.max(1, Math.ceil(due))));
  }

  private watch(): void {
    if (!this.isConnected) {
      if (this.contact.untilLostMs === 0) this.actions.lost();
      else this.arm();
      return;
    }
    if (this.contact.now >= this.nextPingAt) {
      this.actions.ping();
      this.nextPingAt = this.contact.now + this.pingEveryMs;
    }
    this.actions.tick();
    // After a pause of this process the replies may wait in the socket: they are read before the verdict (L19).
    setImmediate(() => {
      if (!this.isConnected) return;
      this.judge();
      if (this.isStillConnected()) this.arm();
    });
  }

  private isStillConnected(): boolean {
    return this.isConnected;
  }

  private judge(): void {
    const contact = this.contact.contact;
    if (contact === 'silent') {
      this.actions.silent();
      return;
    }
    const isTrusted = contact === 'confirmed';
    if (isTrusted === this.wasTrusted) return;
    this.wasTrusted = isTrusted;
    this.actions.trusted(isTrusted);
  }
}

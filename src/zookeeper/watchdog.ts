import type { ContactClock } from './contactClock.ts';

export interface WatchdogActions {
  /** Time for a sign of life. */
  ping(): void;
  /** Called at every tick while connected: settle what is overdue. */
  tick(): void;
  /** There are connection and acknowledgements again (`true`), or the acknowledgements are late (`false`). */
  trusted(isTrusted: boolean): void;
  /** No sign of life for two thirds of the timeout: give the connection up. */
  silent(): void;
  /** One timeout since the last acknowledged send: the session must be presumed over. */
  lost(): void;
}

/** Timers stand still while the machine sleeps (Linux): one that was set for long would tell of it long after the waking, ms. */
const lookEveryMs = 1_000;

/**
 * Keeps a session honest with one timer, set to the next moment at which something can be due: pings every third of the
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

import type { MonotonicClock } from '../base/deadline.ts';
import type { Doubt } from './sessionCause.ts';

/** Part of the timeout after which a ping, once acknowledged, has reached the leader. */
const relayedWithin = 0.3;

/**
 * `confirmed`: trustworthy. `late`: too old an acknowledgement, or too old a proof that the leader knows of the session, but bytes
 * still arrive. `silent`: nothing arrives, so the connection is to be closed.
 */
export type Contact = 'confirmed' | 'late' | 'silent';

/** A sign of life that the attached server has acknowledged. */
interface SignOfLife {
  sentAt: number;
  /** From now on the leader knows of it, unless it and the attached server are cut off from each other. */
  relayedAt: number;
}

/**
 * Judges, by a monotonic clock, how much a session can still be trusted (docs/faults.md: D1, L18, L19, L34).
 *
 * The *leader* ends a session, T after it last heard of it. A follower answers pings by itself: it notes the session, and sends
 * its notes with its answer to the leader's next ping, which comes every half tick (Leader.lead, Learner.ping). So an answer
 * proves little. But requests through the leader take the same ordered stream: when one is answered that we sent half a tick or
 * more after the acknowledgement of a ping, the leader had that ping's note before it (LearnerHandler.run). A server grants no
 * T below two ticks unless `minSessionTimeout` says so: half a tick is T/4 at most. We wait for 0.3 T, so that the leader's
 * ping may also be late by T/20.
 *
 * Hence two limits: 2T/3 after the last acknowledgement arrived, and T after the last ping was sent that is proven to have
 * reached the leader. Pings leave every T/3; 0.3 T after the acknowledgement of each one a request through the leader follows
 * (`untilConfirmationMs`). With round trips of r, the newest proof is (1/3 + 0.3) T + 2r old at most, so r may be 0.18 T. Sent
 * together with the next ping, that request would tolerate no more than r = 0.03 T. Handshakes reach the leader at once.
 *
 * A large reply on a slow link holds back the acknowledgements behind it (F10): while such a frame grows the connection is
 * kept, but not trusted.
 */
export class ContactClock {
  private readonly clock: MonotonicClock;
  private timeoutMs: number;
  private ackedSendAt: number;
  private ackedAt: number;
  private grewAt: number;
  private provenSendAt: number;
  /** What the leader is not proven to know yet, oldest first; of this connection, since another one has another stream. */
  private unproven: SignOfLife[] = [];
  private confirmationSentAt = -Infinity;
  private stopped = { until: -Infinity, forMs: 0 };

  constructor(clock: MonotonicClock, timeoutMs: number) {
    this.clock = clock;
    this.timeoutMs = timeoutMs;
    this.ackedSendAt = this.ackedAt = this.grewAt = this.provenSendAt = clock();
  }

  get now(): number {
    return this.clock();
  }

  /**
   * A server granted the session, or took it back: the leader knows.
   *
   * @param sentAt when the handshake was sent, by the same clock
   * @param isProof whether any leader will do; otherwise it counts when the next proof arrives
   */
  attached(sentAt: number, isProof: boolean): void {
    this.acknowledged(sentAt);
    this.unproven = [{ sentAt, relayedAt: this.clock() }];
    if (isProof) this.proved(this.clock());
  }

  /** @param sentAt when the request was sent whose reply has just arrived */
  acknowledged(sentAt: number): void {
    this.ackedSendAt = Math.max(this.ackedSendAt, sentAt);
    this.ackedAt = this.grewAt = this.clock();
  }

  /** @param sentAt when the ping was sent that has just been answered */
  pingAcknowledged(sentAt: number): void {
    this.acknowledged(sentAt);
    this.unproven.push({ sentAt, relayedAt: this.clock() + this.timeoutMs * relayedWithin });
  }

  /** @param sentAt when the request was sent that has just come back through the leader */
  proved(sentAt: number): void {
    for (let [next] = this.unproven; next !== undefined && next.relayedAt <= sentAt; [next] = this.unproven) {
      this.provenSendAt = Math.max(this.provenSendAt, next.sentAt);
      this.unproven.shift();
    }
  }

  /** Milliseconds until a request through the leader is to be sent; Infinity while there is nothing to prove. */
  get untilConfirmationMs(): number {
    const next = this.unproven.find(({ relayedAt }) => relayedAt > this.confirmationSentAt);
    return next === undefined ? Infinity : Math.max(0, next.relayedAt - this.clock());
  }

  /** A request through the leader is being sent. */
  confirmationSent(): void {
    this.confirmationSentAt = this.clock();
  }

  /** More bytes of an incomplete frame have arrived. */
  grew(): void {
    this.grewAt = this.clock();
  }

  /** A new timeout was negotiated, ms. */
  negotiated(timeoutMs: number): void {
    this.timeoutMs = timeoutMs;
  }

  /** This program ran `lateMs` later than it should have. Without stops of T/4 and more a healthy session keeps its trust. */
  ranLate(lateMs: number): void {
    if (lateMs >= this.timeoutMs / 4) this.stopped = { until: this.clock(), forMs: lateMs };
  }

  get contact(): Contact {
    const now = this.clock();
    if (now < this.trustedUntil) return 'confirmed';
    return now - this.grewAt < this.limitMs ? 'late' : 'silent';
  }

  /** Why the contact is not confirmed. */
  get doubt(): Doubt {
    const isLate = this.clock() >= this.ackedAt + this.limitMs;
    const { until, forMs } = this.stopped;
    if (until > (isLate ? this.ackedAt : this.provenSendAt)) return { kind: 'stopped', forMs: Math.round(forMs) };
    return { kind: isLate ? 'late' : 'unconfirmed' };
  }

  /** An answer that is read late, after a pause of this process, proves little: the send that it answers counts too. */
  private get trustedUntil(): number {
    return Math.min(this.ackedAt + this.limitMs, this.provenSendAt + this.timeoutMs);
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
  /** Time for a request through the leader. */
  confirm(): void;
  /** Called at every tick while connected: settle what is overdue. */
  tick(): void;
  /** There are connection and confirmed contact again. */
  trusted(): void;
  /** There is a connection, but no confirmed contact. */
  doubted(why: Doubt): void;
  /** Nothing received for two thirds of the timeout: the connection is to be closed. */
  silent(): void;
  /** One timeout since the last acknowledged send: the session must be presumed over. */
  lost(): void;
}

/** Timers stand still while the machine sleeps (Linux), so the clock is checked this often, ms: a long timer would be late. */
const lookEveryMs = 1_000;

/**
 * Judges a session's contact with one timer, set to the next moment at which something can be due: pings every third of the
 * timeout whatever is being received (D5), a request through the leader after each (L34), silence at two thirds (D1), presumed
 * loss at the whole (L18).
 */
export class Watchdog {
  private readonly contact: ContactClock;
  private readonly actions: WatchdogActions;
  private timer: NodeJS.Timeout | undefined;
  private isConnected = false;
  private pingEveryMs = 0;
  private nextPingAt = 0;
  /** When the timer is due. */
  private dueAt = Infinity;
  private wasTrusted = true;

  constructor(contact: ContactClock, actions: WatchdogActions) {
    this.contact = contact;
    this.actions = actions;
  }

  /** @param pingEveryMs a third of the negotiated timeout, ms */
  connected(pingEveryMs: number): void {
    this.isConnected = true;
    this.wasTrusted = this.contact.contact === 'confirmed';
    this.pingEveryMs = pingEveryMs;
    this.nextPingAt = this.contact.now + pingEveryMs;
    this.confirmIfDue();
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
    // An answered ping is to be proven at its time, which may come before the timer.
    if (this.isStillConnected() && this.contact.now + this.contact.untilConfirmationMs < this.dueAt) this.arm();
  }

  private arm(): void {
    this.noteLateness();
    clearTimeout(this.timer);
    const { now, untilConfirmationMs, untilWorseMs, untilLostMs } = this.contact;
    const due = this.isConnected ? Math.min(this.nextPingAt - now, untilConfirmationMs, untilWorseMs) : untilLostMs;
    const delay = Math.min(lookEveryMs, Math.max(1, Math.ceil(due)));
    this.dueAt = now + delay;
    this.timer = setTimeout(() => this.watch(), delay);
  }

  /** Notes a stop of this program. To be called where its first code after the stop may be: bytes may be read before the timer. */
  noteLateness(): void {
    this.contact.ranLate(this.contact.now - this.dueAt);
    this.dueAt = Infinity;
  }

  private confirmIfDue(): void {
    if (this.contact.untilConfirmationMs > 0) return;
    this.contact.confirmationSent();
    this.actions.confirm();
  }

  private watch(): void {
    this.noteLateness();
    if (!this.isConnected) {
      if (this.contact.untilLostMs === 0) this.actions.lost();
      else this.arm();
      return;
    }
    if (this.contact.now >= this.nextPingAt) {
      this.actions.ping();
      this.nextPingAt = this.contact.now + this.pingEveryMs;
    }
    this.confirmIfDue();
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
    if (isTrusted) this.actions.trusted();
    else this.actions.doubted(this.contact.doubt);
  }
}

/** A session that a server keeps. */
export interface Session {
  readonly sessionId: bigint;
  /** Negotiated, ms. */
  timeoutMs: number;
  /** Until when its client may be silent: a whole number of ticks of the monotonic clock, ms. */
  expiresAt: number;
}

/**
 * The sessions of a server, in buckets by the tick at which they expire (SessionTrackerImpl.java, ExpiryQueue.java): a sign of life moves
 * a session to another bucket, and no session has a timer.
 */
export class SessionTable {
  private readonly tickMs: number;
  private readonly byId = new Map<bigint, Session>();
  private readonly buckets = new Map<number, Set<Session>>();
  private nextId: bigint;

  /** @param firstId of the first session that is opened; the next ones follow */
  constructor(tickMs: number, firstId: bigint) {
    this.tickMs = tickMs;
    this.nextId = firstId;
  }

  /** @param now ms of a monotonic clock, as in all methods */
  open(timeoutMs: number, now: number): Session {
    const session = { sessionId: this.nextId++, timeoutMs, expiresAt: this.tickAfter(now + timeoutMs) };
    this.byId.set(session.sessionId, session);
    this.enter(session);
    return session;
  }

  get(sessionId: bigint): Session | undefined {
    return this.byId.get(sessionId);
  }

  get all(): Iterable<Session> {
    return this.byId.values();
  }

  get size(): number {
    return this.byId.size;
  }

  /** The client has given a sign of life. */
  touch(session: Session, now: number): void {
    const expiresAt = this.tickAfter(now + session.timeoutMs);
    if (expiresAt === session.expiresAt) return;
    this.leave(session);
    session.expiresAt = expiresAt;
    this.enter(session);
  }

  close(session: Session): void {
    this.byId.delete(session.sessionId);
    this.leave(session);
  }

  /** @returns the sessions whose time is over */
  overdue(now: number): Session[] {
    return [...this.buckets].filter(([at]) => at <= now).flatMap(([, sessions]) => [...sessions]);
  }

  /** When `overdue` may have an answer; `undefined` without sessions. */
  get nextExpiry(): number | undefined {
    let next: number | undefined;
    for (const at of this.buckets.keys()) if (next === undefined || at < next) next = at;
    return next;
  }

  private tickAfter(time: number): number {
    return (Math.floor(time / this.tickMs) + 1) * this.tickMs;
  }

  private enter(session: Session): void {
    const bucket = this.buckets.get(session.expiresAt);
    if (bucket === undefined) this.buckets.set(session.expiresAt, new Set([session]));
    else bucket.add(session);
  }

  private leave(session: Session): void {
    const bucket = this.buckets.get(session.expiresAt);
    if (bucket?.delete(session) === true && bucket.size === 0) this.buckets.delete(session.expiresAt);
  }
}

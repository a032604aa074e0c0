import { callListener, Emitter } from '../base/event.ts';
import { Deadline } from '../base/deadline.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type * as api from './client.ts';
import { NotConnectedError, ReplyLostError, SessionLostError } from './errors.ts';
import { HardenedConnection, type ConnectionListener, type ConnectionOptions } from './hardenedConnection.ts';
import { checkPath, toClientPath, toServerPath } from './connectString.ts';
import { closeRequest, type ClientRequest } from './requests.ts';
import { sessionReason, type SessionCause } from './sessionCause.ts';
import { untilTaken } from './throttledReads.ts';
import { type OneShotKind, type OneShotListener, WatchRegistry } from './watchRegistry.ts';
import type { JuteReader, JuteWriter } from './wire/jute.ts';
import { Op, type ServerEvent } from './wire/records.ts';

const closeLimitMs = 3_000;

/** What `connect` waits for while there is no session yet. */
export type AttachListener = Pick<ConnectionListener, 'attached' | 'failed' | 'ended'>;

/**
 * A session: its state as users see it, its watches, and requests with paths relative to the chroot.
 * The operations themselves stand in `zooKeeperSession.ts`.
 */
export abstract class Session {
  readonly chroot: string;
  readonly watches = new WatchRegistry();
  readonly logger: Logger;
  private readonly options: ConnectionOptions;
  private readonly connection: HardenedConnection;
  private readonly states: Emitter<api.SessionStateChange>;
  private current: api.SessionState = 'uncertain';
  private end: SessionLostError | undefined;
  private closing: Promise<void> | undefined;
  private undelivered: ServerEvent[] = [];
  private renewing: Promise<void> | undefined;
  private readonly readsToRepeat: (() => void)[] = [];

  constructor(chroot: string, options: ConnectionOptions, attach: AttachListener) {
    this.chroot = chroot;
    this.options = options;
    this.logger = options.logger;
    this.states = new Emitter(options.logger);
    let hasBeenAttached = false;
    this.connection = new HardenedConnection(options, {
      attached: () => {
        // First, so that no listener of `connected` uses what the outage may have made stale.
        if (hasBeenAttached) this.reattached();
        if (this.connection.isTrustworthy) this.become('connected');
        hasBeenAttached = true;
        attach.attached();
      },
      trusted: () => this.become('connected'),
      doubted: why => this.become('uncertain', why),
      detached: why => (this.current === 'uncertain' ? this.explain(why) : this.become('uncertain', why)),
      refused: failure => this.explain({ kind: 'connection', failure }),
      ended: why => {
        this.finish(why);
        attach.ended(why);
      },
      failed: failure => attach.failed(failure),
      serverEvent: event => this.enqueue(event),
      watchFrames: (lastZxid, limit) => this.watches.frames(lastZxid, limit),
    });
  }

  connect(): void {
    this.connection.connect();
  }

  get sessionId(): bigint {
    return this.connection.id;
  }

  get sessionTimeoutMs(): number {
    return this.connection.sessionTimeout;
  }

  /** Checked by the clock at every use: after a pause the first answer is never `connected` (F27). */
  get state(): api.SessionState {
    return this.current === 'connected' && !this.connection.isTrustworthy ? 'uncertain' : this.current;
  }

  get lastContactAt(): number {
    return Math.round(Date.now() - this.connection.contact.sinceAcknowledgedMs);
  }

  get server(): string | undefined {
    return this.connection.attachedServer;
  }

  onState(listener: (change: api.SessionStateChange) => void): Disposable {
    return this.states.event(listener);
  }

  confirmByQuorum(): Disposable {
    return this.connection.confirmByQuorum();
  }

  /** As `HardenedConnection.allowLag`. */
  protected allowLag(): Disposable {
    return this.connection.allowLag();
  }

  /** The session came back on a new connection: events may have been missed. */
  protected abstract reattached(): void;

  /** An event of any watch, with the client's path. */
  protected abstract treeChanged(event: ServerEvent): void;

  toServer(path: string): string {
    return toServerPath(this.chroot, path);
  }

  /**
   * A read that an overloaded server refuses is sent again, for T/3 at most. Not so a `sync`, since the reads behind it have been
   * answered by then.
   *
   * @throws ZooKeeperError for a bad path, SessionLostError, NotConnectedError, and what the connection throws
   */
  send(request: ClientRequest): Promise<JuteReader> {
    const sent = this.sendOnce(request);
    if (request.isWrite || request.opcode === Op.sync) return sent;
    return sent.catch((why: unknown) =>
      untilTaken(why, () => this.sendOnce(request), this.sessionTimeoutMs / 3, this.options.clock),
    );
  }

  private sendOnce(request: ClientRequest): Promise<JuteReader> {
    const { operation, path } = request;
    try {
      checkPath(operation, path);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    if (this.end !== undefined) return Promise.reject(new SessionLostError(this.end.why));
    if (this.current === 'closed' || this.closing !== undefined) {
      return Promise.reject(new NotConnectedError(operation, path, 'the session was closed'));
    }
    const wired = { ...request, write: (writer: JuteWriter) => request.write(writer, each => this.toServer(each)) };
    return this.connection.send(wired).catch((error: unknown) => {
      if (this.renewing === undefined || !(error instanceof ReplyLostError)) throw error;
      return new Promise((resolve, reject) => {
        this.readsToRepeat.push(() => void this.connection.send(wired).then(resolve, reject));
      });
    });
  }

  /** @param path the client's */
  addOneShot(kind: OneShotKind, path: string, listener: OneShotListener, signal?: AbortSignal): void {
    this.watches.addOneShot(kind, this.toServer(path), listener, signal);
    if (this.isOver) this.endOneShots();
  }

  /** Ends the session; waits at most 3 s for the server's confirmation, during an outage also for a connection. */
  close(): Promise<void> {
    this.closing ??= this.endSession();
    return this.closing;
  }

  /** Gives up a session that was never attached: there is nothing to end on the server. */
  abandon(): void {
    this.current = 'closed';
    this.connection.close();
  }

  /**
   * Closes the connection, if there is one, and waits for the next. Reads that were under way are sent again, in their order,
   * before the promise settles.
   *
   * @throws SessionLostError, NotConnectedError after one session timeout
   */
  renewed(): Promise<void> {
    this.renewing ??= this.renew().finally(() => {
      this.renewing = undefined;
      for (const repeat of this.readsToRepeat.splice(0)) repeat();
    });
    return this.renewing;
  }

  private async renew(): Promise<void> {
    const deadline = new Deadline(this.sessionTimeoutMs, this.options.clock);
    this.connection.renew('the server is about to close the connection');
    while (this.current === 'uncertain' && !deadline.isOver) await this.nextState(deadline.remainingMs);
    if (this.end !== undefined) throw new SessionLostError(this.end.why);
    if (this.current !== 'connected') throw new NotConnectedError('reconnect', '/', 'there is no confirmed connection');
  }

  private async endSession(): Promise<void> {
    if (this.current === 'lost') return;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>(resolve => (timer = setTimeout(resolve, closeLimitMs)));
    await Promise.race([this.sendClose(), limit]);
    clearTimeout(timer);
    this.current = 'closed';
    this.connection.close();
  }

  private async sendClose(): Promise<void> {
    for (;;) {
      try {
        await this.connection.send(closeRequest());
        return;
      } catch (error) {
        // Not sent: the outage may end within the limit. Sent and unanswered: the server closes the connection after it.
        if (!(error instanceof NotConnectedError) || this.isOver) return;
      }
      await this.nextState(closeLimitMs);
    }
  }

  /** Waits for a change of state, or until `limitMs` have passed. */
  private nextState(limitMs: number): Promise<void> {
    return new Promise(resolve => {
      const go = (): void => {
        subscription.dispose();
        clearTimeout(timer);
        resolve();
      };
      const subscription = this.onState(go);
      const timer = setTimeout(go, limitMs);
    });
  }

  /**
   * Events wait until the replies that came before them have reached their readers (promise continuations run first):
   * a listing that still contains a node must not be processed after the event of its delete.
   */
  private enqueue(event: ServerEvent): void {
    this.undelivered.push(event);
    if (this.undelivered.length > 1) return;
    setImmediate(() => {
      const events = this.undelivered;
      this.undelivered = [];
      for (const each of events) this.deliver(each);
    });
  }

  private deliver(event: ServerEvent): void {
    const path = toClientPath(this.chroot, event.path);
    if (path === undefined) return;
    for (const listener of this.watches.take(event)) callListener(listener, { type: event.type, path }, this.logger);
    this.treeChanged({ ...event, path });
  }

  /** The session is over: no one-shot watch will fire any more. */
  private endOneShots(): void {
    for (const { path, listener } of this.watches.takeAll()) {
      callListener(listener, { type: 'lost', path: toClientPath(this.chroot, path) ?? path }, this.logger);
    }
  }

  private get isOver(): boolean {
    return this.current === 'lost' || this.current === 'closed';
  }

  private become(state: api.SessionState, cause?: SessionCause): void {
    if (this.current === state || this.isOver) return;
    this.current = state;
    this.report(cause);
  }

  /** An outage goes on, and its cause became known: reported as one more `uncertain`. */
  private explain(cause: SessionCause): void {
    if (this.current === 'uncertain' && this.sessionId !== 0n) this.report(cause);
  }

  private report(cause: SessionCause | undefined): void {
    const { current: state, lastContactAt } = this;
    const reason = cause === undefined ? 'it answers' : sessionReason(cause);
    this.states.fire({ state, reason, ...(cause === undefined ? {} : { cause }), lastContactAt });
  }

  private finish(end: SessionLostError): void {
    const { why } = end;
    if (this.current !== 'closed') {
      this.end = end;
      this.become('lost', why);
      this.logger.warn(`Session lost: ${sessionReason(why)}`);
    } else this.report(why);
    this.endOneShots();
  }
}

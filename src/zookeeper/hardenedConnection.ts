import { AttemptPacer } from './attemptPacer.ts';
import type { MonotonicClock } from '../base/deadline.ts';
import { toDisposable, type Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { sessionText } from '../base/sessionText.ts';
import { Op, type ServerEvent } from './wire/records.ts';
import type { ServerAddress } from './connectString.ts';
import { ContactClock, Watchdog } from './contactClock.ts';
import { brokeOff, type FailureCause, noAnswer, type ServerFailure, textOf } from './connectFailure.ts';
import { AuthenticationFailedError, NotConnectedError, SessionLostError } from './errors.ts';
import { Handshake } from './handshake.ts';
import { encodeHandshake, LibraryConnection, LibraryState, type HandshakeReply } from './library.ts';
import { leaderRequest, quorumRequest, type WireRequest } from './requests.ts';
import { askStatus, Refusals } from './refusals.ts';
import { RequestChannel } from './requestChannel.ts';
import { type CredentialRefused, type Doubt, refusalOf, sessionReason, type SessionCause } from './sessionCause.ts';
import { Transport, type TransportOptions } from './transport.ts';
import { WatchFrameLimit } from './watchFrameLimit.ts';
import type { Frame } from './wire/frameSplitter.ts';
import { MalformedReplyError, type JuteReader } from './wire/jute.ts';

export interface ConnectionOptions extends TransportOptions {
  servers: readonly ServerAddress[];
  /** Requested, ms; the server may change it. */
  sessionTimeoutMs: number;
  /** How long one server may take for connection, handshake and authentication while there is no session yet, ms. */
  handshakeTimeoutMs: number;
  auth: readonly { scheme: string; credential: string }[];
  clock: MonotonicClock;
  logger: Logger;
}

/** Events of a connection, for its session. None of these may throw. */
export interface ConnectionListener {
  /** The session is attached to a server; requests may be sent. `trusted` may follow, see `isTrustworthy`. */
  attached(): void;
  /** Contact is confirmed again. */
  trusted(): void;
  /** There is a connection, but no confirmed contact. */
  doubted(why: Doubt): void;
  /** The connection is gone; the session may live. */
  detached(why: SessionCause): void;
  /** The session is over for good. */
  ended(why: SessionLostError): void;
  /** What a server says about why it closes connections in the handshake; again when that changes. */
  refused(failure: ServerFailure): void;
  /** One attempt, or an attached connection, failed. */
  failed(failure: ServerFailure): void;
  serverEvent(event: ServerEvent): void;
  /** Frames of at most `limit` bytes that register the session's watches again; sent before any request. */
  watchFrames(lastZxid: bigint, limit: number): Buffer[];
}

/** A session asks servers why they refuse it when they have done so for this long, ms: most elections are over by then. */
const patienceMs = 3_000;

/** Phase of a connection attempt. Requests are sent only when `ready`; `asking`: finding out why a server refused us. */
type Phase = 'idle' | 'dialling' | 'asking' | 'handshake' | 'authenticating' | 'ready' | 'over';

/**
 * Sub-class of the library's connection manager that replaces connection, handshake, authentication, back-off and order. It keeps
 * the base class's server list, session identity, credentials and state names. Faults that it handles: D1, D2, D5-D15, D18-D23, D27-D31 of docs/faults.md.
 */
export class HardenedConnection extends LibraryConnection {
  private readonly settings: ConnectionOptions;
  private readonly listener: ConnectionListener;
  readonly contact: ContactClock;
  private readonly pacer: AttemptPacer;
  private readonly channel: RequestChannel;
  private readonly watchdog: Watchdog;
  private transport: Transport | undefined;
  private phase: Phase = 'idle';
  private attemptTimer: NodeJS.Timeout | undefined;
  private handshakeSentAt = 0;
  private readyAt = 0;
  private readonly refusals: Refusals;
  private readonly watchFrameLimit = new WatchFrameLimit();
  private hasSession = false;
  private quorumUsers = 0;
  private lagUsers = 0;

  constructor(options: ConnectionOptions, listener: ConnectionListener) {
    // The library's own parser is not used (D16, D17): it gets a constant, the real servers are set below.
    super('localhost:2181', { sessionTimeout: options.sessionTimeoutMs, spinDelay: 0, retries: 0 }, () => undefined);
    this.servers = [...options.servers];
    this.settings = options;
    this.listener = listener;
    this.contact = new ContactClock(options.clock, options.sessionTimeoutMs);
    this.pacer = new AttemptPacer(options.clock);
    this.refusals = new Refusals((server, limit) => askStatus(server, options, limit), options.clock);
    this.channel = new RequestChannel(this.contact);
    this.watchdog = new Watchdog(this.contact, {
      ping: () => this.channel.ping(),
      confirm: () => this.confirm(),
      tick: () => this.channel.expire(this.sessionTimeout),
      trusted: () => listener.trusted(),
      doubted: why => listener.doubted(why),
      silent: () => this.drop(noAnswer((this.sessionTimeout * 2) / 3)),
      lost: () => this.expire({ kind: 'silent', timeoutMs: this.sessionTimeout }),
    });
    for (const { scheme, credential } of options.auth) this.addAuthInfo(scheme, Buffer.from(credential));
  }

  get id(): bigint {
    return this.sessionId.readBigInt64BE(0);
  }

  /** `host:port` of the attached server, if any. */
  get attachedServer(): string | undefined {
    return this.phase === 'ready' ? this.serverName : undefined;
  }

  /** Whether requests can be sent and the last acknowledgement is recent. Checked by the clock at every use (F27). */
  get isTrustworthy(): boolean {
    return this.phase === 'ready' && this.contact.contact === 'confirmed';
  }

  private get seenZxid(): bigint {
    return this.zxid.readBigInt64BE(0);
  }

  /**
   * Sends a request with all others of this tick in one flush.
   *
   * @returns the reply, positioned behind its header
   * @throws ZooKeeperError, ReplyTooLargeError, NotConnectedError (nothing was sent), ReplyLostError, OutcomeUnknownError
   */
  send(request: WireRequest): Promise<JuteReader> {
    if (this.phase !== 'ready' || this.contact.contact === 'silent') {
      const why = this.phase === 'over' ? 'the session is over' : 'there is no confirmed connection';
      return Promise.reject(new NotConnectedError(request.operation, request.path, why));
    }
    return this.channel.send(request, this.isProof(request));
  }

  /** From now on only transactions prove contact, until the result is disposed. */
  confirmByQuorum(): Disposable {
    this.quorumUsers += 1;
    return toDisposable(() => (this.quorumUsers -= 1));
  }

  /** From now on events that come fast may be read up to 100 ms later, together, until the result is disposed. */
  allowLag(): Disposable {
    this.lagUsers += 1;
    return toDisposable(() => (this.lagUsers -= 1));
  }

  private get needsQuorum(): boolean {
    return this.quorumUsers > 0;
  }

  private isProof({ isWrite, opcode }: WireRequest): boolean {
    return isWrite || (opcode === Op.sync && !this.needsQuorum);
  }

  /** Sends a request through the leader. Only its answer counts, which the channel sees. */
  private confirm(): void {
    this.send(this.needsQuorum ? quorumRequest() : leaderRequest()).catch(() => undefined);
  }

  /** Closes an attached connection and connects to the next server. */
  renew(why: string): void {
    if (this.phase === 'ready') this.drop(brokeOff(why));
  }

  /** Starts connecting, and goes on until the session is over. */
  override connect(): void {
    if (this.phase !== 'idle') return;
    this.phase = 'dialling';
    this.setState(LibraryState.CONNECTING);
    this.findNextServer(server => this.visit(server));
  }

  /** Ends the session on this side: nothing is sent any more. The caller has sent the closing request if it could. */
  override close(): void {
    this.end(LibraryState.CLOSED, new SessionLostError({ kind: 'closed' }));
  }

  protected override findNextServer(callback: (server: ServerAddress) => void): void {
    const server = this.servers[this.nextServerIndex++ % this.servers.length];
    if (server === undefined) return;
    this.attemptTimer = setTimeout(() => callback(server), this.pacer.next(this.servers.length));
  }

  private get serverName(): string {
    return this.transport?.name ?? 'no server';
  }

  private visit(server: ServerAddress): void {
    this.pacer.started();
    if (this.refusals.isToBeAsked(server, this.hasSession ? patienceMs : 0)) {
      this.phase = 'asking';
      void this.ask(server);
    } else this.dial(server);
  }

  private dial(server: ServerAddress): void {
    const handshake = new Handshake(this.credentials, {
      send: frame => this.transport?.write(frame),
      granted: reply => this.acceptSession(reply),
      refused: refusal => this.refuse(refusal),
      done: () => this.becomeReady(),
    });
    this.transport = new Transport(server, this.settings, {
      connected: () => this.beginHandshake(handshake),
      frame: frame => (this.phase === 'ready' ? this.acceptReply(frame) : handshake.accept(frame)),
      grew: () => this.contact.grew(),
      mayLag: () => this.phase === 'ready' && this.lagUsers > 0,
      isAwaiting: () => !this.channel.isIdle,
      failed: cause => this.drop(cause),
    });
    const limit = this.attemptLimitMs;
    this.attemptTimer = setTimeout(() => this.drop(noAnswer(limit)), limit);
  }

  /** While a session waits for its reconnect only the last third of its timeout is left, for all servers together. */
  private get attemptLimitMs(): number {
    if (!this.hasSession) return this.settings.handshakeTimeoutMs;
    return Math.max(100, this.sessionTimeout / 3 / this.servers.length);
  }

  private beginHandshake(handshake: Handshake): void {
    this.phase = 'handshake';
    this.handshakeSentAt = this.contact.now;
    const { zxid, sessionTimeout, sessionId, sessionPassword } = this;
    handshake.begin(encodeHandshake(zxid, sessionTimeout, sessionId, sessionPassword), !this.hasSession);
  }

  /** @returns whether the session goes on */
  private acceptSession(reply: HandshakeReply): boolean {
    const isExpired = reply.sessionTimeoutMs <= 0;
    if (isExpired || (this.hasSession && !reply.sessionId.equals(this.sessionId))) {
      this.expire({ kind: isExpired ? 'expired' : 'replaced', server: this.serverName });
      return false;
    }
    this.hasSession = true;
    this.sessionId = Buffer.from(reply.sessionId);
    this.sessionPassword = Buffer.from(reply.password);
    this.updateTimeout(reply.sessionTimeoutMs);
    this.contact.negotiated(reply.sessionTimeoutMs);
    this.contact.attached(this.handshakeSentAt, !this.needsQuorum);
    this.phase = 'authenticating';
    return true;
  }

  private becomeReady(): void {
    const transport = this.transport;
    if (transport === undefined) return;
    clearTimeout(this.attemptTimer);
    this.refusals.clear();
    const watchFrames = this.listener.watchFrames(this.seenZxid, this.watchFrameLimit.bytes);
    this.watchFrameLimit.sent(watchFrames);
    for (const frame of watchFrames) transport.write(frame);
    this.channel.open(bytes => transport.write(bytes));
    this.phase = 'ready';
    this.readyAt = this.contact.now;
    this.watchdog.connected(this.pingTimeout);
    this.setState(LibraryState.CONNECTED);
    this.settings.logger.info(`Session ${sessionText(this.id)} attached to ${this.serverName}`);
    this.listener.attached();
  }

  private acceptReply(frame: Frame): void {
    const { zxid, event, error, areWatches } = this.channel.accept(frame);
    const refusal = refusalOf(error);
    if (refusal !== undefined) {
      this.refuse(refusal);
      return;
    }
    if (areWatches) this.acceptWatches(error);
    if (zxid > this.seenZxid) this.zxid.writeBigInt64BE(zxid);
    if (event !== undefined) this.listener.serverEvent(event);
    this.watchdog.confirmed();
  }

  /** @throws MalformedReplyError for a refusal, since the watches would be missing until the next connection */
  private acceptWatches(error: number): void {
    this.watchFrameLimit.answered();
    if (error !== 0) throw new MalformedReplyError(`watches refused with error ${error}`);
  }

  private refuse(refusal: CredentialRefused): void {
    this.end(LibraryState.AUTHENTICATION_FAILED, new AuthenticationFailedError(refusal.by(this.serverName)));
  }

  /** Closes the connection and tries the next server. */
  private drop(cause: FailureCause): void {
    const server = this.transport?.server;
    if (this.phase === 'over' || this.phase === 'idle' || server === undefined) return;
    this.judgeWatchFrames(server, cause);
    if (this.phase === 'ready') this.pacer.ended(this.contact.now - this.readyAt);
    if (cause.failure === 'refused') this.pacer.refused();
    const failure = { ...server, ...(this.isRefusal(cause) ? this.refusals.refused(server) : cause) };
    this.detach(this.ownStop() ?? { kind: 'connection', failure });
    this.tryNext(failure);
  }

  /** After a stop of this program that cost the trust, the server is not to blame for what became of the connection. */
  private ownStop(): SessionCause | undefined {
    this.watchdog.noteLateness();
    const { contact, doubt } = this.contact;
    return this.phase === 'ready' && contact !== 'confirmed' && doubt.kind === 'stopped' ? doubt : undefined;
  }

  /** A full server closes what it has just accepted, so the end may come before the connection is known to be there. */
  private isRefusal(cause: FailureCause): boolean {
    const isEarly = this.phase === 'dialling' || this.phase === 'handshake';
    return isEarly && cause.failure === 'closed' && cause.reason === 'broke-off';
  }

  private judgeWatchFrames({ host, port }: ServerAddress, cause: FailureCause): void {
    const unanswered = this.watchFrameLimit.ended(cause.failure === 'closed');
    if (unanswered === undefined) return;
    const { logger } = this.settings;
    logger.warn(
      `${host}:${port} closed the connection before it had set all watches again (largest frame: ${unanswered} bytes). ` +
        `Its jute.maxbuffer may be lower: from now on in frames of at most ${this.watchFrameLimit.bytes} bytes`,
    );
  }

  private tryNext(failure: ServerFailure): void {
    this.settings.logger.info(`Connection to ${failure.host}:${failure.port} ended: ${textOf(failure)}`);
    this.phase = 'idle';
    this.listener.failed(failure);
    this.connect();
  }

  /** Instead of an attempt: reads the status of a server that keeps closing the connection in the handshake without a reason. */
  private async ask(server: ServerAddress): Promise<void> {
    const limit = Math.min(1_000, this.attemptLimitMs);
    const { cause, isNews } = await this.refusals.judge(server, this.seenZxid, limit);
    if (this.phase !== 'asking') return;
    // It serves by now: it is the next to be tried.
    if (cause.failure === 'closed' && cause.reason === 'hung-up') this.nextServerIndex -= 1;
    const failure = { ...server, ...cause };
    if (isNews) this.listener.refused(failure);
    if (this.hasSession && this.refusals.showOlderCluster(this.servers)) this.expire({ kind: 'connection', failure });
    else this.tryNext(failure);
  }

  private expire(why: SessionCause): void {
    this.end(LibraryState.SESSION_EXPIRED, new SessionLostError(why));
  }

  private detach(why: SessionCause): void {
    const wasReady = this.phase === 'ready';
    clearTimeout(this.attemptTimer);
    this.transport?.destroy();
    this.transport = undefined;
    this.phase = 'idle';
    this.channel.fail(sessionReason(why));
    if (this.hasSession) this.watchdog.disconnected();
    this.setState(LibraryState.DISCONNECTED);
    if (wasReady) this.listener.detached(why);
  }

  private end(state: number, why: SessionLostError): void {
    if (this.phase === 'over') return;
    this.detach(why.why);
    this.phase = 'over';
    this.watchdog.stop();
    this.setState(state);
    this.listener.ended(why);
  }
}

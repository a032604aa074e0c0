import { AttemptPacer } from './attemptPacer.ts';
import type { ConnectionListener, ConnectionOptions, Phase } from './connectionTypes.ts';
import type { ServerAddress } from './connectString.ts';
import { ContactClock } from './contactClock.ts';
import { NotConnectedError, type ConnectFailure } from './errors.ts';
import {
  decodeHandshake,
  encodeHandshake,
  LibraryConnection,
  LibraryState,
  Xid,
  type HandshakeReply,
} from './library.ts';
import type { WireRequest } from './pendingRequests.ts';
import { RequestChannel } from './requestChannel.ts';
import { Transport } from './transport.ts';
import { Watchdog } from './watchdog.ts';
import type { Frame } from './wire/frameSplitter.ts';
import { JuteReader, MalformedReplyError } from './wire/juteReader.ts';
import { readEvent } from './wire/records.ts';

/**
 * The hardened sub-class of the library's connection manager: connection, handshake, authentication, back-off and order.
 * Of the base class it keeps the server list, the session's identity, the credentials and the state names.
 * Faults it answers: D1, D2, D5-D14, D18-D23 of faults.md.
 */
export class HardenedConnection extends LibraryConnection {
  private readonly settings: ConnectionOptions;
  private readonly listener: ConnectionListener;
  private readonly contact: ContactClock;
  private readonly pacer: AttemptPacer;
  private readonly channel: RequestChannel;
  private readonly watchdog: Watchdog;
  private transport: Transport | undefined;
  private phase: Phase = 'idle';
  private attemptTimer: NodeJS.Timeout | undefined;
  private handshakeSentAt = 0;
  private readyAt = 0;
  private authReplies = 0;
  private hasSession = false;

  constructor(options: ConnectionOptions, listener: ConnectionListener) {
    // The library's own parser is not used (D16, D17): it gets a constant, the real servers are set below.
    super('localhost:2181', { sessionTimeout: options.sessionTimeoutMs, spinDelay: 0, retries: 0 }, () => undefined);
    this.servers = [...options.servers];
    this.settings = options;
    this.listener = listener;
    this.contact = new ContactClock(options.clock, options.sessionTimeoutMs);
    this.pacer = new AttemptPacer(options.clock);
    this.channel = new RequestChannel(this.contact);
    this.watchdog = new Watchdog(this.contact, {
      ping: () => this.channel.ping(),
      tick: () => this.channel.expire(this.sessionTimeout),
      trusted: isTrusted => listener.trusted(isTrusted),
      silent: () => this.drop('timeout', `no answer for ${Math.round((this.sessionTimeout * 2) / 3)} ms`),
      lost: () => this.end(LibraryState.SESSION_EXPIRED, `no confirmed contact for ${this.sessionTimeout} ms`),
    });
    for (const { scheme, credential } of options.auth) this.addAuthInfo(scheme, Buffer.from(credential));
  }

  get id(): bigint {
    return this.sessionId.readBigInt64BE(0);
  }

  get negotiatedTimeoutMs(): number {
    return this.sessionTimeout;
  }

  /** `host:port` of the attached server, if any. */
  get attachedServer(): string | undefined {
    return this.phase === 'ready' ? this.serverName : undefined;
  }

  /** Whether requests can be sent and the last acknowledgement is recent. Judged by the clock at every use (F27). */
  get isTrustworthy(): boolean {
    return this.phase === 'ready' && this.contact.contact === 'confirmed';
  }

  /** Milliseconds since a server last confirmed contact. */
  get sinceContactMs(): number {
    return this.contact.sinceAcknowledgedMs;
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
    return this.channel.send(request);
  }

  /** Gives an attached connection up and dials the next server. */
  renew(why: string): void {
    if (this.phase === 'ready') this.drop('closed', why);
  }

  /** Starts connecting, and goes on until the session is over. */
  override connect(): void {
    if (this.phase !== 'idle') return;
    this.phase = 'dialling';
    this.setState(LibraryState.CONNECTING);
    this.findNextServer(server => this.dial(server));
  }

  /** Ends the session on this side: nothing is sent any more. The caller has sent the closing request if it could. */
  override close(): void {
    this.end(LibraryState.CLOSED, 'it was closed');
  }

  protected override findNextServer(callback: (server: ServerAddress) => void): void {
    const server = this.servers[this.nextServerIndex++ % this.servers.length];
    if (server === undefined) return;
    clearTimeout(this.attemptTimer);
    this.attemptTimer = setTimeout(() => callback(server), this.pacer.next(this.servers.length));
  }

  private get serverName(): string {
    const server = this.transport?.server;
    return server === undefined ? 'no server' : `${server.host}:${server.port}`;
  }

  private dial(server: ServerAddress): void {
    this.transport = new Transport(server, this.settings.tls, this.settings.replyLimit, {
      connected: () => this.onSocketConnected(),
      frame: frame => this.accept(frame),
      grew: () => this.contact.grew(),
      failed: (failure, detail) => this.drop(failure, detail),
    });
    // While a session is at stake only the last third of its timeout is left, for all servers together.
    const deadline = this.hasSession
      ? Math.max(100, this.sessionTimeout / 3 / this.servers.length)
      : this.settings.handshakeTimeoutMs;
    this.attemptTimer = setTimeout(() => this.drop('timeout', `no answer within ${Math.round(deadline)} ms`), deadline);
  }

  protected override onSocketConnected(): void {
    this.phase = 'handshake';
    this.handshakeSentAt = this.contact.now;
    const { zxid, sessionTimeout, sessionId, sessionPassword } = this;
    this.transport?.write(encodeHandshake(zxid, sessionTimeout, sessionId, sessionPassword));
  }

  private accept(frame: Frame): void {
    if (this.phase === 'ready' || this.phase === 'authenticating') {
      this.acceptReply(frame);
      return;
    }
    const reply = this.phase === 'handshake' ? decodeHandshake(frame.body) : undefined;
    if (reply === undefined) throw new MalformedReplyError('no handshake');
    this.acceptHandshake(reply);
  }

  private acceptHandshake(reply: HandshakeReply): void {
    const isOther = this.hasSession && !reply.sessionId.equals(this.sessionId);
    if (reply.sessionTimeoutMs <= 0 || isOther) {
      const why = isOther ? 'handed out another session' : 'says that it has expired';
      this.end(LibraryState.SESSION_EXPIRED, `${this.serverName} ${why}`);
      return;
    }
    this.hasSession = true;
    this.sessionId = Buffer.from(reply.sessionId);
    this.sessionPassword = Buffer.from(reply.password);
    this.updateTimeout(reply.sessionTimeoutMs);
    this.contact.negotiated(reply.sessionTimeoutMs);
    this.contact.acknowledged(this.handshakeSentAt);
    this.phase = 'authenticating';
    this.authReplies = this.credentials.length;
    for (const credential of this.credentials) this.transport?.write(this.channel.authFrame(credential));
    if (this.authReplies === 0) this.becomeReady();
  }

  private becomeReady(): void {
    const transport = this.transport;
    if (transport === undefined) return;
    clearTimeout(this.attemptTimer);
    for (const frame of this.listener.watchFrames(this.zxid.readBigInt64BE(0))) transport.write(frame);
    this.channel.open(bytes => transport.write(bytes));
    this.phase = 'ready';
    this.readyAt = this.contact.now;
    this.watchdog.connected(this.pingTimeout);
    this.setState(LibraryState.CONNECTED);
    this.settings.logger.info(`Session 0x${BigInt.asUintN(64, this.id).toString(16)} attached to ${this.serverName}`);
    this.listener.attached();
  }

  private acceptReply(frame: Frame): void {
    const reader = new JuteReader(frame.body);
    const xid = reader.int();
    const zxid = reader.long();
    const error = reader.int();
    if (xid === Xid.notification) {
      const event = readEvent(reader);
      if (event !== undefined) this.listener.serverEvent(event);
      return;
    }
    if (zxid > this.zxid.readBigInt64BE(0)) this.zxid.writeBigInt64BE(zxid);
    if (xid === Xid.auth) this.acceptAuth(error);
    else if (xid !== Xid.setWatches) this.channel.accept(xid, error, reader, frame.oversize);
    else if (error !== 0) throw new MalformedReplyError(`watches refused with error ${error}`);
    this.watchdog.confirmed();
  }

  private acceptAuth(error: number): void {
    if (error !== 0) {
      this.end(LibraryState.AUTHENTICATION_FAILED, `${this.serverName} refused the credentials (error ${error})`);
      return;
    }
    this.authReplies -= 1;
    if (this.authReplies === 0 && this.phase === 'authenticating') this.becomeReady();
  }

  /** Gives the connection up and tries the next server. */
  private drop(failure: ConnectFailure, detail: string): void {
    const server = this.transport?.server;
    if (this.phase === 'over' || this.phase === 'idle' || server === undefined) return;
    this.pacer.ended(this.phase === 'ready' ? this.contact.now - this.readyAt : 0);
    this.settings.logger.info(`Connection to ${this.serverName} ended: ${failure}`);
    this.detach(`${this.serverName}: ${detail}`);
    this.listener.failed({ ...server, failure, detail });
    this.connect();
  }

  private detach(reason: string): void {
    const wasReady = this.phase === 'ready';
    clearTimeout(this.attemptTimer);
    this.transport?.destroy();
    this.transport = undefined;
    this.phase = 'idle';
    this.channel.fail(reason);
    if (this.hasSession) this.watchdog.disconnected();
    this.setState(LibraryState.DISCONNECTED);
    if (wasReady) this.listener.detached(reason);
  }

  private end(state: number, reason: string): void {
    if (this.phase === 'over') return;
    this.detach(reason);
    this.phase = 'over';
    clearTimeout(this.attemptTimer);
    this.watchdog.stop();
    this.setState(state);
    this.listener.ended(reason);
  }
}

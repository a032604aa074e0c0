import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { monotonicNow } from '../base/deadline.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { sessionText } from '../base/sessionText.ts';
import { callLater } from '../base/timer.ts';
import { type AclEntry, digestIdentity, isAllowed, Right } from '../dataTree/acl.ts';
import { type Applied, DataTree } from '../dataTree/dataTree.ts';
import { ErrorCode } from '../zookeeper/wire/errorCodes.ts';
import { prepare, type WriteRequest } from '../dataTree/prepare.ts';
import { type Session, SessionTable } from '../dataTree/sessionTable.ts';
import type { Change } from '../dataTree/transaction.ts';
import { WatchTable } from '../dataTree/watchTable.ts';
import { JuteReader, JuteWriter } from '../zookeeper/wire/jute.ts';
import { Op, type ServerEvent, writeEvent } from '../zookeeper/wire/records.ts';
import { type ClientAddress, ClientConnection, type ConnectionHandler } from './clientConnection.ts';
import { fourLetterAnswer, operationName, type ServerFacts, type ShownSettings } from './fourLetterWords.ts';
import { limits } from './limits.ts';
import { answer, type Reply } from './requests.ts';
import { Turns } from './turns.ts';

export interface ServerSettings extends ShownSettings {
  containerCheckMs: number;
  /** How long a connection may stay without a session, ms, and how long its client may take to read our last words. */
  handshakeTimeMs: number;
  maxFrameBytes: number;
  logger: Logger;
}

/** Xids that the protocol reserves (ClientCnxn.java). */
const Xid = { notification: -1, ping: -2 } as const;

/** The server: what its clients share. It speaks to streams; who opens them is `startSandbox`. */
export class SandboxServer implements ConnectionHandler, ServerFacts {
  readonly settings: ServerSettings;
  readonly tree: DataTree;
  readonly sessions: SessionTable;
  readonly watches = new WatchTable<ClientConnection>();
  readonly connections = new Set<ClientConnection>();
  /** Packets of all connections, as the four-letter words count them. */
  readonly packets = { received: 0, sent: 0 };
  private readonly passwords = new Map<bigint, Buffer>();
  private readonly attached = new Map<bigint, ClientConnection>();
  /** When connections without a session end, ms of the monotonic clock; the first one first. */
  private readonly ends = new Map<ClientConnection, number>();
  private readonly turns = new Turns();
  private zxid = 0n;
  private isPaused = false;
  private isClosed = false;
  private nextContainerCheck: number | undefined;
  private wakeAt = Infinity;
  private timer: Disposable | undefined;

  constructor(settings: ServerSettings) {
    this.settings = settings;
    this.tree = new DataTree((event, acl, zxid) => this.notifyWatchers(event, acl, zxid));
    // As SessionTrackerImpl.java of server 1: its number, then 40 bits of the time.
    const firstId = (1n << 56n) | ((BigInt(Date.now()) & 0xff_ffff_ffffn) << 16n);
    this.sessions = new SessionTable(settings.tickTimeMs, firstId);
  }

  /** Takes a client. */
  accept(stream: Duplex, address: ClientAddress): void {
    if (this.isClosed) {
      stream.destroy();
      return;
    }
    const connection = new ClientConnection(stream, address, this, {
      maxFrameBytes: this.settings.maxFrameBytes,
      turns: this.turns,
    });
    this.connections.add(connection);
    connection.setPaused(this.isPaused);
    this.ending(connection);
  }

  ending(connection: ClientConnection): void {
    this.ends.delete(connection);
    this.ends.set(connection, monotonicNow() + this.settings.handshakeTimeMs);
    this.arm();
  }

  failed(connection: ClientConnection, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.settings.logger.error(`Sandbox: a request of ${connection.name} failed, its connection ends. ${text}`);
  }

  connectionOf(sessionId: bigint): ClientConnection | undefined {
    return this.attached.get(sessionId);
  }

  /** Ends a session as if its client had been silent for too long. */
  expire(session: Session): void {
    this.settings.logger.info(`Sandbox: session ${sessionText(session.sessionId)} expires.`);
    const connection = this.attached.get(session.sessionId);
    this.endSession(session, 0);
    connection?.destroy();
  }

  pause(): void {
    this.isPaused = true;
    this.disarm();
    for (const connection of this.connections) connection.setPaused(true);
  }

  /** Goes on. Sessions whose time ran out meanwhile expire first, as those of a server do that was stopped. */
  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    // What a client has sent meanwhile was not read yet: its time begins now.
    for (const connection of [...this.ends.keys()]) this.ending(connection);
    this.wake();
    for (const connection of this.connections) connection.setPaused(false);
  }

  close(): void {
    this.isClosed = true;
    this.disarm();
    for (const connection of this.connections) connection.destroy();
  }

  endOf(connection: ClientConnection): number {
    return this.ends.get(connection) ?? connection.session?.expiresAt ?? monotonicNow();
  }

  fourLetterWord(word: string): string | undefined {
    return fourLetterAnswer(word, this);
  }

  closed(connection: ClientConnection): void {
    this.connections.delete(connection);
    this.ends.delete(connection);
    this.watches.removeAll(connection);
    const sessionId = connection.session?.sessionId;
    if (sessionId !== undefined && this.attached.get(sessionId) === connection) this.attached.delete(sessionId);
  }

  frame(connection: ClientConnection, body: Buffer): void {
    this.packets.received++;
    const reader = new JuteReader(body);
    if (connection.session === undefined) this.attach(connection, reader);
    else this.request(connection, connection.session, reader);
  }

  /** The handshake: opens a session, or moves one to this connection (ZooKeeperServer.processConnectRequest). */
  private attach(connection: ClientConnection, reader: JuteReader): void {
    reader.int();
    const lastZxidSeen = reader.long();
    const asked = reader.int();
    const sessionId = reader.long();
    const password = reader.bytes();
    const knowsReadOnly = !reader.isAtEnd;
    if (lastZxidSeen > this.zxid) {
      // Another data set: the client must look for its own server.
      connection.destroy();
      return;
    }
    const { minSessionTimeoutMs, maxSessionTimeoutMs } = this.settings;
    const timeoutMs = Math.min(Math.max(asked, minSessionTimeoutMs), maxSessionTimeoutMs);
    const session = sessionId === 0n ? this.openSession(timeoutMs) : this.reopen(sessionId, password, timeoutMs);
    this.ends.delete(connection);
    connection.session = session;
    if (session !== undefined) this.attached.set(session.sessionId, connection);
    this.send(connection, writer => {
      writer
        .int(0)
        .int(session?.timeoutMs ?? 0)
        .long(session?.sessionId ?? 0n);
      writer.bytes((session && this.passwords.get(session.sessionId)) ?? Buffer.alloc(16));
      if (knowsReadOnly) writer.bool(false);
    });
    if (session === undefined) connection.end();
  }

  private openSession(timeoutMs: number): Session {
    const session = this.sessions.open(timeoutMs, monotonicNow());
    this.passwords.set(session.sessionId, randomBytes(16));
    this.commit(session.sessionId, 0, { type: 'createSession', timeoutMs });
    this.arm();
    return session;
  }

  /** The connection that has the session ends, even if the password is wrong: the server does not ask before. */
  private reopen(sessionId: bigint, password: Uint8Array, timeoutMs: number): Session | undefined {
    const former = this.attached.get(sessionId);
    if (former !== undefined) {
      this.closed(former);
      former.destroy();
    }
    const session = this.sessions.get(sessionId);
    if (session === undefined || this.passwords.get(sessionId)?.equals(password) !== true) return undefined;
    session.timeoutMs = timeoutMs;
    this.sessions.touch(session, monotonicNow());
    this.arm();
    return session;
  }

  private request(connection: ClientConnection, session: Session, reader: JuteReader): void {
    const xid = reader.int();
    const op = reader.int();
    if (op === Op.auth || op === Op.sasl) {
      if (op === Op.auth) this.authenticate(connection, xid, reader);
      else this.answerSasl(connection, xid, reader);
      return;
    }
    const now = monotonicNow();
    this.sessions.touch(session, now);
    const { sessionId } = session;
    const body = answer(op, reader, {
      tree: this.tree,
      watches: this.watches,
      client: connection,
      commit: request => this.write(connection, sessionId, xid, request),
      refuse: code => this.commit(sessionId, xid, { type: 'error', code }).error,
      closeSession: () => this.endSession(session, xid),
      notify: event => this.sendFrame(connection, eventFrame(event, -1n)),
    });
    if (body === 'unknown') {
      this.reply(connection, xid, ErrorCode.UNIMPLEMENTED, -1n);
      connection.end();
      return;
    }
    note(connection, op, xid, this.zxid, now);
    this.reply(connection, op === Op.ping ? Xid.ping : xid, body, this.zxid);
    if (op === Op.closeSession) connection.end();
  }

  /** A server without SASL answers a token with none, and the connection goes on (ZooKeeperServer.processSasl). */
  private answerSasl(connection: ClientConnection, xid: number, reader: JuteReader): void {
    if (reader.optionalBytes() === undefined) connection.destroy();
    this.reply(connection, xid, writer => writer.int(-1), 0n);
  }

  /** Adds an identity to the connection. What is no `digest`, or too much, is refused, and the connection ends. */
  private authenticate(connection: ClientConnection, xid: number, reader: JuteReader): void {
    reader.int();
    const scheme = reader.string();
    if (scheme === 'ip') {
      this.reply(connection, xid, undefined, 0n);
      return;
    }
    const credential = reader.optionalBytes();
    const isTooMuch =
      credential === undefined ||
      credential.length > limits.credential ||
      connection.identities.length >= limits.identities;
    if (scheme !== 'digest' || isTooMuch) {
      this.reply(connection, xid, ErrorCode.AUTH_FAILED, 0n);
      connection.end();
      return;
    }
    const identity = digestIdentity(Buffer.from(credential).toString());
    const isKnown = connection.identities.some(({ scheme: known, id }) => known === scheme && id === identity.id);
    if (!isKnown) connection.identities.push(identity);
    this.reply(connection, xid, undefined, 0n);
  }

  private write(connection: ClientConnection, sessionId: bigint, cxid: number, request: WriteRequest): Applied {
    const applied = this.commit(
      sessionId,
      cxid,
      prepare(this.tree, { sessionId, identities: connection.identities }, request),
    );
    if (this.tree.hasRemovable && this.nextContainerCheck === undefined) this.arm();
    return applied;
  }

  private commit(sessionId: bigint, cxid: number, change: Change): Applied {
    this.zxid++;
    return this.tree.apply({ sessionId, cxid, zxid: this.zxid, time: Date.now(), change });
  }

  private endSession(session: Session, cxid: number): void {
    const { sessionId } = session;
    this.sessions.close(session);
    this.passwords.delete(sessionId);
    this.commit(sessionId, cxid, { type: 'closeSession', paths: [...this.tree.ephemeralsOf(sessionId)] });
  }

  private notifyWatchers(event: ServerEvent, acl: readonly AclEntry[], zxid: bigint): void {
    const watchers = this.watches.triggered(event);
    if (watchers.size === 0) return;
    const frame = eventFrame(event, zxid);
    for (const watcher of watchers) {
      // Who may not read the node must not learn of its changes (CVE-2024-23944).
      if (isAllowed(acl, watcher.identities, Right.read)) this.sendFrame(watcher, frame);
    }
  }

  private reply(connection: ClientConnection, xid: number, body: Reply, zxid: bigint): void {
    this.send(connection, writer => {
      writer
        .int(xid)
        .long(zxid)
        .int(typeof body === 'number' ? body : ErrorCode.OK);
      if (typeof body === 'function') body(writer);
    });
  }

  private send(connection: ClientConnection, write: (writer: JuteWriter) => void): void {
    // A few small requests may ask for more than the memory holds.
    const writer = new JuteWriter(128, limits.unread);
    write(writer);
    this.sendFrame(connection, writer.toFrame());
  }

  private sendFrame(connection: ClientConnection, frame: Buffer): void {
    this.packets.sent++;
    if (frame.length > limits.unreadPauses && this.unreadBytes > limits.unreadTotal) connection.destroy();
    else connection.send(frame);
  }

  private get unreadBytes(): number {
    let sum = 0;
    for (const { unreadBytes } of this.connections) sum += unreadBytes;
    return sum;
  }

  /** One timer for all sessions, connections and containers; none where nothing waits for the clock. */
  private arm(): void {
    const now = monotonicNow();
    if (this.tree.hasRemovable) this.nextContainerCheck ??= now + this.settings.containerCheckMs;
    const [nextEnd = Infinity] = this.ends.values();
    const next = Math.min(this.sessions.nextExpiry ?? Infinity, nextEnd, this.nextContainerCheck ?? Infinity);
    if (this.isPaused || this.isClosed || next >= this.wakeAt) return;
    this.disarm();
    this.wakeAt = next;
    // `setImmediate`: where this process stood still, signs of life that have arrived are read first.
    const timer = callLater(() => setImmediate(() => this.timer === timer && this.wake()), Math.max(0, next - now));
    this.timer = timer;
  }

  private disarm(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.wakeAt = Infinity;
  }

  private wake(): void {
    this.wakeAt = Infinity;
    const now = monotonicNow();
    for (const session of this.sessions.overdue(now)) this.expire(session);
    for (const [connection, end] of this.ends) {
      if (end > now) break;
      connection.destroy();
    }
    if (this.nextContainerCheck !== undefined && this.nextContainerCheck <= now) {
      this.nextContainerCheck = undefined;
      for (const path of this.tree.removable(Date.now())) this.removeContainer(path);
    }
    this.arm();
  }

  private removeContainer(path: string): void {
    this.commit(0n, 0, prepare(this.tree, { sessionId: 0n, identities: [] }, { op: 'deleteContainer', path }));
  }
}

function eventFrame(event: ServerEvent, zxid: bigint): Buffer {
  const writer = new JuteWriter().int(Xid.notification).long(zxid).int(ErrorCode.OK);
  writeEvent(writer, event);
  return writer.toFrame();
}

function note({ traffic }: ClientConnection, op: number, cxid: number, zxid: bigint, now: number): void {
  traffic.lastOperation = operationName(op);
  traffic.lastCxid = cxid;
  traffic.lastZxid = zxid;
  traffic.lastResponseAt = now;
}

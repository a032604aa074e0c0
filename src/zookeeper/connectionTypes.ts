import type { MonotonicClock } from '../base/deadline.ts';
import type { Logger } from '../base/logger.ts';
import type { ServerAddress } from './connectString.ts';
import type { ServerFailure } from './connectFailure.ts';
import type { SessionLostError } from './errors.ts';
import type { openSocket, TlsContext } from './openSocket.ts';
import type { SessionCause } from './sessionCause.ts';
import type { ServerEvent } from './wire/records.ts';

export interface ConnectionOptions {
  servers: readonly ServerAddress[];
  /** Asked for, ms; the server may change it. */
  sessionTimeoutMs: number;
  /** How long one server may take for connection, handshake and authentication while there is no session yet, ms. */
  handshakeTimeoutMs: number;
  auth: readonly { scheme: string; credential: string }[];
  tls: TlsContext | undefined;
  openSocket: typeof openSocket;
  clock: MonotonicClock;
  logger: Logger;
  /** Largest reply that is kept, bytes. */
  replyLimit: number;
}

/** What the session hears from its connection. None of these may throw. */
export interface ConnectionListener {
  /** The session is attached to a server; requests may be sent. */
  attached(): void;
  /** There is a connection, but its acknowledgements are late (`false`), or they are in time again (`true`). */
  trusted(isTrusted: boolean): void;
  /** The connection is gone; the session may live. */
  detached(why: SessionCause): void;
  /** The session is over for good. */
  ended(why: SessionLostError): void;
  /** Why a server hung up on the handshake; once per outage and server. */
  refused(failure: ServerFailure): void;
  /** One attempt, or an attached connection, failed. */
  failed(failure: ServerFailure): void;
  serverEvent(event: ServerEvent): void;
  /** Frames that register the session's watches again; sent before any request. */
  watchFrames(lastZxid: bigint): Buffer[];
}

/** Where an attempt stands. Requests flow only when `ready`; `asking`: finding out why a server refused us. */
export type Phase = 'idle' | 'dialling' | 'asking' | 'handshake' | 'authenticating' | 'ready' | 'over';

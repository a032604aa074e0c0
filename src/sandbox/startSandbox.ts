import type { Logger } from '../base/logger.ts';
import type { openSocket } from '../zookeeper/openSocket.ts';

export interface SandboxOptions {
  /** Loopback port. Default: a free one. */
  port?: number;
  /** ms. Session time-outs are rounded up to it; 2 to 20 of them may be negotiated. Default 1,000. */
  tickTimeMs?: number;
  /** Upper limit of session time-outs, ms. Default 20 ticks. */
  maxSessionTimeoutMs?: number;
  /** How often empty containers are removed, ms. Default 5 ticks. */
  containerCheckMs?: number;
  /** Largest request (`jute.maxbuffer`), bytes. Default 1,048,575. */
  maxFrameBytes?: number;
  logger?: Logger;
}

export interface SandboxSession {
  sessionId: bigint;
  /** Negotiated, ms. */
  timeoutMs: number;
  /** `host:port` of its client; `undefined` while it has no connection. */
  address: string | undefined;
}

/** A ZooKeeper server inside this process, on loopback, in memory. For trying things out: real locks belong on a real ensemble. */
export interface Sandbox {
  /** `127.0.0.1:<port>` */
  readonly connectString: string;
  readonly port: number;
  /** A connection without a socket, for `connect` in this process. */
  readonly openSocket: typeof openSocket;
  sessions(): SandboxSession[];
  /** Ends a session at once, as if its client had been silent for too long. */
  expire(sessionId: bigint): void;
  /** Cuts the connection of a session; the session lives on. */
  disconnect(sessionId: bigint): void;
  /** Freezes the server: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** Ends all connections and forgets all data. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox.
 *
 * @throws SandboxPortError when the port is taken
 */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return Promise.reject(new Error(`Not built yet: ${String(options.port)}`));
}

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { duplexPair } from 'node:stream';
import { nullLogger, type Logger } from '../base/logger.ts';
import type { OpenSocket } from '../zookeeper/openSocket.ts';
import { SandboxPortError } from './sandboxPortError.ts';
import { SandboxServer } from './server.ts';

export interface SandboxOptions {
  /** Loopback port. Default: a free one. */
  port?: number;
  /** ms. Sessions expire at whole ticks; their time-outs are 2 to 20 ticks. Default 1,000. */
  tickTimeMs?: number;
  /** Upper limit of session time-outs, ms. Default 20 ticks. */
  maxSessionTimeoutMs?: number;
  /** How often containers that are empty again and TTL nodes whose time is over are removed, ms. Default 5 ticks. */
  containerCheckMs?: number;
  /** How long a connection may stay without a session, and how long its client may take to read our last words, ms. Default 10,000. */
  handshakeTimeMs?: number;
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

/**
 * A ZooKeeper server inside this process: on loopback, in memory, one server. For trying things out: real locks belong on a real
 * ensemble. It behaves as ZooKeeper 3.9; what it lacks is listed in docs/sandbox.md.
 */
export interface Sandbox {
  /** `127.0.0.1:<port>` */
  readonly connectString: string;
  readonly port: number;
  /** A connection inside this process, without a socket, for `connect`; the address that it is given does not matter. */
  readonly openSocket: OpenSocket;
  sessions(): SandboxSession[];
  /** Ends a session at once, as if its client had been silent for too long. Nothing happens where there is no such session. */
  expire(sessionId: bigint): void;
  /** Cuts the connection of a session; the session lives on. */
  disconnect(sessionId: bigint): void;
  /** Freezes the server: connections stay open, new ones are taken, and nothing answers. */
  pause(): void;
  /** Goes on. Sessions whose time has run out meanwhile expire first. */
  resume(): void;
  /** Ends all connections and forgets everything. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox. It is ready when the promise resolves, some milliseconds later.
 *
 * @throws SandboxPortError
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { sandbox } = await startSandboxServer(options);
  return sandbox;
}

/** A sandbox with the server behind it, for tests that need what no client can do. */
export async function startSandboxServer(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; server: SandboxServer }> {
  const listener = createServer({ noDelay: true });
  const port = await listen(listener, options.port ?? 0);
  const { tickTimeMs = 1_000 } = options;
  const server = new SandboxServer({
    port,
    tickTimeMs,
    minSessionTimeoutMs: 2 * tickTimeMs,
    maxSessionTimeoutMs: options.maxSessionTimeoutMs ?? 20 * tickTimeMs,
    containerCheckMs: options.containerCheckMs ?? 5 * tickTimeMs,
    // As NIOServerCnxnFactory.java.
    handshakeTimeMs: options.handshakeTimeMs ?? 10_000,
    maxFrameBytes: options.maxFrameBytes ?? 0xf_ffff,
    logger: options.logger ?? nullLogger,
  });
  // What the system cannot take costs a client its connection, and never this process its life.
  listener.on('error', error => server.settings.logger.warn(`Sandbox: a connection was not taken. ${error.message}`));
  listener.on('connection', socket => {
    server.accept(socket, { host: socket.remoteAddress ?? '127.0.0.1', port: socket.remotePort ?? 0 });
  });
  return { sandbox: control(listener, port, server), server };
}

function control(listener: Server, port: number, server: SandboxServer): Sandbox {
  let closed: Promise<void> | undefined;
  return {
    connectString: `127.0.0.1:${port}`,
    port,
    openSocket: () => openInside(server),
    sessions: () =>
      Array.from(server.sessions.all, ({ sessionId, timeoutMs }) => ({
        sessionId,
        timeoutMs,
        address: server.connectionOf(sessionId)?.name,
      })),
    expire: sessionId => {
      const session = server.sessions.get(sessionId);
      if (session !== undefined) server.expire(session);
    },
    disconnect: sessionId => server.connectionOf(sessionId)?.destroy(),
    pause: () => server.pause(),
    resume: () => server.resume(),
    close: () => (closed ??= close(listener, server)),
  };
}

async function listen(listener: Server, port: number): Promise<number> {
  try {
    // Never anything but loopback: everyone who reaches the port may change everything.
    listener.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(listener, 'listening');
  } catch (error) {
    throw new SandboxPortError(port, (error as NodeJS.ErrnoException).code ?? String(error));
  }
  return (listener.address() as AddressInfo).port;
}

async function close(listener: Server, server: SandboxServer): Promise<void> {
  server.close();
  if (!listener.listening) return;
  const closed = once(listener, 'close');
  listener.close();
  await closed;
}

/** Both ends of a stream in memory. The client's end emits `connect` as a socket does. */
function openInside(server: SandboxServer): ReturnType<OpenSocket> {
  const [client, ours] = duplexPair();
  server.accept(ours, { host: '127.0.0.1', port: 0 });
  process.nextTick(() => {
    if (!client.destroyed) client.emit('connect');
  });
  // A pair in memory does not end its other half when one is destroyed.
  client.on('close', () => ours.destroy());
  ours.on('close', () => client.destroy());
  return client;
}

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { FrameSplitter, toFrame } from './frames.ts';

/** The fake's end of one connection. */
export class FakeConnection {
  private readonly socket: Socket;
  private readonly splitter = new FrameSplitter();
  private readonly arrived: Buffer[] = [];
  private waiting: (() => void) | undefined;
  readonly closed: Promise<void>;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', chunk => {
      this.arrived.push(
        ...this.splitter.push(chunk as Buffer).map(({ bytes, raw }) => (raw ? bytes : bytes.subarray(4))),
      );
      this.wake();
    });
    // The client may reset at any moment; `closed` shows it.
    socket.on('error', () => undefined);
    this.closed = new Promise(resolve => {
      socket.once('close', () => {
        this.wake();
        resolve();
      });
    });
  }

  /** The next request without its length prefix. @throws Error when the client closes instead */
  async nextFrame(): Promise<Buffer> {
    for (;;) {
      const frame = this.arrived.shift();
      if (frame !== undefined) return frame;
      if (this.socket.destroyed) throw new Error('The client closed the connection.');
      await new Promise<void>(resolve => {
        this.waiting = resolve;
      });
    }
  }

  sendFrame(payload: Uint8Array): void {
    this.socket.write(toFrame(payload));
  }

  /** As it is: banners, broken lengths, half frames. */
  sendRaw(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  end(): void {
    this.socket.end();
  }

  reset(): void {
    this.socket.resetAndDestroy();
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.();
  }
}

export type Script = (connection: FakeConnection, index: number) => void | Promise<void>;

export class FakeServer {
  readonly connections: FakeConnection[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(script: Script) {
    this.server = createServer(socket => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      const connection = new FakeConnection(socket);
      this.connections.push(connection);
      // A script that waits for one more request ends with the connection.
      void Promise.resolve(script(connection, this.connections.length - 1)).catch(() => undefined);
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get connectString(): string {
    return `127.0.0.1:${this.port}`;
  }

  get openConnections(): number {
    return this.sockets.size;
  }

  async listen(host: string): Promise<void> {
    this.server.listen(0, host);
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

/** Listens on a free loopback port and plays `script` for every connection. */
export async function startFakeServer(script: Script, host = '127.0.0.1'): Promise<FakeServer> {
  const server = new FakeServer(script);
  await server.listen(host);
  return server;
}

/** Accepts and never says a word. */
export const silent: Script = () => undefined;

/** Closes every connection at once, as a server does that refuses more clients of one address. */
export const closing: Script = connection => connection.end();

/** Speaks first, as SSH, SMTP and MySQL do. */
export const sshServer: Script = connection => connection.sendRaw('SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n');

/** Answers whatever comes like a web server, and closes. */
export const httpServer: Script = async connection => {
  await connection.nextFrame();
  connection.sendRaw(
    'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n400 Bad Request',
  );
  connection.end();
};

/** Announces a frame of 2 GB. */
export const hugeFrame: Script = async connection => {
  await connection.nextFrame();
  connection.sendRaw(Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
};

/** Payload of the reply to a connect request. */
export function connectReply(session: { sessionId: bigint; timeoutMs: number; readOnly?: boolean }): Buffer {
  const payload = Buffer.alloc(37);
  payload.writeInt32BE(0, 0);
  payload.writeInt32BE(session.timeoutMs, 4);
  payload.writeBigInt64BE(session.sessionId, 8);
  payload.writeInt32BE(16, 16);
  payload.fill(7, 20, 36);
  payload.writeUInt8(session.readOnly === true ? 1 : 0, 36);
  return payload;
}

/** Payload of a reply to an operation: header and, where there is one, the serialised body. */
export function reply(
  header: { xid: number; zxid?: bigint; error?: number },
  body: Uint8Array = Buffer.alloc(0),
): Buffer {
  const payload = Buffer.alloc(16 + body.length);
  payload.writeInt32BE(header.xid, 0);
  payload.writeBigInt64BE(header.zxid ?? 1n, 4);
  payload.writeInt32BE(header.error ?? 0, 12);
  payload.set(body, 16);
  return payload;
}

/**
 * Reads the connect request and grants a session; `answer` then decides about each request.
 *
 * @param answer gets xid, opcode and the body; returns the payload to send, or `undefined` to stay silent
 */
export function sessionServer(
  session: { sessionId: bigint; timeoutMs: number; readOnly?: boolean },
  answer: (request: { xid: number; opcode: number; body: Buffer }, connection: FakeConnection) => Buffer | undefined,
): Script {
  return async connection => {
    await connection.nextFrame();
    connection.sendFrame(connectReply(session));
    for (;;) {
      const frame = await connection.nextFrame();
      const request = { xid: frame.readInt32BE(0), opcode: frame.readInt32BE(4), body: frame.subarray(8) };
      const payload = answer(request, connection);
      if (payload !== undefined) connection.sendFrame(payload);
    }
  };
}

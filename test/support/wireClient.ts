import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FrameSplitter } from '../../src/zookeeper/wire/frameSplitter.ts';
import { JuteReader, JuteWriter } from '../../src/zookeeper/wire/jute.ts';
import { Op, readEvent, type ServerEvent } from '../../src/zookeeper/wire/records.ts';

/** A reply; `error` is the server's code. */
export interface WireReply {
  xid: number;
  zxid: bigint;
  error: number;
  body: JuteReader;
}

export interface WireSession {
  timeoutMs: number;
  sessionId: bigint;
  password: Buffer;
}

type Write = (writer: JuteWriter) => unknown;

/** A frame from what `write` writes. */
export function wireFrame(write: Write): Buffer {
  const writer = new JuteWriter();
  write(writer);
  return writer.toFrame();
}

/** The request that opens or reopens a session. */
export function handshakeFrame(session: Partial<WireSession> = {}): Buffer {
  const { timeoutMs = 10_000, sessionId = 0n, password = Buffer.alloc(16) } = session;
  return wireFrame(writer => writer.int(0).long(0n).int(timeoutMs).long(sessionId).bytes(password).bool(false));
}

/** One connection that sends what it is given, sense or nonsense. */
export class WireClient {
  readonly socket: Socket;
  readonly events: ServerEvent[] = [];
  /** Everything that came before the first frame was asked for, and all frames afterwards. */
  readonly frames: Buffer[] = [];
  private readonly splitter = new FrameSplitter(64 * 1024 * 1024);
  private readonly waiting: ((frame: Buffer | undefined) => void)[] = [];
  private xid = 0;
  isEnded = false;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      for (const { body } of this.splitter.push(chunk)) this.arrive(body);
    });
    // What ends a connection is seen by `close`.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isEnded = true;
      for (const resolve of this.waiting.splice(0)) resolve(undefined);
    });
  }

  static async open(port: number): Promise<WireClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new WireClient(socket);
  }

  /** A connection with a session. */
  static async withSession(
    port: number,
    session: Partial<WireSession> = {},
  ): Promise<WireClient & { session: WireSession }> {
    const client = await WireClient.open(port);
    return Object.assign(client, { session: await client.handshake(session) });
  }

  /** @throws Error when the connection ends instead */
  async handshake(session: Partial<WireSession> = {}): Promise<WireSession> {
    this.socket.write(handshakeFrame(session));
    const reader = new JuteReader(await this.frame());
    reader.int();
    return { timeoutMs: reader.int(), sessionId: reader.long(), password: Buffer.from(reader.bytes()) };
  }

  /**
   * Sends a request and waits for its reply.
   *
   * @throws Error when the connection ends instead, or brings the reply to another request
   */
  async request(op: number, write: Write = () => undefined): Promise<WireReply> {
    const sent = this.send(op, write);
    // The protocol has one number for all pings.
    const wanted = op === Op.ping ? -2 : sent;
    const reply = await this.reply();
    if (reply.xid !== wanted) throw new Error(`The reply to request ${reply.xid} came instead of that to ${wanted}.`);
    return reply;
  }

  /** The next reply, to whatever request; events before it go to `events`. @throws Error when the connection ends instead */
  async reply(): Promise<WireReply> {
    for (;;) {
      const reader = new JuteReader(await this.frame());
      const [xid, zxid, error] = [reader.int(), reader.long(), reader.int()];
      if (xid !== -1) return { xid, zxid, error, body: reader };
      const event = readEvent(reader);
      if (event !== undefined) this.events.push(event);
    }
  }

  /** Sends a request and does not wait. @returns its xid */
  send(op: number, write: Write = () => undefined): number {
    this.xid++;
    this.socket.write(wireFrame(writer => write(writer.int(this.xid).int(op))));
    return this.xid;
  }

  create(path: string, data: Uint8Array = Buffer.alloc(0), flags = 0): Promise<WireReply> {
    return this.request(Op.create, writer => writeCreate(writer, path, data, flags));
  }

  /** The next frame. @throws Error when the connection ends instead */
  async frame(): Promise<Buffer> {
    const frame = this.frames.shift() ?? (await this.arrival());
    if (frame === undefined) throw new Error('The connection has ended.');
    return frame;
  }

  /** Waits until the other side ends the connection. */
  async ended(): Promise<void> {
    if (!this.isEnded) await once(this.socket, 'close');
  }

  close(): void {
    this.socket.destroy();
  }

  private arrival(): Promise<Buffer | undefined> {
    return this.isEnded ? Promise.resolve(undefined) : new Promise(resolve => this.waiting.push(resolve));
  }

  private arrive(frame: Buffer): void {
    const resolve = this.waiting.shift();
    if (resolve === undefined) this.frames.push(frame);
    else resolve(frame);
  }
}

/** A create that everyone may read and change. */
export function writeCreate(writer: JuteWriter, path: string, data: Uint8Array, flags: number): JuteWriter {
  return writer.string(path).bytes(data).int(1).int(31).string('world').string('anyone').int(flags);
}

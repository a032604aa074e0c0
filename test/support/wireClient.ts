import { once } from 'node:events';
import type { Socket } from 'node:net';
import { JuteReader, JuteWriter } from '../../src/zookeeper/wire/jute.ts';
import { Op, readEvent, type ServerEvent } from '../../src/zookeeper/wire/records.ts';
import { connectFrame, readConnectAnswer, WireTransport, type WireSession } from './wireTransport.ts';

/** A reply; `error` is the server's code. */
export interface WireReply {
  xid: number;
  zxid: bigint;
  error: number;
  body: JuteReader;
}

type Write = (writer: JuteWriter) => unknown;

/** A frame from what `write` writes. */
export function wireFrame(write: Write): Buffer {
  const writer = new JuteWriter();
  write(writer);
  return writer.toFrame();
}

/** One connection that sends what it is given, sense or nonsense. */
export class WireClient {
  readonly events: ServerEvent[] = [];
  /** Everything that came before the first frame was asked for, and all frames afterwards. */
  readonly frames: Buffer[] = [];
  private readonly transport: WireTransport;
  private readonly waiting: ((frame: Buffer | undefined) => void)[] = [];
  private readonly end = Promise.withResolvers<undefined>();
  private xid = 0;

  private constructor(port: number) {
    this.transport = new WireTransport(port, {
      frame: payload => this.arrive(payload),
      noise: () => this.socket.destroy(),
      ended: () => {
        for (const resolve of this.waiting.splice(0)) resolve(undefined);
        this.end.resolve(undefined);
      },
    });
  }

  static async open(port: number): Promise<WireClient> {
    const client = new WireClient(port);
    await once(client.socket, 'connect');
    return client;
  }

  get socket(): Socket {
    return this.transport.socket;
  }

  /** Whether the other side has ended the connection, or we have. */
  get isEnded(): boolean {
    return this.transport.isEnded;
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
    this.socket.write(connectFrame(session));
    const { timeoutMs, sessionId, password } = readConnectAnswer(await this.frame());
    return { timeoutMs, sessionId, password };
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

  /** Of the request that was sent last. */
  get lastXid(): number {
    return this.xid;
  }

  /** Waits until the other side ends the connection. */
  async ended(): Promise<void> {
    await this.end.promise;
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

import { once } from 'node:events';
import { createServer, Socket, type Server } from 'node:net';
import { freePorts } from '../../scripts/zookeeper/ports.ts';
import { FrameSplitter } from './frames.ts';

/** `up`: from the client to the server. */
export type Direction = 'up' | 'down';

/** What happens to a frame: it passes, vanishes, is replaced, or the connection is reset instead. */
export type FrameFate = 'forward' | 'drop' | 'cut' | Buffer;

export interface RequestFrame {
  /** -2 ping, -4 auth, -8 setWatches; the connect request has `undefined`. */
  xid: number | undefined;
  opcode: number | undefined;
  /** With its length prefix. */
  frame: Buffer;
}

export interface ReplyFrame {
  /** -1 notification, -2 ping; the connect reply has `undefined`. */
  xid: number | undefined;
  /** 0 is fine. */
  error: number | undefined;
  frame: Buffer;
}

interface Trickle {
  bytes: number;
  everyMs: number;
}

/** Lets waiters pass while it is open. */
class Gate {
  private isOpen = true;
  private waiting: (() => void)[] = [];

  set(open: boolean): void {
    this.isOpen = open;
    if (!open) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const pass of waiting) pass();
  }

  async pass(): Promise<void> {
    while (!this.isOpen) await new Promise<void>(resolve => this.waiting.push(resolve));
  }
}

/** What a proxy carries. */
export interface ProxyOptions {
  /** Where it listens. Default 127.0.0.1. */
  host?: string;
  /** Default: a free one that no outgoing connection takes while the proxy refuses connections. */
  port?: number;
  /**
   * `servers`: no frames of the client protocol. Bytes pass as they come, and the acceptor hears of a connection only while no
   * direction is a black hole, as in a partition, where the first packet of a connection is lost already. Default `client`.
   */
  traffic?: 'client' | 'servers';
  /** Only for `servers`: replaces bytes of the dialling side as they come. */
  rewrite?: (chunk: Buffer) => Buffer;
}

class Switches {
  readonly gates = { up: new Gate(), down: new Gate() };
  readonly delayMs = { up: 0, down: 0 };
  readonly trickle: Record<Direction, Trickle | undefined> = { up: undefined, down: undefined };
  onRequest: (request: RequestFrame) => FrameFate = () => 'forward';
  onReply: (reply: ReplyFrame) => FrameFate = () => 'forward';
}

class Counts {
  /** Accepted since the start. */
  connections = 0;
  readonly bytes = { up: 0, down: 0 };
  readonly frames = { up: 0, down: 0 };
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** One direction of one connection. Bytes leave in the order in which they came, whatever the switches do. */
class Pipe {
  private readonly direction: Direction;
  private readonly sink: Socket;
  private readonly cut: () => void;
  private readonly switches: Switches;
  private readonly counts: Counts;
  private readonly split: (chunk: Buffer) => { bytes: Buffer; raw: boolean }[];
  private seen = 0;
  private tail = Promise.resolve();

  constructor(
    direction: Direction,
    { source, sink, cut }: { source: Socket; sink: Socket; cut: () => void },
    { switches, counts, options }: { switches: Switches; counts: Counts; options: ProxyOptions },
  ) {
    this.direction = direction;
    this.sink = sink;
    this.cut = cut;
    const splitter = new FrameSplitter();
    const rewrite = direction === 'up' ? options.rewrite : undefined;
    this.split =
      options.traffic === 'servers'
        ? chunk => [{ bytes: rewrite?.(chunk) ?? chunk, raw: true }]
        : chunk => splitter.push(chunk);
    this.switches = switches;
    this.counts = counts;
    source.on('data', chunk => this.take(chunk));
    // Ends and resets are bytes on the wire too: a black hole swallows them.
    source.on('end', () => this.later(() => this.pass(() => sink.end())));
    source.on('error', () => undefined);
    source.on('close', hadError => {
      if (hadError) void this.pass(cut);
    });
  }

  private take(chunk: Buffer): void {
    this.counts.bytes[this.direction] += chunk.length;
    for (const { bytes, raw } of this.split(chunk)) {
      if (!raw) this.counts.frames[this.direction]++;
      this.later(() => this.forward(bytes, raw));
    }
  }

  private async pass(step: () => void): Promise<void> {
    await this.switches.gates[this.direction].pass();
    step();
  }

  private later(step: () => Promise<unknown>): void {
    // A socket that went away meanwhile ends the connection; the test sees that on its own side.
    this.tail = this.tail.then(step).then(
      () => undefined,
      () => this.cut(),
    );
  }

  private async forward(bytes: Buffer, raw: boolean): Promise<void> {
    const fate = raw ? 'forward' : this.fate(bytes);
    if (fate === 'drop') return;
    if (fate === 'cut') {
      this.cut();
      return;
    }
    const delayMs = this.switches.delayMs[this.direction];
    if (delayMs > 0) await pause(delayMs);
    await this.write(Buffer.isBuffer(fate) ? fate : bytes);
  }

  private fate(frame: Buffer): FrameFate {
    const isHandshake = this.seen++ === 0;
    const word = (offset: number) => (isHandshake || frame.length < offset + 4 ? undefined : frame.readInt32BE(offset));
    if (this.direction === 'up') return this.switches.onRequest({ xid: word(4), opcode: word(8), frame });
    return this.switches.onReply({ xid: word(4), error: word(16), frame });
  }

  private async write(bytes: Buffer): Promise<void> {
    let start = 0;
    while (start < bytes.length) {
      await this.switches.gates[this.direction].pass();
      if (this.sink.destroyed) return;
      const trickle = this.switches.trickle[this.direction];
      const end = trickle === undefined ? bytes.length : Math.min(bytes.length, start + trickle.bytes);
      this.sink.write(bytes.subarray(start, end));
      start = end;
      if (trickle !== undefined) await pause(trickle.everyMs);
    }
  }
}

/** A faulty network between a client and one server, or between two servers. Every switch acts at once, on open connections too. */
export class TcpProxy {
  readonly port: number;
  readonly counts = new Counts();
  private readonly switches = new Switches();
  private readonly server: Server;
  private readonly target: { host: string; port: number };
  private readonly open = new Set<() => void>();
  private readonly options: ProxyOptions;

  constructor(target: { host: string; port: number }, port: number, options: ProxyOptions) {
    this.target = target;
    this.port = port;
    this.options = options;
    this.server = createServer({ allowHalfOpen: true }, client => this.accept(client));
  }

  get connectString(): string {
    return `127.0.0.1:${this.port}`;
  }

  get openConnections(): number {
    return this.open.size;
  }

  /** `false`: new connections are refused, open ones stay. */
  async setAccepting(accepting: boolean): Promise<void> {
    if (accepting === this.server.listening) return;
    if (!accepting) {
      // The callback waits for open connections too; that no more are accepted is true at once.
      this.server.close();
      return;
    }
    this.server.listen(this.port, this.options.host ?? '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Resets every open connection. */
  cut(): void {
    for (const cut of this.open) cut();
  }

  /** Connections stay open and bytes stay away; with `none` they arrive late, as after a network partition. */
  blackHole(direction: Direction | 'both' | 'none'): void {
    this.switches.gates.up.set(direction !== 'up' && direction !== 'both');
    this.switches.gates.down.set(direction !== 'down' && direction !== 'both');
  }

  /** Every frame of that direction waits so long; 0 ends it. */
  delay(direction: Direction, ms: number): void {
    this.switches.delayMs[direction] = ms;
  }

  /** Sends at most `bytes` at once, then nothing for `everyMs`; `undefined` ends it. */
  trickle(direction: Direction, trickle: Trickle | undefined): void {
    this.switches.trickle[direction] = trickle;
  }

  /** Decides about every frame from the client; replaces a former decision. */
  onRequest(decide: (request: RequestFrame) => FrameFate): void {
    this.switches.onRequest = decide;
  }

  /** Decides about every frame from the server; replaces a former decision. */
  onReply(decide: (reply: ReplyFrame) => FrameFate): void {
    this.switches.onReply = decide;
  }

  /** Every frame passes again. */
  forwardAll(): void {
    this.switches.onRequest = () => 'forward';
    this.switches.onReply = () => 'forward';
  }

  /**
   * Lets the server carry out a request and loses the reply: the `nth` reply (1 is the next one) to an operation, pings and
   * notifications not counted, is replaced by a reset.
   */
  cutInsteadOfReply(nth: number): void {
    let count = 0;
    this.onReply(({ xid }) => (xid !== undefined && xid > 0 && ++count === nth ? 'cut' : 'forward'));
  }

  async close(): Promise<void> {
    this.blackHole('none');
    const closed = this.server.listening ? once(this.server, 'close') : Promise.resolve();
    this.server.close();
    this.cut();
    await closed;
  }

  private accept(client: Socket): void {
    this.counts.connections++;
    const server = new Socket({ allowHalfOpen: true });
    client.setNoDelay(true);
    server.setNoDelay(true);
    const cut = () => {
      this.open.delete(cut);
      for (const side of [client, server]) {
        // libuv cannot reset a socket whose end was sent already: it would stay open for ever.
        if (side.writableEnded) side.destroy();
        else side.resetAndDestroy();
      }
    };
    this.open.add(cut);
    let sides = 2;
    for (const side of [client, server]) side.once('close', () => --sides === 0 && this.open.delete(cut));
    const shared = { switches: this.switches, counts: this.counts, options: this.options };
    new Pipe('up', { source: client, sink: server, cut }, shared);
    new Pipe('down', { source: server, sink: client, cut }, shared);
    if (this.options.traffic === 'servers') void this.dialWhenOpen(client, server, cut);
    else server.connect(this.target);
  }

  private async dialWhenOpen(client: Socket, server: Socket, cut: () => void): Promise<void> {
    const { up, down } = this.switches.gates;
    const dialler = { gaveUp: false };
    client.once('end', () => (dialler.gaveUp = true));
    await Promise.all([up.pass(), down.pass()]);
    if (dialler.gaveUp || server.destroyed) cut();
    else server.connect(this.target);
  }
}

/** @param port of a server on 127.0.0.1 */
export async function startTcpProxy(port: number, options: ProxyOptions = {}): Promise<TcpProxy> {
  // A port that the system chooses may belong to an outgoing connection when the proxy listens on it for the second time.
  const own = options.port ?? (await freePorts(1))[0]!;
  const proxy = new TcpProxy({ host: '127.0.0.1', port }, own, options);
  await proxy.setAccepting(true);
  return proxy;
}

import type { Duplex } from 'node:stream';
import type { Id } from '../dataTree/acl.ts';
import type { Session } from '../dataTree/sessionTable.ts';
import { FrameSplitter, type Frame } from '../zookeeper/wire/frameSplitter.ts';
import { MalformedReplyError } from '../zookeeper/wire/jute.ts';
import { limits } from './limits.ts';
import type { Turns } from './turns.ts';

/** What a connection needs of its server. */
export interface ConnectionHandler {
  /** @throws MalformedReplyError for bytes that make no sense: the connection ends */
  frame(connection: ClientConnection, body: Buffer): void;
  /** @returns the answer to a four-letter word; `undefined` for other words */
  fourLetterWord(word: string): string | undefined;
  /** The connection ends as soon as its client has read what was sent, which it may never do. */
  ending(connection: ClientConnection): void;
  closed(connection: ClientConnection): void;
  /** Something failed that no client should be able to make fail; the connection ends. */
  failed(connection: ClientConnection, error: unknown): void;
}

export interface ClientAddress {
  host: string;
  port: number;
}

/** What `cons` and `stat` say of a connection. */
export interface Traffic {
  received: number;
  sent: number;
  lastOperation: string;
  lastCxid: number;
  lastZxid: bigint;
  /** ms of the monotonic clock. */
  lastResponseAt: number;
}

/** One client on a stream: its frames in order, its replies, and how much of them it has not read. */
export class ClientConnection {
  readonly address: ClientAddress;
  /** Epoch ms. */
  readonly openedAt = Date.now();
  readonly traffic: Traffic = {
    received: 0,
    sent: 0,
    lastOperation: 'NA',
    lastCxid: -1,
    lastZxid: 0n,
    lastResponseAt: 0,
  };
  /** What the client has proved; its address is always one. */
  readonly identities: Id[];
  /** Set by the handshake. */
  session: Session | undefined;
  private readonly stream: Duplex;
  private readonly handler: ConnectionHandler;
  private readonly splitter: FrameSplitter;
  private readonly waiting: Frame[] = [];
  private greeting: Buffer | undefined = Buffer.alloc(0);
  private outgoing: Buffer[] = [];
  private outgoingBytes = 0;
  private isPaused = false;
  private isOver = false;
  private readonly turns: Turns;
  private isInLine = false;

  constructor(
    stream: Duplex,
    address: ClientAddress,
    handler: ConnectionHandler,
    options: { maxFrameBytes: number; turns: Turns },
  ) {
    this.stream = stream;
    this.turns = options.turns;
    this.address = address;
    this.identities = [{ scheme: 'ip', id: address.host }];
    this.handler = handler;
    this.splitter = new FrameSplitter(options.maxFrameBytes);
    stream.on('data', (chunk: Buffer) => this.receive(chunk));
    // `close` follows; a client that goes away is nothing to report.
    stream.on('error', () => undefined);
    stream.on('close', () => {
      this.isOver = true;
      handler.closed(this);
    });
  }

  get name(): string {
    return `${this.address.host}:${this.address.port}`;
  }

  /** Whether it has ended, for us at least. */
  get isEnded(): boolean {
    return this.isOver;
  }

  /**
   * Sends a whole frame; frames of one turn of the event loop go out together. A client inside the process would keep the event loop
   * from its timers and sockets otherwise.
   */
  send(frame: Buffer): void {
    if (this.isOver) return;
    // Counted without this frame: one reply may be large.
    if (this.unreadBytes > limits.unread) {
      this.destroy();
      return;
    }
    if (this.outgoing.length === 0) setImmediate(() => this.flush());
    this.outgoing.push(frame);
    this.outgoingBytes += frame.length;
    this.traffic.sent++;
  }

  /** Ends the connection after what was sent. */
  end(): void {
    if (this.isOver) return;
    this.flush();
    this.isOver = true;
    this.waiting.length = 0;
    this.handler.ending(this);
    this.stream.end(() => this.stream.destroy());
  }

  /** Ends the connection at once. */
  destroy(): void {
    this.isOver = true;
    this.outgoing = [];
    this.outgoingBytes = 0;
    this.waiting.length = 0;
    this.stream.destroy();
  }

  /** Stops or goes on reading requests. */
  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (!isPaused) this.flush();
    this.work();
  }

  /** What was sent and the client has not read, bytes. */
  get unreadBytes(): number {
    return this.outgoingBytes + this.stream.writableLength;
  }

  private flush(): void {
    if (this.outgoing.length === 0 || this.isPaused || this.stream.destroyed) return;
    const [first] = this.outgoing;
    const bytes = this.outgoing.length === 1 && first !== undefined ? first : Buffer.concat(this.outgoing);
    this.outgoing = [];
    this.outgoingBytes = 0;
    // `drain` is not emitted where the system takes everything at once.
    this.stream.write(bytes, () => this.work());
  }

  private receive(chunk: Buffer): void {
    if (this.isOver) return;
    if (this.greeting === undefined) this.split(chunk);
    else this.greet(Buffer.concat([this.greeting, chunk]));
  }

  /** The first four bytes are a four-letter word or the length of a frame. */
  private greet(greeting: Buffer): void {
    this.greeting = greeting;
    if (greeting.length < 4) return;
    this.greeting = undefined;
    const answer = this.guarded(() => this.handler.fourLetterWord(greeting.toString('latin1', 0, 4)));
    if (answer === undefined) {
      if (!this.isOver) this.split(greeting);
      return;
    }
    this.stream.write(answer);
    this.end();
  }

  /** Whatever a client sends, and whatever mistake of ours it finds, must not reach the program around us: the connection ends. */
  private guarded<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof MalformedReplyError)) this.handler.failed(this, error);
      this.destroy();
      return undefined;
    }
  }

  private split(chunk: Buffer): void {
    for (const frame of this.guarded(() => this.splitter.push(chunk)) ?? []) this.waiting.push(frame);
    this.work();
  }

  /** Goes through the frames that have arrived, as far as the client reads what it gets, and in turns: the process has other work. */
  private work(): void {
    if (this.isInLine) return;
    while (this.canGoOn && !this.turns.isOver) this.acceptNext();
    if (this.isOver) return;
    if (this.isBlocked || this.waiting.length > 0) this.stream.pause();
    else this.stream.resume();
    if (this.canGoOn) this.waitInLine();
  }

  private get canGoOn(): boolean {
    return !this.isOver && !this.isBlocked && this.waiting.length > 0;
  }

  private waitInLine(): void {
    this.isInLine = true;
    this.turns.wait(() => {
      this.isInLine = false;
      this.work();
    });
  }

  private get isBlocked(): boolean {
    return this.isPaused || this.unreadBytes > limits.unreadPauses;
  }

  private acceptNext(): void {
    const frame = this.waiting.shift();
    if (frame === undefined) return;
    this.traffic.received++;
    if (frame.oversize === undefined) this.guarded(() => this.handler.frame(this, frame.body));
    else this.destroy();
  }
}

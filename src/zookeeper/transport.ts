import type { Duplex } from 'node:stream';
import { brokeOff, classifySocketError, closedInHandshake, type FailureCause } from './connectFailure.ts';
import type { SocketOptions } from './openSocket.ts';
import type { ServerAddress } from './connectString.ts';
import type { MonotonicClock } from '../base/deadline.ts';
import { ReadPauses } from './readPauses.ts';
import { FrameSplitter, type Frame } from './wire/frameSplitter.ts';
import { MalformedReplyError } from './wire/jute.ts';

export interface TransportOptions extends SocketOptions {
  /** Largest reply that is kept, bytes. */
  replyLimit: number;
  clock: MonotonicClock;
}

export interface TransportListener {
  connected(): void;
  /** @throws MalformedReplyError to end the connection */
  frame(frame: Frame): void;
  /** More bytes of an incomplete frame have arrived. */
  grew(): void;
  /** Whether events may be read somewhat later. */
  mayLag(): boolean;
  /** Whether an answer is awaited, which may not. */
  isAwaiting(): boolean;
  /** The connection is over; called once, never after `destroy`. */
  failed(cause: FailureCause): void;
}

/** One connection to one server: a socket, its framing, and one report of its end. */
export class Transport {
  readonly server: ServerAddress;
  private readonly listener: TransportListener;
  private readonly socket: Duplex;
  private readonly splitter: FrameSplitter;
  private readonly pauses: ReadPauses;
  private isOver = false;
  private isInTlsHandshake: boolean;
  private hasFrames = false;
  /** The first bytes received, in case they are no frame. */
  private greeting = Buffer.alloc(0);

  constructor(server: ServerAddress, options: TransportOptions, listener: TransportListener) {
    const { tls } = options;
    this.server = server;
    this.listener = listener;
    this.splitter = new FrameSplitter(options.replyLimit);
    this.socket = options.openSocket(server, tls);
    this.pauses = new ReadPauses(this.socket, options.clock);
    this.isInTlsHandshake = tls !== undefined;
    this.socket.on(tls === undefined ? 'connect' : 'secureConnect', () => {
      this.isInTlsHandshake = false;
      if (!this.isOver) listener.connected();
    });
    this.socket.on('data', (chunk: Buffer) => this.receive(chunk));
    // Never removed: a destroyed socket may still report an error (D15).
    this.socket.on('error', error => {
      const { isInTlsHandshake } = this;
      this.fail(classifySocketError(error, { isInTlsHandshake, showsCertificate: tls?.showsCertificate === true }));
    });
    this.socket.on('close', () => {
      if (this.isInTlsHandshake) this.fail(closedInHandshake);
      else this.fail(brokeOff('the server closed the connection'));
    });
  }

  get name(): string {
    return `${this.server.host}:${this.server.port}`;
  }

  write(bytes: Uint8Array): void {
    if (this.isOver) return;
    this.pauses.end();
    this.socket.write(bytes);
  }

  /** Ends the connection; reports nothing. */
  destroy(): void {
    this.isOver = true;
    this.pauses.dispose();
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    if (this.isOver) return;
    if (!this.hasFrames) this.greeting = Buffer.concat([this.greeting, chunk]).subarray(0, 60);
    try {
      let count = 0;
      for (const frame of this.splitter.push(chunk)) {
        // A frame may end the connection; what follows it is dropped (D7).
        if (!this.ended) this.listener.frame(frame);
        this.hasFrames = true;
        count++;
      }
      if (!this.ended) this.noteChunk(count);
    } catch (error) {
      if (!(error instanceof MalformedReplyError)) throw error;
      if (this.hasFrames) this.fail(brokeOff(error.message));
      else this.failWithGreeting();
    }
  }

  private noteChunk(frames: number): void {
    if (this.listener.mayLag()) this.pauses.noteFrames(frames, this.listener.isAwaiting());
    if (this.splitter.isMidFrame) this.listener.grew();
  }

  /** The first bytes are no frame of ZooKeeper: names what answered. */
  private failWithGreeting(): void {
    const { greeting } = this;
    const text = greeting.toString('latin1').replace(/[^ -~]+/g, '.');
    // The answer of a ZooKeeper server that has no quorum (ServerCnxn.ZK_NOT_SERVING).
    if (text.includes('not currently serving'))
      this.fail({ failure: 'closed', reason: 'not-serving', detail: 'it is up but serves no requests' });
    else if (isTlsAlert(greeting)) this.fail({ failure: 'tls', reason: 'tls-port', detail: 'it answered in TLS' });
    else this.fail({ failure: 'not-zookeeper', detail: `it answered "${text}"` });
  }

  private get ended(): boolean {
    return this.isOver;
  }

  private fail(cause: FailureCause): void {
    if (this.isOver) return;
    this.destroy();
    this.listener.failed(cause);
  }
}

/** A record of type alert in TLS 1.0 to 1.3: the answer of a TLS server to plain text (RFC 8446, 5.1). */
function isTlsAlert(greeting: Buffer): boolean {
  return greeting[0] === 0x15 && greeting[1] === 0x03;
}

import type { Socket } from 'node:net';
import type { ServerAddress } from './connectString.ts';
import type { ConnectFailure } from './errors.ts';
import { classifySocketError, openSocket, type TlsOptions } from './openSocket.ts';
import { FrameSplitter, type Frame } from './wire/frameSplitter.ts';
import { MalformedReplyError } from './wire/juteReader.ts';

export interface TransportListener {
  connected(): void;
  /** @throws MalformedReplyError to give the connection up */
  frame(frame: Frame): void;
  /** More bytes of an incomplete frame have arrived. */
  grew(): void;
  /** The connection is over; told once, never after `destroy`. */
  failed(failure: ConnectFailure, detail: string): void;
}

/** One connection to one server: a socket, its framing, and an end that is told once. */
export class Transport {
  readonly server: ServerAddress;
  private readonly listener: TransportListener;
  private readonly socket: Socket;
  private readonly splitter: FrameSplitter;
  private isOver = false;
  private hasFrames = false;

  /** @param replyLimit largest frame that is kept whole, bytes */
  constructor(server: ServerAddress, tls: TlsOptions | undefined, replyLimit: number, listener: TransportListener) {
    this.server = server;
    this.listener = listener;
    this.splitter = new FrameSplitter(replyLimit);
    this.socket = openSocket(server, tls);
    this.socket.on(tls === undefined ? 'connect' : 'secureConnect', () => {
      if (!this.isOver) listener.connected();
    });
    this.socket.on('data', (chunk: Buffer) => this.receive(chunk));
    // This listener stays for ever: a destroyed socket may still report an error (D15).
    this.socket.on('error', error => {
      const { failure, detail } = classifySocketError(error);
      this.fail(failure, detail);
    });
    this.socket.on('close', () => this.fail('closed', 'the server closed the connection'));
  }

  write(bytes: Uint8Array): void {
    if (!this.isOver) this.socket.write(bytes);
  }

  /** Ends the connection without a word. */
  destroy(): void {
    this.isOver = true;
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    if (this.isOver) return;
    try {
      for (const frame of this.splitter.push(chunk)) {
        // A frame may end the connection; what follows it belongs to nobody (D7).
        if (!this.ended) this.listener.frame(frame);
        this.hasFrames = true;
      }
      if (this.splitter.isMidFrame && !this.ended) this.listener.grew();
    } catch (error) {
      if (!(error instanceof MalformedReplyError)) throw error;
      if (this.hasFrames) this.fail('closed', error.message);
      else this.fail('not-zookeeper', describeGreeting(chunk));
    }
  }

  private get ended(): boolean {
    return this.isOver;
  }

  private fail(failure: ConnectFailure, detail: string): void {
    if (this.isOver) return;
    this.destroy();
    this.listener.failed(failure, detail);
  }
}

/** What a stranger said first, as far as it can be printed. */
function describeGreeting(chunk: Buffer): string {
  const text = chunk
    .subarray(0, 40)
    .toString('latin1')
    .replace(/[^ -~]+/g, '.');
  return `it answered "${text}"`;
}

import { connect, type Socket } from 'node:net';
import { JuteReader, JuteWriter } from '../../src/zookeeper/wire/jute.ts';
import { FrameSplitter } from './frames.ts';

export interface WireSession {
  timeoutMs: number;
  sessionId: bigint;
  password: Buffer;
}

/** The first frame of a client. */
export interface ConnectRequest extends WireSession {
  lastZxidSeen: bigint;
  /** As clients before 3.4: the request ends before `readOnly`. */
  withoutReadOnly?: boolean;
}

/** The first frame of a server; without a session where it gives none. */
export interface ConnectAnswer extends WireSession {
  protocolVersion: number;
  /** `undefined`: the answer has no such field, as for clients before 3.4. */
  readOnly: boolean | undefined;
}

/** The request that opens or reopens a session. */
export function connectFrame(request: Partial<ConnectRequest> = {}): Buffer {
  const { timeoutMs = 10_000, sessionId = 0n, password = Buffer.alloc(16), lastZxidSeen = 0n } = request;
  const writer = new JuteWriter().int(0).long(lastZxidSeen).int(timeoutMs).long(sessionId).bytes(password);
  if (request.withoutReadOnly !== true) writer.bool(false);
  return writer.toFrame();
}

export function readConnectAnswer(payload: Buffer): ConnectAnswer {
  const reader = new JuteReader(payload);
  const [protocolVersion, timeoutMs, sessionId] = [reader.int(), reader.int(), reader.long()];
  const password = Buffer.from(reader.bytes());
  const readOnly = reader.isAtEnd ? undefined : reader.bool();
  return { protocolVersion, timeoutMs, sessionId, password, readOnly };
}

/** What a connection brings. */
export interface WireReceiver {
  /** @param payload without its length */
  frame(payload: Buffer): void;
  /** Bytes that are no frame. */
  noise(bytes: Buffer): void;
  /** Called once; nothing comes afterwards. */
  ended(): void;
}

/** One connection to a server in frames: it knows nothing of sessions, answers nothing and sends nothing by itself. */
export class WireTransport {
  readonly socket: Socket;
  private readonly receiver: WireReceiver;
  private readonly splitter = new FrameSplitter();
  private isOver = false;

  /** Connects; what is sent meanwhile waits. */
  constructor(port: number, receiver: WireReceiver) {
    this.receiver = receiver;
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', chunk => this.receive(chunk));
    for (const end of ['error', 'end', 'close']) this.socket.on(end, () => this.end());
  }

  get isEnded(): boolean {
    return this.isOver;
  }

  /** Ends the connection as a crash does: no word to the server, and nothing arrives any more. */
  drop(): void {
    this.isOver = true;
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    for (const { bytes, raw } of this.splitter.push(chunk)) {
      if (this.isOver) return;
      if (raw) this.receiver.noise(bytes);
      else this.receiver.frame(bytes.subarray(4));
    }
  }

  private end(): void {
    if (this.isOver) return;
    this.drop();
    this.receiver.ended();
  }
}

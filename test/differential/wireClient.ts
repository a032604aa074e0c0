import { connect, type Socket } from 'node:net';
import { JuteReader, JuteWriter } from '../../src/zookeeper/wire/jute.ts';
import { FrameSplitter } from '../support/frames.ts';
import { decodeBody, decodeEvent, type Reply, type WatchEvent } from './replies.ts';
import { encodeRequest, xidOf, type EncodingContext, type Request } from './requests.ts';

/** Answer to the first frame of a connection. */
export interface Handshake {
  kind: 'handshake';
  protocolVersion: number;
  timeoutMs: number;
  sessionId: bigint;
  password: Buffer;
  /** `undefined`: the answer has no such field, as for clients before 3.4. */
  readOnly: boolean | undefined;
}

export interface Closed {
  kind: 'closed';
}

/** The deadline passed: what was waited for did not come. */
export interface Silent {
  kind: 'silent';
  missing: string;
}

/** Whatever a connection brought, in order. */
export type Arrival = Handshake | Reply | WatchEvent | Closed | Silent;

export interface ConnectRequest {
  lastZxidSeen: bigint;
  timeoutMs: number;
  sessionId: bigint;
  password: Buffer;
  /** As clients before 3.4: the request ends before `readOnly`. */
  withoutReadOnly?: boolean;
}

const patienceMs = 10_000;

/** A connection that speaks the protocol and nothing else: no session state, no retries, no pings of its own. */
export class WireClient {
  private readonly socket: Socket;
  private readonly splitter = new FrameSplitter();
  private arrivals: Arrival[] = [];
  private expected: { xid: number; op: Request['op'] }[] = [];
  private awaitsHandshake = false;
  private nextXid = 1;
  private isOpen = true;
  private wake: () => void = () => undefined;
  /** The largest zxid of all replies and events. */
  lastZxid = 0n;

  private constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.socket.on('data', chunk => this.receive(chunk));
    this.socket.on('error', () => this.close());
    this.socket.on('close', () => this.close());
    this.socket.on('end', () => this.close());
  }

  /** Connects and waits for the answer, or for the end of the connection. */
  static async open(port: number, request: ConnectRequest): Promise<WireClient> {
    const client = new WireClient(port);
    client.awaitsHandshake = true;
    client.lastZxid = request.lastZxidSeen;
    const writer = new JuteWriter().int(0).long(request.lastZxidSeen).int(request.timeoutMs).long(request.sessionId);
    writer.bytes(request.password);
    if (request.withoutReadOnly !== true) writer.bool(false);
    client.socket.write(writer.toFrame());
    await client.until(() => !client.awaitsHandshake, 'handshake');
    return client;
  }

  get open(): boolean {
    return this.isOpen;
  }

  /** Sends requests in one write and waits for all replies, or for the end of the connection. */
  async request(requests: readonly Request[], context: Omit<EncodingContext, 'lastZxid'>): Promise<void> {
    const frames = requests.map(request => {
      const xid = xidOf(request, this.nextXid++);
      this.expected.push({ xid, op: request.op });
      return encodeRequest(request, xid, { ...context, lastZxid: this.lastZxid });
    });
    this.socket.write(Buffer.concat(frames));
    await this.until(() => this.expected.length === 0, 'reply');
  }

  /** Waits until the server ends the connection. */
  ended(): Promise<void> {
    return this.until(() => !this.isOpen, 'end of the connection');
  }

  /** What came since `take` was called. */
  get arrived(): readonly Arrival[] {
    return this.arrivals;
  }

  /** @returns what came since the last call */
  take(): Arrival[] {
    const taken = this.arrivals;
    this.arrivals = [];
    return taken;
  }

  /** Ends the connection as a crash does: no word to the server, and nothing arrives any more. */
  drop(): void {
    this.isOpen = false;
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    if (!this.isOpen) return;
    for (const { bytes, raw } of this.splitter.push(chunk)) {
      if (raw) this.arrivals.push({ kind: 'silent', missing: `a frame instead of ${bytes.toString('hex', 0, 32)}` });
      else this.receiveFrame(bytes.subarray(4));
    }
    this.wake();
  }

  private receiveFrame(payload: Buffer): void {
    if (this.awaitsHandshake) {
      this.awaitsHandshake = false;
      this.arrivals.push(readHandshake(payload));
      return;
    }
    const arrival = payload.readInt32BE(0) === -1 ? decodeEvent(payload) : this.readReply(payload);
    if (arrival.zxid > this.lastZxid) this.lastZxid = arrival.zxid;
    this.arrivals.push(arrival);
  }

  private readReply(payload: Buffer): Reply {
    const reader = new JuteReader(payload);
    const xid = reader.int();
    const zxid = reader.long();
    const err = reader.int();
    const op = this.expected.shift()?.op ?? 'raw';
    return { kind: 'reply', op, xid, zxid, err, body: decodeBody(op, payload) };
  }

  private close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.arrivals.push({ kind: 'closed' });
    this.socket.destroy();
    this.wake();
  }

  private async until(reached: () => boolean, what: string): Promise<void> {
    const end = performance.now() + patienceMs;
    while (this.isOpen && !reached()) {
      const left = end - performance.now();
      if (left <= 0) {
        this.arrivals.push({ kind: 'silent', missing: what });
        this.expected = [];
        this.awaitsHandshake = false;
        return;
      }
      await this.nextArrival(left);
    }
  }

  private nextArrival(withinMs: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(() => this.wake(), withinMs);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = () => undefined;
        resolve();
      };
    });
  }
}

function readHandshake(payload: Buffer): Handshake {
  const reader = new JuteReader(payload);
  const [protocolVersion, timeoutMs, sessionId] = [reader.int(), reader.int(), reader.long()];
  const password = Buffer.from(reader.bytes());
  const readOnly = reader.isAtEnd ? undefined : reader.bool();
  return { kind: 'handshake', protocolVersion, timeoutMs, sessionId, password, readOnly };
}

import { JuteReader } from '../../src/zookeeper/wire/jute.ts';
import {
  connectFrame,
  readConnectAnswer,
  WireTransport,
  type ConnectAnswer,
  type ConnectRequest,
} from '../support/wireTransport.ts';
import { decodeBody, decodeEvent, type Reply, type WatchEvent } from './replies.ts';
import { encodeRequest, xidOf, type EncodingContext, type Request } from './requests.ts';

/** Answer to the first frame of a connection. */
export interface Handshake extends ConnectAnswer {
  kind: 'handshake';
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

const patienceMs = 10_000;

/** A connection that speaks the protocol and nothing else: no session state, no retries, no pings of its own. */
export class WireClient {
  private readonly transport: WireTransport;
  private arrivals: Arrival[] = [];
  private expected: { xid: number; op: Request['op'] }[] = [];
  private awaitsHandshake = false;
  private nextXid = 1;
  private wake: () => void = () => undefined;
  /** The largest zxid of all replies and events. */
  lastZxid = 0n;

  private constructor(port: number) {
    this.transport = new WireTransport(port, {
      frame: payload => {
        this.receiveFrame(payload);
        this.wake();
      },
      noise: bytes => {
        this.arrivals.push({ kind: 'silent', missing: `a frame instead of ${bytes.toString('hex', 0, 32)}` });
        this.wake();
      },
      ended: () => {
        this.arrivals.push({ kind: 'closed' });
        this.wake();
      },
    });
  }

  /** Connects and waits for the answer, or for the end of the connection. */
  static async open(port: number, request: ConnectRequest): Promise<WireClient> {
    const client = new WireClient(port);
    client.awaitsHandshake = true;
    client.lastZxid = request.lastZxidSeen;
    client.transport.socket.write(connectFrame(request));
    await client.until(() => !client.awaitsHandshake, 'handshake');
    return client;
  }

  get open(): boolean {
    return !this.transport.isEnded;
  }

  /** Sends requests in one write and waits for all replies, or for the end of the connection. */
  async request(requests: readonly Request[], context: Omit<EncodingContext, 'lastZxid'>): Promise<void> {
    const frames = requests.map(request => {
      const xid = xidOf(request, this.nextXid++);
      this.expected.push({ xid, op: request.op });
      return encodeRequest(request, xid, { ...context, lastZxid: this.lastZxid });
    });
    this.transport.socket.write(Buffer.concat(frames));
    await this.until(() => this.expected.length === 0, 'reply');
  }

  /** Waits until the server ends the connection. */
  ended(): Promise<void> {
    return this.until(() => !this.open, 'end of the connection');
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
    this.transport.drop();
  }

  private receiveFrame(payload: Buffer): void {
    if (this.awaitsHandshake) {
      this.awaitsHandshake = false;
      this.arrivals.push({ kind: 'handshake', ...readConnectAnswer(payload) });
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

  private async until(reached: () => boolean, what: string): Promise<void> {
    const end = performance.now() + patienceMs;
    while (this.open && !reached()) {
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

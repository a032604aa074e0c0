import { JuteReader, JuteWriter, MalformedReplyError } from './wire/jute.ts';
import type { WireRequest } from './requests.ts';
import type { ContactClock } from './contactClock.ts';
import { OutcomeUnknownError, ReplyLostError, ReplyTooLargeError, ZooKeeperError } from './errors.ts';
import { Xid } from './library.ts';
import type { Frame } from './wire/frameSplitter.ts';
import { Op, readEvent, type ServerEvent } from './wire/records.ts';

interface PendingRequest {
  request: WireRequest;
  xid: number;
  /** Monotonic ms. */
  sentAt: number;
  /** The promise was settled already (deadline); its reply only keeps the order. */
  settled: boolean;
  resolve(reply: JuteReader): void;
  reject(error: Error): void;
}

/** Requests that wait for their replies; ZooKeeper answers in order, so this is a queue. Amortised O(1). */
class PendingRequests {
  private entries: (PendingRequest | undefined)[] = [];
  private head = 0;

  push(entry: PendingRequest): void {
    this.entries.push(entry);
  }

  shift(): PendingRequest | undefined {
    const entry = this.entries[this.head];
    if (entry === undefined) return undefined;
    this.entries[this.head] = undefined;
    this.head += 1;
    if (this.head > 1024 && this.head * 2 > this.entries.length) {
      this.entries = this.entries.slice(this.head);
      this.head = 0;
    }
    return entry;
  }

  /** @returns those sent before `sentBefore` (monotonic ms) that are not settled; they keep their place */
  overdue(sentBefore: number): PendingRequest[] {
    const late: PendingRequest[] = [];
    for (let index = this.head; index < this.entries.length; index++) {
      const entry = this.entries[index];
      if (entry === undefined || entry.sentAt >= sentBefore) break;
      if (!entry.settled) late.push(entry);
    }
    return late;
  }

  /** Empties the queue. */
  takeAll(): PendingRequest[] {
    const all = this.entries.slice(this.head).filter(entry => entry !== undefined);
    this.entries = [];
    this.head = 0;
    return all;
  }
}

const largestXid = 0x7fff_ffff;

/** Sends requests over one connection and matches the replies: in order, each settled once, none left behind. */
export class RequestChannel {
  private readonly contact: ContactClock;
  private readonly pending = new PendingRequests();
  private readonly pingsSentAt: number[] = [];
  private transmit: ((bytes: Uint8Array) => void) | undefined;
  private outgoing: Buffer[] = [];
  private xid: number;

  /** @param lastXid number of the request before the first one */
  constructor(contact: ContactClock, lastXid = 0) {
    this.contact = contact;
    this.xid = lastXid;
  }

  /** Requests leave by `transmit` from now on. */
  open(transmit: (bytes: Uint8Array) => void): void {
    this.transmit = transmit;
  }

  /** @returns the reply, positioned behind its header */
  send(request: WireRequest): Promise<JuteReader> {
    return new Promise((resolve, reject) => {
      // 2^31 requests take weeks, not years, on a busy session (D31).
      this.xid = this.xid === largestXid ? 1 : this.xid + 1;
      const writer = new JuteWriter().int(this.xid).int(request.opcode);
      request.write(writer);
      this.pending.push({ request, xid: this.xid, sentAt: this.contact.now, settled: false, resolve, reject });
      this.write(writer.toFrame());
    });
  }

  /** Sends a ping; its reply confirms contact. */
  ping(): void {
    this.pingsSentAt.push(this.contact.now);
    this.write(new JuteWriter().int(Xid.ping).int(Op.ping).toFrame());
  }

  /** All requests of one tick leave in one write: a recipe's create and listing cost one round trip. */
  private write(frame: Buffer): void {
    this.outgoing.push(frame);
    if (this.outgoing.length === 1) queueMicrotask(() => this.flush());
  }

  private flush(): void {
    const frames = this.outgoing;
    this.outgoing = [];
    const [first] = frames;
    if (this.transmit === undefined || first === undefined) return;
    this.transmit(frames.length === 1 ? first : Buffer.concat(frames));
  }

  /**
   * Takes one frame of an established connection: settles the request that it answers.
   *
   * @returns the transaction that the server has reached (0 if it is not given), and the event if it is one
   * @throws MalformedReplyError if it answers no request
   */
  accept(frame: Frame): { zxid: bigint; event: ServerEvent | undefined } {
    const reader = new JuteReader(frame.body);
    const xid = reader.int();
    const zxid = reader.long();
    const error = reader.int();
    if (xid === Xid.notification) return { zxid: 0n, event: readEvent(reader) };
    if (xid === Xid.ping) this.acceptPing();
    else if (xid !== Xid.setWatches) this.settleNext(xid, error, reader, frame.oversize);
    else if (error !== 0) throw new MalformedReplyError(`watches refused with error ${error}`);
    return { zxid, event: undefined };
  }

  private acceptPing(): void {
    const sentAt = this.pingsSentAt.shift();
    if (sentAt === undefined) throw new MalformedReplyError('an answer to no ping');
    this.contact.acknowledged(sentAt);
  }

  private settleNext(xid: number, error: number, reader: JuteReader, oversize: number | undefined): void {
    const entry = this.pending.shift();
    if (entry?.xid !== xid) throw this.outOfOrder(entry, xid);
    this.contact.acknowledged(entry.sentAt);
    if (entry.settled) return;
    const { operation, path } = entry.request;
    if (oversize !== undefined) entry.reject(new ReplyTooLargeError(operation, path, oversize));
    else if (error !== 0) entry.reject(new ZooKeeperError(error, operation, path));
    else entry.resolve(reader);
  }

  private outOfOrder(entry: PendingRequest | undefined, xid: number): MalformedReplyError {
    const problem = new MalformedReplyError(`reply ${xid} where ${entry?.xid ?? 'none'} was due`);
    if (entry !== undefined) settle(entry, problem.message);
    return problem;
  }

  /** Settles what has waited longer than `deadlineMs`; a late reply is dropped. */
  expire(deadlineMs: number): void {
    for (const entry of this.pending.overdue(this.contact.now - deadlineMs)) {
      settle(entry, `no answer within ${deadlineMs} ms`);
    }
  }

  /** The connection is gone: settles everything; nothing of it is ever sent again (D2). */
  fail(why: string): void {
    this.transmit = undefined;
    this.outgoing = [];
    this.pingsSentAt.length = 0;
    for (const entry of this.pending.takeAll()) settle(entry, why);
  }
}

function settle(entry: PendingRequest, why: string): void {
  if (entry.settled) return;
  entry.settled = true;
  const { isWrite, operation, path } = entry.request;
  entry.reject(isWrite ? new OutcomeUnknownError(operation, path, why) : new ReplyLostError(operation, path, why));
}

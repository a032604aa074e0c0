import { JuteReader, JuteWriter, MalformedReplyError } from './wire/jute.ts';
import type { WireRequest } from './requests.ts';
import type { ContactClock } from './contactClock.ts';
import { OutcomeUnknownError, ReplyLostError, ReplyTooLargeError, ZooKeeperError } from './errors.ts';
import { Xid } from './library.ts';
import type { Frame } from './wire/frameSplitter.ts';
import { Op, readEvent, type ServerEvent } from './wire/records.ts';

interface PendingRequest {
  request: WireRequest;
  /** Its success proves contact with the leader. */
  isProof: boolean;
  /** Monotonic ms. */
  sentAt: number;
  /** The promise was settled already (deadline); its reply only keeps the order. */
  settled: boolean;
  resolve(reply: JuteReader): void;
  reject(error: Error): void;
}

/** What one frame of an established connection says. */
export interface Received {
  /** The transaction that the server has reached; 0 if it is not given. */
  zxid: bigint;
  event?: ServerEvent;
  /** The server's code; 0 if it did what it was asked for. */
  error: number;
  /** Whether it answers a frame that sets watches again. */
  areWatches: boolean;
}

const largestXid = 0x7fff_ffff;
const unimplemented = -6;

/** 2^31 requests take weeks, not years, on a busy session (D31). */
function numberAfter(xid: number): number {
  return xid === largestXid ? 1 : xid + 1;
}

/** Sends requests over one connection and matches the replies: in order, each settled once, none left behind. */
export class RequestChannel {
  private readonly contact: ContactClock;
  /** Requests without a reply, by number, in the order in which they were sent. */
  private readonly pending = new Map<number, PendingRequest>();
  /** Number of the request that the next reply answers: ZooKeeper answers in order. */
  private dueXid: number;
  /** Requests behind the due one that were refused already. */
  private readonly refusedEarly = new Set<number>();
  private readonly pingsSentAt: number[] = [];
  private transmit: ((bytes: Uint8Array) => void) | undefined;
  private outgoing: Buffer[] = [];
  private xid: number;

  /** @param lastXid number of the request before the first one */
  constructor(contact: ContactClock, lastXid = 0) {
    this.contact = contact;
    this.xid = lastXid;
    this.dueXid = numberAfter(lastXid);
  }

  /** Requests leave by `transmit` from now on. */
  open(transmit: (bytes: Uint8Array) => void): void {
    this.transmit = transmit;
  }

  /**
   * @param isProof whether success proves that the request has passed through the leader. Refusals prove nothing: servers may
   *   refuse by themselves (`enableEagerACLCheck`, throttling)
   * @returns the reply, positioned behind its header
   */
  send(request: WireRequest, isProof = false): Promise<JuteReader> {
    return new Promise((resolve, reject) => {
      this.xid = numberAfter(this.xid);
      const writer = new JuteWriter(request.bytes).int(this.xid).int(request.opcode);
      request.write(writer);
      this.pending.set(this.xid, { request, isProof, sentAt: this.contact.now, settled: false, resolve, reject });
      this.write(writer.toFrame());
    });
  }

  /** Whether no answer is awaited. */
  get isIdle(): boolean {
    return [this.pending.size, this.pingsSentAt.length, this.outgoing.length].every(count => count === 0);
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
   * @throws MalformedReplyError if it answers no request
   */
  accept(frame: Frame): Received {
    const reader = new JuteReader(frame.body);
    const xid = reader.int();
    const zxid = reader.long();
    const error = reader.int();
    if (xid === Xid.notification) {
      const event = readEvent(reader);
      const timed = event === undefined ? {} : { event: zxid > 0n ? { ...event, zxid } : event };
      return { zxid: 0n, error: 0, areWatches: false, ...timed };
    }
    if (xid === Xid.ping) this.acceptPing();
    else if (xid !== Xid.setWatches && !this.settleUnimplemented(xid, error)) {
      this.settleNext(xid, error, reader, frame.oversize);
    }
    return { zxid, error, areWatches: xid === Xid.setWatches };
  }

  private acceptPing(): void {
    const sentAt = this.pingsSentAt.shift();
    if (sentAt === undefined) throw new MalformedReplyError('an answer to no ping');
    this.contact.pingAcknowledged(sentAt);
  }

  /**
   * A request that the server does not have is refused before those that it still works at are answered: it never joins
   * their queue (submitRequest in ZooKeeperServer.java).
   *
   * @returns whether it was such a refusal, ahead of its turn
   */
  private settleUnimplemented(xid: number, error: number): boolean {
    const entry = this.pending.get(xid);
    if (error !== unimplemented || entry === undefined || xid === this.dueXid) return false;
    this.pending.delete(xid);
    this.refusedEarly.add(xid);
    if (!entry.settled) entry.reject(new ZooKeeperError(error, entry.request.operation, entry.request.path));
    return true;
  }

  private settleNext(xid: number, error: number, reader: JuteReader, oversize: number | undefined): void {
    const entry = this.pending.get(this.dueXid);
    if (entry === undefined) throw new MalformedReplyError(`reply ${xid} where none was due`);
    const due = this.dueXid;
    this.pending.delete(due);
    do this.dueXid = numberAfter(this.dueXid);
    while (this.refusedEarly.delete(this.dueXid));
    if (xid !== due) {
      const problem = new MalformedReplyError(`reply ${xid} where ${due} was due`);
      settle(entry, problem.message);
      throw problem;
    }
    this.contact.acknowledged(entry.sentAt);
    if (entry.isProof && error === 0) this.contact.proved(entry.sentAt);
    if (entry.settled) return;
    const { operation, path } = entry.request;
    if (oversize !== undefined) entry.reject(new ReplyTooLargeError(operation, path, oversize));
    else if (error !== 0) entry.reject(new ZooKeeperError(error, operation, path));
    else entry.resolve(reader);
  }

  /** Settles what has waited longer than `deadlineMs`; a late reply is dropped. */
  expire(deadlineMs: number): void {
    for (const entry of this.pending.values()) {
      if (entry.sentAt >= this.contact.now - deadlineMs) return;
      settle(entry, `no answer within ${deadlineMs} ms`);
    }
  }

  /** The connection is gone: settles everything; nothing of it is ever sent again (D2). */
  fail(why: string): void {
    this.transmit = undefined;
    this.outgoing = [];
    this.pingsSentAt.length = 0;
    for (const entry of this.pending.values()) settle(entry, why);
    this.pending.clear();
    this.refusedEarly.clear();
    this.dueXid = numberAfter(this.xid);
  }
}

function settle(entry: PendingRequest, why: string): void {
  if (entry.settled) return;
  entry.settled = true;
  const { isWrite, operation, path } = entry.request;
  entry.reject(isWrite ? new OutcomeUnknownError(operation, path, why) : new ReplyLostError(operation, path, why));
}

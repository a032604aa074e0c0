import type { JuteReader, JuteWriter } from './wire/jute.ts';

/** One request as the session layer describes it. */
export interface WireRequest {
  opcode: number;
  /** For error texts: `create`, `getData`, ... */
  operation: string;
  /** The client's path, for error texts. */
  path: string;
  /** A write whose reply is lost has an unknown outcome. */
  isWrite: boolean;
  write(writer: JuteWriter): void;
}

export interface PendingRequest {
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
export class PendingRequests {
  private entries: (PendingRequest | undefined)[] = [];
  private head = 0;

  get size(): number {
    return this.entries.length - this.head;
  }

  push(entry: PendingRequest): void {
    this.entries.push(entry);
  }

  peek(): PendingRequest | undefined {
    return this.entries[this.head];
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

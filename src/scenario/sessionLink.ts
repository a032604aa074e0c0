import { Duplex } from 'node:stream';
import type { OpenSocket } from '../zookeeper/openSocket.ts';
import { FrameSplitter, type Frame } from '../zookeeper/wire/frameSplitter.ts';
import { Op } from '../zookeeper/wire/records.ts';

const creates: ReadonlySet<number> = new Set([Op.create, Op.create2]);
/** Flags of a create (CreateMode.java) that make a directory: 0, persistent. Its last field, 4 bytes (CreateRequest in zookeeper.jute). */
const persistent = 0;

/** Xid of a watch event (WatcherEvent in ClientCnxn.java). */
const notificationXid = -1;
/** Where its path begins: after the header, the type, the state, and its length (WatcherEvent in zookeeper.jute). */
const pathAt = 28;

/**
 * What one session of a scenario has instead of a network: it can be cut, it can lose one reply, and it counts the notifications that
 * the server sends. It works the same on every cluster, since it stands between the client and its socket.
 */
export class SessionLink {
  /** Watch events that have come so far, but for those that `isIgnored` leaves out. */
  notifications = 0;
  private readonly isIgnored: (path: string) => boolean;
  private cutNow = false;
  private losesReply = false;
  private readonly lines = new Set<Line>();

  /** @param isIgnored whether a change of this node is not counted; the path is the server's, with the chroot */
  constructor(isIgnored: (path: string) => boolean = () => false) {
    this.isIgnored = isIgnored;
  }

  /** An `OpenSocket` that goes through this link. */
  over(open: OpenSocket): OpenSocket {
    return (server, tls) => {
      if (this.cutNow) return refused();
      const line = new Line(open(server, tls), this);
      this.lines.add(line);
      line.on('close', () => this.lines.delete(line));
      return line;
    };
  }

  /** Breaks the connection; none is made until `restore`. */
  cut(): void {
    this.cutNow = true;
    for (const line of this.lines) line.destroy(new Error('The connection was cut.'));
  }

  restore(): void {
    this.cutNow = false;
  }

  get isCut(): boolean {
    return this.cutNow;
  }

  /** The server will execute the next create of a node that is no directory, and its reply will be lost with the connection. */
  loseNextCreate(): void {
    this.losesReply = true;
  }

  /** @param body of a request @returns whether its reply is to be lost */
  sent(body: Buffer): boolean {
    if (!this.losesReply || body.length < 12 || !creates.has(body.readInt32BE(4))) return false;
    if (body.readInt32BE(body.length - 4) === persistent) return false;
    this.losesReply = false;
    return true;
  }

  notified(path: string): void {
    if (!this.isIgnored(path)) this.notifications++;
  }
}

function refused(): Duplex {
  const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  process.nextTick(() => socket.destroy(new Error('The connection is cut.')));
  return socket;
}

/** Large enough for every reply that a scenario needs; longer ones pass all the same. */
const frameLimit = 4 * 1024 * 1024;

/** One connection. */
class Line extends Duplex {
  private readonly socket: Duplex;
  private readonly link: SessionLink;
  private readonly requests = new FrameSplitter(frameLimit);
  private readonly replies = new FrameSplitter(frameLimit);
  /** The first frame of each direction opens the session. */
  private hasRequested = false;
  private hasAnswered = false;
  private lost: number | undefined;

  constructor(socket: Duplex, link: SessionLink) {
    super();
    this.socket = socket;
    this.link = link;
    for (const event of ['connect', 'secureConnect']) socket.on(event, () => this.emit(event));
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('end', () => this.push(null));
    socket.on('error', error => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    for (const { body } of this.requests.push(chunk)) {
      if (this.hasRequested && this.link.sent(body)) this.lost = body.readInt32BE(0);
      this.hasRequested = true;
    }
    this.socket.write(chunk, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  /** What is no frame of ZooKeeper is for the client to judge. */
  private framesOf(chunk: Buffer): readonly Frame[] {
    try {
      return this.replies.push(chunk);
    } catch {
      return [];
    }
  }

  private receive(chunk: Buffer): void {
    for (const { body } of this.framesOf(chunk)) {
      const xid = this.hasAnswered && body.length >= 4 ? body.readInt32BE(0) : 0;
      this.hasAnswered = true;
      if (xid === notificationXid) this.link.notified(body.toString('utf8', pathAt));
      if (this.lost !== undefined && xid === this.lost) {
        this.destroy(new Error('The reply was lost.'));
        return;
      }
    }
    if (!this.destroyed && !this.push(chunk)) this.socket.pause();
  }
}

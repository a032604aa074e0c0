import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { encodeHandshake } from '../../../src/zookeeper/library.ts';
import { JuteWriter } from '../../../src/zookeeper/wire/jute.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import type { Commands } from './answerLines.ts';

// The least that a mutex can cost in Node: the requests that this project sends, written by hand, and of the replies only the bytes that
// decide. No failure is handled, no lease is kept, nothing is checked.

/** Xid, zxid and error of a reply. */
const headerBytes = 16;
/** Error of a reply, bytes from its start. */
const errorAt = 12;
/** What the server appends to a sequential name. */
const digits = 10;
const notification = -1;
const name = '_c_00000000-0000-0000-0000-000000000000-lock-';

function frameOf(opcode: number, write: (writer: JuteWriter) => void): Buffer {
  const writer = new JuteWriter();
  write(writer.int(1).int(opcode));
  return writer.toFrame();
}

/** A connection with a session, whose replies are waited for by their number. */
class BareConnection {
  private readonly socket: Socket;
  private rest: Buffer = Buffer.alloc(0);
  private readonly replies: Buffer[] = [];
  private wanted = 0;
  private resolve: (replies: Buffer[]) => void = () => undefined;
  private events = 0;
  private wake: () => void = () => undefined;

  private constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk: Buffer) => this.receive(chunk));
  }

  static async open(port: number): Promise<BareConnection> {
    const connection = new BareConnection(port);
    await once(connection.socket, 'connect');
    await connection.ask(1, encodeHandshake(Buffer.alloc(8), 60_000, Buffer.alloc(8), Buffer.alloc(16)));
    return connection;
  }

  /** Writes requests at once. @returns their replies, without their lengths */
  ask(count: number, bytes: Buffer): Promise<Buffer[]> {
    return new Promise(resolve => {
      this.wanted = count;
      this.resolve = resolve;
      this.socket.write(bytes);
    });
  }

  /** Waits for the next event. */
  async event(): Promise<void> {
    if (this.events === 0) await new Promise<void>(resolve => (this.wake = resolve));
    this.events = 0;
  }

  /** Ends the session. */
  async close(): Promise<void> {
    await this.ask(
      1,
      frameOf(Op.closeSession, () => undefined),
    );
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    let bytes: Buffer = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readInt32BE(0)) {
      const end = 4 + bytes.readInt32BE(0);
      const body = bytes.subarray(4, end);
      bytes = bytes.subarray(end);
      if (body.readInt32BE(0) === notification) {
        this.events += 1;
        this.wake();
      } else if (this.replies.push(body) === this.wanted) this.resolve(this.replies.splice(0));
    }
    this.rest = bytes;
  }
}

interface Joined {
  /** The own path. */
  path: string;
  /** The name of the contender ahead; absent at the head of the queue. */
  ahead: string | undefined;
}

/** Of a listing, the name with the largest number below `own`. @param at where the list begins, bytes */
function nameAhead(reply: Buffer, at: number, own: number): string | undefined {
  let left = reply.readInt32BE(at);
  let best = -1;
  let start = 0;
  let end = 0;
  for (at += 4; left > 0; left -= 1) {
    const next = at + 4 + reply.readInt32BE(at);
    let number = 0;
    for (let place = next - digits; place < next; place += 1) number = number * 10 + (reply[place] ?? 0) - 48;
    if (number < own && number > best) {
      best = number;
      start = at + 4;
      end = next;
    }
    at = next;
  }
  return best < 0 ? undefined : reply.toString('latin1', start, end);
}

/** One contender at one lock. */
class BareMutex {
  private readonly connection: BareConnection;
  private readonly directory: string;
  private readonly join: Buffer;

  constructor(connection: BareConnection, directory: string) {
    this.connection = connection;
    this.directory = directory;
    const create = frameOf(Op.create2, writer => {
      writer.string(`${directory}/${name}`).bytes(Buffer.from('bare'));
      // Everything is allowed to everyone; ephemeral, with a number.
      writer.int(1).int(31).string('world').string('anyone').int(3);
    });
    const list = frameOf(Op.getChildren2, writer => writer.string(directory).bool(false));
    this.join = Buffer.concat([create, list]);
  }

  /** Creates the own node and lists the directory, with one write. */
  async enter(): Promise<Joined> {
    const [created, listed] = await this.connection.ask(2, this.join);
    if (created === undefined || listed === undefined) throw new Error('Two replies were asked for.');
    const end = headerBytes + 4 + created.readInt32BE(headerBytes);
    const path = created.toString('latin1', headerBytes + 4, end);
    return { path, ahead: nameAhead(listed, headerBytes, Number(path.slice(-digits))) };
  }

  /** Waits until the one ahead is gone, then lists once more and reads the own node. */
  async untilHead({ path, ahead }: Joined): Promise<void> {
    while (ahead !== undefined) {
      const watched = `${this.directory}/${ahead}`;
      const watch = frameOf(Op.getData, writer => writer.string(watched).bool(true));
      const [read] = await this.connection.ask(1, watch);
      if (read?.readInt32BE(errorAt) === 0) await this.connection.event();
      const both = frameOf(Op.multiRead, writer => {
        writer.int(Op.getData).bool(false).int(-1).string(path).bool(false);
        writer.int(Op.getChildren).bool(false).int(-1).string(this.directory).bool(false);
        writer.int(-1).bool(true).int(-1);
      });
      const [answer] = await this.connection.ask(1, both);
      if (answer === undefined) throw new Error('A reply was asked for.');
      // Nine bytes before each result; the data and a stat of 68 bytes are the first one.
      const list = headerBytes + 9 + 4 + answer.readInt32BE(headerBytes + 9) + 68 + 9;
      ahead = nameAhead(answer, list, Number(path.slice(-digits)));
    }
  }

  async leave({ path }: Joined): Promise<void> {
    await this.connection.ask(
      1,
      frameOf(Op.delete, writer => writer.string(path).int(0)),
    );
  }
}

/** Opens connections for one work, whose time does not count that. */
async function withMutexes<T>(
  { port, count, path }: { port: number; count: number; path: unknown },
  use: (mutexes: readonly BareMutex[]) => Promise<T>,
): Promise<T> {
  const open: BareConnection[] = [];
  try {
    while (open.length < count) open.push(await BareConnection.open(port));
    return await use(open.map(connection => new BareMutex(connection, String(path))));
  } finally {
    await Promise.all(open.map(connection => connection.close()));
  }
}

async function takeTurns(mutexes: readonly BareMutex[], handOvers: number): Promise<number> {
  let left = handOvers;
  let end = 0;
  const start = performance.now();
  const work = async (mutex: BareMutex): Promise<void> => {
    while (left > 0) {
      const joined = await mutex.enter();
      await mutex.untilHead(joined);
      left -= 1;
      if (left === 0) end = performance.now();
      await mutex.leave(joined);
    }
  };
  await Promise.all(mutexes.map(work));
  return end - start;
}

/** The works of `lockingCommands`, by bare sockets. @param port of the server on this machine */
export function bareLockingCommands(port: number): Commands {
  return {
    async uncontended({ path, times }) {
      const ms = await withMutexes({ port, count: 1, path }, mutexes => takeTurns(mutexes, Number(times)));
      return { ms };
    },
    async contended({ path, clients, handOvers }) {
      const count = Number(clients);
      const ms = await withMutexes({ port, count, path }, mutexes => takeTurns(mutexes, Number(handOvers)));
      return { ms };
    },
  };
}

import { withoutStack } from '../base/factError.ts';
import type { NodeResult, ReadManyOptions, ReadRequest, ReadResult, Stat } from './client.ts';
import { type Abilities, bytesBesidePath, multiReadRequest, readRequest, type ClientRequest } from './requests.ts';
import { CancelledError, ReplyTooLargeError, ZooKeeperError } from './errors.ts';
import type { JuteReader } from './wire/jute.ts';
import { Op, readStat, StatInReply, statBytes } from './wire/records.ts';

/** What bulk reading needs of a session. */
export interface ReadPort {
  send(request: ClientRequest): Promise<JuteReader>;
  /** Knows whether the server has multiRead (3.6+). */
  abilities: Abilities;
}

/** A reply should stay near this, bytes: the server keeps eight of them at once for a client that takes its time. */
const wantedReply = 500_000;
/** A request must stay below a `jute.maxbuffer` of 20 kB: of what is counted here, ASCII paths need a third, bytes. */
const requestLimit = 48_000;
/** What a request of many reads takes besides them. */
const frameBytes = 64;
const firstBatch = 16;
/**
 * The next nodes may be larger than any before them: so few of 1 MB each, the limit of most servers, still make a reply that
 * can be refused and requested in parts (docs/reliability.md). What belongs together with the last one comes on top.
 */
const largestBatch = 256;
/**
 * How many requests follow from an answer: four from the first, two from each of theirs, and from then on one, so that eight
 * are under way. The server then has work while this program is busy, and round trips to one that is far away are hidden. Not
 * all at once: the first answers say how large the nodes are.
 */
const widths = [4, 2] as const;

/** Takes a result and its place. */
type Keep = (result: ReadResult, at: number) => void;

/**
 * Reads many nodes with few requests. The first batch is small, since each znode may hold 1 MB; the size of each answer
 * determines the size of the next batches.
 *
 * @param mayBegin whether a request may begin with the read at this place. Reads of one request show one moment (3.6+), so some
 *   belong together: they are only split where their paths or their replies are too long for one
 * @returns results in the order of `reads`; none if `options.onResult` receives them
 * @throws CancelledError, NotConnectedError, ReplyLostError
 */
export async function readMany(
  port: ReadPort,
  reads: readonly ReadRequest[],
  options: ReadManyOptions = {},
  mayBegin: (at: number) => boolean = () => true,
): Promise<ReadResult[]> {
  const results: ReadResult[] = [];
  const keep: Keep = options.onResult ?? ((result, at) => void (results[at] = result));
  if (reads.length === 0) return results;
  throwIfCancelled(options);
  const first = takeBatch(reads, 0, firstBatch, mayBegin);
  if (first.reads.length < reads.length) await readInBatches(port, reads, first, keep, options, mayBegin);
  else {
    // Nearly all reads of a recipe are one request, and so cost no more than that.
    const answer = await readBatch(port, first, keep);
    throwIfCancelled(options);
    answer.handOut();
  }
  return results;
}

function throwIfCancelled({ signal }: ReadManyOptions): void {
  if (signal?.aborted === true) throw new CancelledError('Reading');
}

/** Reads what is too much for one request. @param first the first batch, not sent yet */
async function readInBatches(
  port: ReadPort,
  reads: readonly ReadRequest[],
  first: Batch,
  keep: Keep,
  options: ReadManyOptions,
  mayBegin: (at: number) => boolean,
): Promise<void> {
  let batchSize = firstBatch;
  let next = first.reads.length;
  const read = async (batch: Batch): Promise<Answer> => {
    const answer = await readBatch(port, batch, keep);
    batchSize = Math.min(fittingCount(answer.nodes, answer.bytes), batchSize * 8, largestBatch);
    return answer;
  };
  const sendNext = (): Promise<Answer> | undefined => {
    if (next >= reads.length) return undefined;
    const batch = takeBatch(reads, next, batchSize, mayBegin);
    next += batch.reads.length;
    return read(batch);
  };
  // What comes next is sent before the results of an answer are taken: the server reads on meanwhile. Returns what was sent.
  const goOn = async (answer: Answer, requests: number): Promise<Promise<Answer>[]> => {
    throwIfCancelled(options);
    const sent = Array.from({ length: requests }, sendNext).filter(each => each !== undefined);
    if (sent.length > 0) await untilWritten(sent);
    throwIfCancelled(options);
    answer.handOut();
    return sent;
  };
  // A loop: calls that wait for each other would keep all answers.
  const lane = async (sent: Promise<Answer> | undefined): Promise<void> => {
    while (sent !== undefined) [sent] = await goOn(await sent, 1);
  };
  // No function that awaits, either, which would keep its first answer.
  const spread = (sent: Promise<Answer>, [width, ...further]: readonly number[]): Promise<unknown> => {
    if (width === undefined) return lane(sent);
    const next = sent.then(answer => goOn(answer, width));
    return next.then(each => Promise.all(each.map(one => spread(one, further))));
  };
  try {
    await spread(read(first), widths);
  } finally {
    // Once one has failed, nothing more is sent.
    next = reads.length;
  }
}

/** Requests are written once no promise of this turn has anything left to do. A failure of theirs is met when they are awaited. */
function untilWritten(sent: readonly Promise<Answer>[]): Promise<void> {
  for (const each of sent) each.catch(() => undefined);
  return new Promise(resolve => process.nextTick(resolve));
}

/** How many nodes make a reply of the wanted size, if `count` of them made one of `bytes`. */
function fittingCount(count: number, bytes: number): number {
  return Math.max(1, Math.floor((wantedReply * count) / Math.max(1, bytes)));
}

/** Reads of one request. */
interface Batch {
  reads: readonly ReadRequest[];
  /** Place of the first one. */
  start: number;
  /** What the request takes where all paths are ASCII, and while the last one is written. */
  bytes: number;
}

function takeBatch(
  reads: readonly ReadRequest[],
  start: number,
  size: number,
  mayBegin: (at: number) => boolean,
): Batch {
  let bytes = frameBytes;
  let last = 0;
  let end = start;
  for (let most = 0; end < reads.length; end++) {
    const read = reads[end];
    if (read === undefined || (end - start >= size && mayBegin(end))) break;
    const { length } = read.path;
    // Three bytes for a UTF-16 unit at most.
    most += bytesBesidePath + 3 * length;
    if (end > start && most > requestLimit) break;
    bytes += bytesBesidePath + length;
    last = length;
  }
  return { reads: reads.slice(start, end), start, bytes: bytes + 2 * last };
}

/** What the server said to a batch. */
interface Answer {
  nodes: number;
  /** Of the reply, or of all replies. */
  bytes: number;
  /** Takes the results out of the reply, if that has not been done. */
  handOut: () => void;
}

function readBatch(port: ReadPort, batch: Batch, keep: Keep): Promise<Answer> {
  return port.abilities.orElse(
    'multiRead',
    () => readTogether(port, batch, keep),
    () => readSingly(port, batch, keep),
  );
}

async function readTogether(port: ReadPort, batch: Batch, keep: Keep): Promise<Answer> {
  const { reads, start, bytes } = batch;
  const nodes = reads.length;
  try {
    const reply = await port.send(multiReadRequest(reads, bytes));
    // A callback: a loop over thousands in a function that is called once runs in slow code, its body does not.
    const handOut = (): void => reads.forEach((read, index) => keep(readAnswer(reply, read), start + index));
    return { nodes, bytes: reply.buffer.length, handOut };
  } catch (error) {
    if (!(error instanceof ReplyTooLargeError)) throw error;
    if (nodes === 1) return readSingly(port, batch, keep);
    const size = Math.min(fittingCount(nodes, error.bytes), Math.ceil(nodes / 2));
    for (let at = 0; at < nodes; at += size) {
      const part = await readBatch(port, { ...batch, reads: reads.slice(at, at + size), start: start + at }, keep);
      part.handOut();
    }
    return { nodes, bytes: error.bytes, handOut: nothing };
  }
}

/** All has been handed out. */
function nothing(): void {
  return undefined;
}

/** One entry of a multiRead reply: header {type, done, error}, then the record, or the error once more. */
function readAnswer(reply: JuteReader, read: ReadRequest): ReadResult {
  const type = reply.int();
  reply.bool();
  reply.int();
  if (type === Op.error) {
    const code = reply.int();
    return { op: 'error', path: read.path, error: withoutStack(() => new ZooKeeperError(code, read.op, read.path)) };
  }
  return read.op === 'getData'
    ? new NodeInReply(read, reply)
    : { op: 'getChildren', path: read.path, children: reply.strings() };
}

/** A node of a bulk reply. Its data and stat stay there until they are asked for. */
class NodeInReply implements NodeResult {
  readonly op = 'getData';
  private readonly read: ReadRequest;
  private readonly reply: JuteReader;
  private readonly start: number;
  private readonly end: number;

  /** Passes over the node in `reply`. @throws MalformedReplyError if it is not all there */
  constructor(read: ReadRequest, reply: JuteReader) {
    this.read = read;
    this.reply = reply;
    const length = reply.int();
    this.start = reply.position;
    // Null is -1.
    reply.skip(length === -1 ? 0 : length);
    this.end = reply.position;
    reply.skip(statBytes);
  }

  get path(): string {
    return this.read.path;
  }

  get data(): Uint8Array {
    return this.reply.buffer.subarray(this.start, this.end);
  }

  latin1(limit: number): string {
    return this.reply.buffer.toString('latin1', this.start, Math.min(this.end, this.start + limit));
  }

  get stat(): Stat {
    return new StatInReply(this.reply.view, this.end);
  }
}

/** Before 3.6: single reads, all sent in one flush. */
async function readSingly(port: ReadPort, { reads, start }: Batch, keep: Keep): Promise<Answer> {
  let bytes = 0;
  await Promise.all(
    reads.map(async (read, index): Promise<void> => {
      const { result, size } = await readOne(port, read);
      bytes += size;
      keep(result, start + index);
    }),
  );
  return { nodes: reads.length, bytes, handOut: nothing };
}

async function readOne(port: ReadPort, read: ReadRequest): Promise<{ result: ReadResult; size: number }> {
  const { op, path } = read;
  try {
    const reply = await port.send(readRequest(op === 'getData' ? op : 'getChildren2', path, false));
    const size = reply.buffer.length;
    if (op === 'getChildren') return { result: { op, path, children: reply.strings() }, size };
    return { result: { op, path, data: reply.bytes(), stat: readStat(reply) }, size };
  } catch (error) {
    if (error instanceof ZooKeeperError || error instanceof ReplyTooLargeError) {
      return { result: { op: 'error', path, error }, size: 0 };
    }
    throw error;
  }
}

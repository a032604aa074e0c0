import type { ReadManyOptions, ReadRequest, ReadResult } from './client.ts';
import type { Abilities } from './abilities.ts';
import { CancelledError, ReplyTooLargeError, ZooKeeperError } from './errors.ts';
import type { WireRequest } from './pendingRequests.ts';
import { multiReadRequest, readRequest } from './requests.ts';
import type { JuteReader } from './wire/juteReader.ts';
import { Op } from './wire/opcodes.ts';
import { readStat } from './wire/records.ts';

/** What bulk reading needs of a session. */
export interface ReadPort {
  send(request: WireRequest): Promise<JuteReader>;
  toServer(path: string): string;
  /** Knows whether the server has multiRead (3.6+). */
  abilities: Abilities;
}

/** A reply should stay near this, bytes. */
const wantedReply = 1_000_000;
/** A request must stay well below `jute.maxbuffer`, bytes. */
const requestLimit = 500_000;
const firstBatch = 16;
const largestBatch = 4096;
const batchesInFlight = 3;

/**
 * Reads many nodes with few requests. The first batch is small, since each znode may hold 1 MB; the size of each answer
 * says how many the next batches may ask for.
 *
 * @returns results in the order of `reads`
 * @throws CancelledError, NotConnectedError, ReplyLostError
 */
export async function readMany(
  port: ReadPort,
  reads: readonly ReadRequest[],
  options: ReadManyOptions = {},
): Promise<ReadResult[]> {
  const results: ReadResult[] = [];
  let batchSize = firstBatch;
  let next = 0;
  let done = 0;
  const readNext = async (): Promise<void> => {
    if (options.signal?.aborted === true) throw new CancelledError('Reading');
    const start = next;
    const batch = takeBatch(reads, start, batchSize);
    next += batch.length;
    const { answers, bytes } = await readBatch(port, batch);
    for (const [index, answer] of answers.entries()) results[start + index] = answer;
    done += batch.length;
    options.onProgress?.(done);
    const fitting = Math.floor((wantedReply * batch.length) / Math.max(1, bytes));
    batchSize = Math.max(1, Math.min(fitting, batchSize * 8, largestBatch));
  };
  const lane = async (): Promise<void> => {
    while (next < reads.length) await readNext();
  };
  // The first batch goes alone: it tells how large the nodes are. Then some requests are always under way.
  if (reads.length > 0) await readNext();
  try {
    await Promise.all(Array.from({ length: batchesInFlight }, lane));
  } finally {
    next = reads.length;
  }
  return results;
}

function takeBatch(reads: readonly ReadRequest[], start: number, size: number): ReadRequest[] {
  const batch: ReadRequest[] = [];
  let bytes = 0;
  for (let index = start; index < reads.length && batch.length < size; index++) {
    const read = reads[index];
    if (read === undefined) break;
    // Three bytes for a UTF-16 unit at most.
    bytes += 14 + 3 * read.path.length;
    if (batch.length > 0 && bytes > requestLimit) break;
    batch.push(read);
  }
  return batch;
}

interface BatchAnswer {
  answers: ReadResult[];
  /** Size of the reply, or of all replies. */
  bytes: number;
}

async function readBatch(port: ReadPort, batch: readonly ReadRequest[]): Promise<BatchAnswer> {
  return port.abilities.orElse(
    'multiRead',
    () => readTogether(port, batch),
    () => readSingly(port, batch),
  );
}

async function readTogether(port: ReadPort, batch: readonly ReadRequest[]): Promise<BatchAnswer> {
  try {
    const reply = await port.send(multiReadRequest(path => port.toServer(path), batch));
    return { answers: batch.map(read => readAnswer(reply, read)), bytes: reply.buffer.length };
  } catch (error) {
    if (!(error instanceof ReplyTooLargeError)) throw error;
    if (batch.length === 1) return readSingly(port, batch);
    const half = Math.ceil(batch.length / 2);
    const first = await readBatch(port, batch.slice(0, half));
    const second = await readBatch(port, batch.slice(half));
    return { answers: [...first.answers, ...second.answers], bytes: error.bytes };
  }
}

/** One entry of a multiRead reply: header {type, done, error}, then the record, or the error once more. */
function readAnswer(reply: JuteReader, read: ReadRequest): ReadResult {
  const type = reply.int();
  reply.bool();
  reply.int();
  if (type === Op.error)
    return { op: 'error', path: read.path, error: new ZooKeeperError(reply.int(), read.op, read.path) };
  return read.op === 'getData'
    ? { op: 'getData', path: read.path, data: reply.bytes(), stat: readStat(reply) }
    : { op: 'getChildren', path: read.path, children: reply.strings() };
}

/** Before 3.6: single reads, all sent in one flush. */
async function readSingly(port: ReadPort, batch: readonly ReadRequest[]): Promise<BatchAnswer> {
  let bytes = 0;
  const answers = await Promise.all(
    batch.map(async (read): Promise<ReadResult> => {
      const op = read.op === 'getData' ? 'getData' : 'getChildren2';
      try {
        const reply = await port.send(readRequest(path => port.toServer(path), op, read.path, false));
        bytes += reply.buffer.length;
        return read.op === 'getData'
          ? { op: 'getData', path: read.path, data: reply.bytes(), stat: readStat(reply) }
          : { op: 'getChildren', path: read.path, children: reply.strings() };
      } catch (error) {
        if (error instanceof ZooKeeperError || error instanceof ReplyTooLargeError) {
          return { op: 'error', path: read.path, error };
        }
        throw error;
      }
    }),
  );
  return { answers, bytes };
}

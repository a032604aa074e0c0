import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { constants, createGunzip } from 'node:zlib';
import { monotonicNow } from '../base/deadline.ts';
import { fileProblem } from '../replay/fileProblem.ts';
import type { Problem, ProblemKind } from '../replay/recording.ts';
import { compressionOf } from '../replay/unpacked.ts';
import type { JournalEntry } from './entry.ts';
import { journalHeader, journalVersion, readJournalLine } from './journalLines.ts';

/** Some entries that follow each other. */
export interface JournalBatch {
  entries: JournalEntry[];
  /** Behind the last line: where reading may go on later. Bytes from the start of the file, as it is unpacked. */
  next: number;
  /** Damage behind these entries. Without `isEnd` more entries follow; what stood between them is lost. */
  problem?: Problem;
  /** Nothing more can be read now. */
  isEnd?: true;
}

export interface ReadJournalOptions {
  signal?: AbortSignal | undefined;
  /** `JournalBatch.next`; default: the beginning. */
  from?: number | undefined;
}

/** So much is read at once, bytes: its entries take some ms. */
const chunkBytes = 65_536;
/** Unpacked bytes that wait to be taken. */
const mostWaiting = 1_048_576;
/** A path of 1 MB, twice over. */
const longestLine = 4_194_304;
/** A later version may say more in it. */
const longestHeader = 1_024;
/** A file with more of it is no journal any more. */
const mostDamage = 100;
/** Of work without a pause, ms. */
const turnMs = 4;
const lineEnd = 0x0a;
const noBytes = Buffer.alloc(0);

/**
 * Reads a file of a journal in turns of a few ms; it is never in memory as a whole, and may be one that is being written. Content is never
 * an error: a line that is damaged is a problem, and so is what cannot be read of the file; what stands before and behind it counts. A line that a
 * crash left unfinished is a `torn tail`.
 *
 * @param path plain, or packed (`.gz`)
 * @throws the reason of the signal
 */
export async function* readJournalFile(
  path: string,
  { signal, from = 0 }: ReadJournalOptions = {},
): AsyncGenerator<JournalBatch> {
  const lines = new JournalLines(basename(path), from);
  try {
    yield* batchesOf(lines, chunksOf(path, from), signal);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    yield lines.end(damageOf(error, lines.isBegun));
  }
}

async function* batchesOf(
  lines: JournalLines,
  chunks: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): AsyncGenerator<JournalBatch> {
  let begun = monotonicNow();
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    yield* lines.take(chunk);
    if (lines.isOver) return;
    if (monotonicNow() - begun < turnMs) continue;
    await setImmediate();
    begun = monotonicNow();
  }
  yield lines.end(lines.endOfFile());
}

/** What an error of the file, or of its packing, means. */
function damageOf(error: unknown, isBegun: boolean): ProblemKind {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_DATA_ERROR') return isBegun ? 'wrong checksum' : 'not a recording';
  return code === 'Z_BUF_ERROR' ? 'torn tail' : fileProblem(error);
}

/** The lines of one file, from its bytes piece by piece. */
class JournalLines {
  private readonly file: string;
  /** Bytes of a line whose end has not come. */
  private rest: Buffer = noBytes;
  /** Where it begins. */
  private at: number;
  private hasHeader: boolean;
  private isDamaged = false;
  private damage = 0;
  private stop: ProblemKind | undefined;

  constructor(file: string, from: number) {
    this.file = file;
    this.at = from;
    this.hasHeader = from > 0;
  }

  /** Something of it could be read. */
  get isBegun(): boolean {
    return this.hasHeader;
  }

  /** The rest of the file is not to be read. */
  get isOver(): boolean {
    return this.stop !== undefined;
  }

  *take(chunk: Buffer): Generator<JournalBatch> {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let entries: JournalEntry[] = [];
    let start = 0;
    while (!this.isOver) {
      const end = bytes.indexOf(lineEnd, start);
      if (end < 0) break;
      const what = this.line(bytes.subarray(start, end), entries);
      const offset = this.at;
      this.at += end + 1 - start;
      start = end + 1;
      if (what === undefined) continue;
      yield { entries, next: this.at, problem: this.problem(offset, what) };
      entries = [];
    }
    if (entries.length > 0) yield { entries, next: this.at };
    // A copy: the rest of a chunk would keep all of it.
    this.rest = Buffer.from(bytes.subarray(start));
    this.stop ??= this.lengthProblem();
    if (this.stop !== undefined) yield this.end(this.stop);
  }

  /** What ends the reading. */
  end(what: ProblemKind | undefined): JournalBatch {
    const end = { entries: [], next: this.at, isEnd: true } as const;
    return what === undefined ? { ...end, entries: [] } : { ...end, entries: [], problem: this.problem(this.at, what) };
  }

  /** What is wrong with what is left where the file ends. */
  endOfFile(): ProblemKind | undefined {
    if (this.rest.length === 0) return this.hasHeader ? undefined : 'empty file';
    if (this.hasHeader) return 'torn tail';
    return journalHeader().startsWith(this.rest.toString('latin1')) ? 'torn tail' : 'not a recording';
  }

  private lengthProblem(): ProblemKind | undefined {
    if (this.hasHeader) return this.rest.length > longestLine ? 'bad length' : undefined;
    return this.rest.length > longestHeader ? 'not a recording' : undefined;
  }

  /** @returns what is wrong with it, where reading goes on and it does not follow another damaged line */
  private line(line: Buffer, entries: JournalEntry[]): ProblemKind | undefined {
    const read = readJournalLine(line);
    if (!this.hasHeader && read.kind !== 'wrong checksum') {
      this.takeHeader(read.kind === 'header' ? read.version : undefined);
      return undefined;
    }
    // A damaged header has the form of a line all the same: what follows it may be whole.
    this.hasHeader = true;
    if (read.kind === 'entry') entries.push(read.entry);
    const what = damages.get(read.kind);
    const isFirst = what !== undefined && !this.isDamaged;
    this.isDamaged = what !== undefined;
    if (!isFirst) return undefined;
    this.damage++;
    if (this.damage < mostDamage) return what;
    this.stop = what;
    return undefined;
  }

  private takeHeader(version: number | undefined): void {
    this.hasHeader = version !== undefined;
    if (version === undefined) this.stop = 'not a recording';
    else if (version > journalVersion) this.stop = 'unknown version';
  }

  private problem(offset: number, what: ProblemKind): Problem {
    return { file: this.file, offset, what };
  }
}

const damages: ReadonlyMap<string, ProblemKind> = new Map([
  ['no line', 'bad record'],
  ['bad record', 'bad record'],
  ['wrong checksum', 'wrong checksum'],
]);

/** The bytes of a file from an offset on, as they were before they were packed. */
async function* chunksOf(path: string, from: number): AsyncGenerator<Buffer> {
  if (compressionOf(path) !== 'gz') {
    yield* plainChunks(path, from);
    return;
  }
  let passed = 0;
  for await (const chunk of gunzipped(path)) {
    const start = Math.max(0, from - passed);
    passed += chunk.length;
    if (start < chunk.length) yield start === 0 ? chunk : chunk.subarray(start);
  }
}

async function* plainChunks(path: string, from: number): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    for (let position = from; ;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Unlike the iteration of a stream, gives what stands before damage too. */
async function* gunzipped(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: chunkBytes });
  const gunzip = createGunzip({ chunkSize: chunkBytes, finishFlush: constants.Z_SYNC_FLUSH });
  const waiting: Buffer[] = [];
  const ending: { is?: { error?: Error } } = {};
  let wake = (): void => undefined;
  const end = (error?: Error): void => {
    ending.is ??= error === undefined ? {} : { error };
    wake();
  };
  gunzip.on('data', (chunk: Buffer) => {
    waiting.push(chunk);
    if (waiting.length * chunkBytes >= mostWaiting) gunzip.pause();
    wake();
  });
  gunzip.once('end', () => end()).once('error', end);
  file.once('error', end).pipe(gunzip);
  try {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk !== undefined) yield chunk;
      else if (ending.is !== undefined) {
        if (ending.is.error === undefined) return;
        throw ending.is.error;
      } else {
        gunzip.resume();
        await new Promise<void>(resolve => (wake = resolve));
      }
    }
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

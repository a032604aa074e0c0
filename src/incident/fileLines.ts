import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { monotonicNow } from '../base/deadline.ts';
import type { ProblemKind } from '../replay/recording.ts';
import { CancelledError } from '../zookeeper/errors.ts';
import { asReadError, IncidentError } from './incidentError.ts';
import { longestFile, longestHeader, longestLine, mostLines } from './incidentLimits.ts';

/** A line of a file, or what is wrong at that place. */
export interface FileLine {
  /** Absent: it cannot be read. */
  value?: unknown;
  problem?: ProblemKind;
  /** Bytes from the start of what is unpacked. */
  offset: number;
  bytes: number;
}

export interface LineOptions {
  signal?: AbortSignal;
  /** Bytes of the file. */
  onProgress?: (done: number, of: number) => void;
}

/** After so many ms of work others get their turn. */
const turnMs = 8;
const newLine = 0x0a;
const gzipMagic = [0x1f, 0x8b];
/** What is read at once. */
const chunkBytes = 64 * 1024;
/** So much is unpacked at once of the first bytes, which are all of most files, and of the others. */
const carefulBytes = 64 * 1024;
const firstPiece = 512;
const laterPiece = 8 * 1024;
/** What stands at the end of a packed file: checksum and length. */
const checksumBytes = 8;

/**
 * The lines of a file of JSON Lines, gzipped or not, as it is read: in turns of the event loop, and never more than one line and one
 * chunk in memory. Damage ends the reading with a problem; what stands before it was given.
 *
 * @throws IncidentError for what the file system says, for a first line that is too long (`foreign`), and for one that is further on, or
 *   too many of them (`too-large`); CancelledError
 */
export async function* fileLines(path: string, options: LineOptions = {}): AsyncGenerator<FileLine[]> {
  const splitter = new LineSplitter(path);
  let begun = monotonicNow();
  let damage: ProblemKind | undefined;
  try {
    for await (const chunk of unpackedChunks(path, options)) {
      for (const lines of splitter.take(chunk)) {
        yield lines;
        if (monotonicNow() - begun < turnMs) continue;
        await new Promise(resolve => setImmediate(resolve));
        begun = monotonicNow();
      }
    }
  } catch (error) {
    damage = damageOf(error);
    if (damage === undefined) throw asReadError(path, error);
  }
  yield splitter.end(damage);
}

/** What the unpacking says of damage; `undefined` for another error. */
function damageOf(error: unknown): ProblemKind | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') return 'torn tail';
  return typeof code === 'string' && code.startsWith('Z_') ? 'wrong checksum' : undefined;
}

async function* unpackedChunks(path: string, { signal, onProgress }: LineOptions): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    const stat = await file.stat();
    // A device or pipe may have no end.
    if (!stat.isFile()) throw new IncidentError(path, 'no-file');
    let unpacking: Unpacking | undefined;
    for (let done = 0; ;) {
      if (signal?.aborted === true) throw new CancelledError('Open Incident File');
      const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, done);
      const chunk = buffer.subarray(0, bytesRead);
      if (done === 0 && gzipMagic.every((byte, at) => chunk[at] === byte)) unpacking = new Unpacking();
      done += bytesRead;
      if (unpacking === undefined) yield chunk;
      else yield* unpacking.take(chunk);
      onProgress?.(done, stat.size);
      if (bytesRead === 0) return;
    }
  } finally {
    await file.close();
  }
}

/**
 * Unpacks few bytes at a time, and the checksum apart from what it is of: zlib keeps back what it has unpacked of the bytes in which it meets
 * damage.
 */
class Unpacking {
  private readonly gunzip = createGunzip();
  private unpacked: Buffer[] = [];
  private held = Buffer.alloc(0);
  private taken = 0;
  private isOver = false;
  private readonly failure = new Promise<never>((_, reject) => this.gunzip.once('error', reject));

  constructor() {
    this.failure.catch(() => undefined);
    this.gunzip.on('data', (chunk: Buffer) => this.unpacked.push(chunk));
    this.gunzip.once('end', () => void (this.isOver = true));
  }

  /** @param packed empty: the end @throws what zlib says of damage, after what stands before it was given */
  async *take(packed: Buffer): AsyncGenerator<Buffer> {
    const isEnd = packed.length === 0;
    const bytes = Buffer.concat([this.held, packed]);
    const ready = isEnd ? bytes.length : Math.max(0, bytes.length - checksumBytes);
    this.held = bytes.subarray(ready);
    for (let at = 0; at < ready && !this.isOver;) {
      const piece = bytes.subarray(at, Math.min(ready, at + (this.taken < carefulBytes ? firstPiece : laterPiece)));
      at += piece.length;
      this.taken += piece.length;
      yield* this.after(new Promise<void>(resolve => void this.gunzip.write(piece, () => resolve())));
    }
    if (!isEnd || this.isOver) return;
    yield* this.after(new Promise<void>(resolve => void this.gunzip.once('end', resolve).end()));
  }

  private async *after(step: Promise<unknown>): AsyncGenerator<Buffer> {
    try {
      await Promise.race([this.failure, step]);
    } finally {
      const { unpacked } = this;
      this.unpacked = [];
      yield* unpacked;
    }
  }
}

/** Cuts chunks into lines. */
class LineSplitter {
  private readonly path: string;
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private parts: Buffer[] = [];
  private length = 0;
  private offset = 0;
  private lines = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** The lines that end in a chunk, in parts that take a few ms. @throws IncidentError */
  *take(chunk: Buffer): Generator<FileLine[]> {
    let start = 0;
    let done: FileLine[] = [];
    let bytes = 0;
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, start)) {
      this.add(chunk.subarray(start, end));
      start = end + 1;
      bytes += this.length;
      done.push(this.finish());
      if (bytes < 64 * 1024 && done.length < 1_000) continue;
      yield done;
      done = [];
      bytes = 0;
    }
    this.add(chunk.subarray(start));
    yield done;
  }

  /** What is left. A line without its end may be whole or torn: only a value that can be read counts. */
  end(damage: ProblemKind | undefined): FileLine[] {
    const { offset } = this;
    const last = this.length === 0 ? [] : [this.finish()].filter(({ problem }) => problem === undefined);
    return damage === undefined ? last : [...last, { problem: damage, offset, bytes: 0 }];
  }

  private add(part: Buffer): void {
    this.length += part.length;
    if (this.lines === 0 && this.length > longestHeader) throw new IncidentError(this.path, 'foreign');
    const isTooLong = this.length > longestLine || this.offset + this.length > longestFile;
    if (isTooLong || this.lines > mostLines) throw new IncidentError(this.path, 'too-large');
    this.parts.push(part);
  }

  private finish(): FileLine {
    const { offset, length: bytes } = this;
    const line = this.parts.length === 1 ? this.parts[0] : Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    this.offset += bytes + 1;
    this.lines++;
    try {
      return { value: JSON.parse(this.decoder.decode(line)), offset, bytes };
    } catch {
      // Neither UTF-8 nor JSON: damage, or a file of another kind.
      return { problem: 'bad record', offset, bytes };
    }
  }
}

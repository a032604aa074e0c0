import { randomBytes } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { monotonicNow } from '../base/deadline.ts';
import { formatEntry } from '../journal/entryText.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { CancelledError } from '../zookeeper/errors.ts';
import { endLine, factLines } from './factLines.ts';
import { headerLine } from './headerLine.ts';
import type { IncidentFacts, IncidentHeader } from './incident.ts';
import { asWriteError, IncidentError } from './incidentError.ts';
import { longestLine, mostEntries, mostFacts, mostKeptBytes } from './incidentLimits.ts';

/** What an incident file is written from. */
export interface IncidentDraft {
  header: Omit<IncidentHeader, 'version'>;
  /** From a `begin` on. */
  entries: AsyncIterable<JournalEntry> | Iterable<JournalEntry>;
  facts: IncidentFacts;
}

/** What was written. */
export interface WrittenIncident {
  lines: number;
  /** Of the file. */
  bytes: number;
}

interface WriteOptions {
  signal?: AbortSignal;
  /** Lines so far. */
  onProgress?: (lines: number) => void;
}

const turnMs = 8;
/** Text that is given to the compression at once, characters. */
const partLength = 64 * 1024;

/**
 * Writes an incident file: to a file beside it first, which takes its name when it is complete, so that another file of that name is
 * replaced as a whole or stays.
 *
 * @param path full path
 * @throws IncidentError (`too-large`: more than is read again; what the file system says); CancelledError; what `entries` throws
 */
export async function writeIncident(
  path: string,
  draft: IncidentDraft,
  options: WriteOptions = {},
): Promise<WrittenIncident> {
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(unfinished, 'wx');
    let lines: number;
    let bytes: number;
    try {
      lines = await writeLines(file, linesOf(path, draft), options);
      await file.sync();
      ({ size: bytes } = await file.stat());
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    return { lines, bytes };
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw asWriteError(path, error);
  }
}

/** All lines, each without its end. @throws IncidentError for more than is read again */
export async function* linesOf(path: string, { header, entries, facts }: IncidentDraft): AsyncGenerator<string> {
  let lines = 1;
  let kept = 0;
  const count = (line: string): string => {
    lines++;
    kept += line.length;
    if (line.length > longestLine / 2 && Buffer.byteLength(line) > longestLine)
      throw new IncidentError(path, 'too-large');
    if (kept > mostKeptBytes) throw new IncidentError(path, 'too-large');
    return line;
  };
  yield headerLine(header);
  for await (const entry of entries) {
    if (lines > mostEntries) throw new IncidentError(path, 'too-large');
    yield count(formatEntry(entry));
  }
  let factCount = 0;
  for (const line of factLines(facts)) {
    if (++factCount > mostFacts) throw new IncidentError(path, 'too-large');
    yield count(line);
  }
  yield endLine(lines);
}

async function writeLines(
  file: FileHandle,
  lines: AsyncIterable<string>,
  { signal, onProgress }: WriteOptions,
): Promise<number> {
  const packed = new PackedFile(file);
  let written = 0;
  let part = '';
  let begun = monotonicNow();
  try {
    for await (const line of lines) {
      if (signal?.aborted === true) throw new CancelledError('Save Incident');
      part += `${line}\n`;
      written++;
      if (part.length < partLength && monotonicNow() - begun < turnMs) continue;
      await packed.write(part);
      part = '';
      onProgress?.(written);
      await new Promise(resolve => setImmediate(resolve));
      begun = monotonicNow();
    }
    await packed.write(part);
    await packed.end();
  } finally {
    packed.dispose();
  }
  return written;
}

/** Compresses on a thread of its own and writes in order. */
class PackedFile {
  private readonly file: FileHandle;
  private readonly gzip: Gzip = createGzip();
  private readonly done: Promise<void>;

  constructor(file: FileHandle) {
    this.file = file;
    this.done = this.drain();
    // A failure is thrown by `write` or `end`.
    this.done.catch(() => undefined);
  }

  async write(text: string): Promise<void> {
    if (text === '') return;
    const accepted = new Promise<void>((resolve, reject) => {
      this.gzip.write(text, error => (error ? reject(error) : resolve()));
    });
    await Promise.race([accepted, this.failure()]);
  }

  async end(): Promise<void> {
    this.gzip.end();
    await this.done;
  }

  dispose(): void {
    this.gzip.destroy();
  }

  /** Never fulfilled before the end: only its failure counts. */
  private async failure(): Promise<void> {
    await this.done;
  }

  private async drain(): Promise<void> {
    for await (const chunk of this.gzip) await this.file.write(chunk as Buffer);
  }
}

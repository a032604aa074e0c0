import { inTurns } from '../base/interruptible.ts';
import type { Problem } from '../replay/recording.ts';
import { CancelledError } from '../zookeeper/errors.ts';
import type { JournalEntry } from './entry.ts';
import { readJournalFile, type JournalBatch } from './journalFile.ts';
import { listJournalFiles, packedPath, type JournalFile } from './journalFiles.ts';
import type { JournalReading } from './journalReading.ts';

export interface OpenJournalOptions {
  signal?: AbortSignal | undefined;
  /** Gets how many bytes of the files have been read, as they are stored. */
  onProgress?: ((done: number, of: number) => void) | undefined;
}

/** How far a file was read. */
interface Progress {
  /** Bytes, as the file is unpacked. */
  next: number;
  problems: Problem[];
  isOver: boolean;
}

/** Reads the files of a recorder's folder in their order; each line once, though files are packed and deleted meanwhile. */
export class JournalFolderReading {
  private readonly folder: string;
  private readonly reading: JournalReading;
  /** By stem. */
  private readonly progress = new Map<string, Progress>();
  private newest = '';
  /** The file that was read last has an unfinished line, or could not be read to its end. */
  private isTorn = false;

  constructor(folder: string, reading: JournalReading) {
    this.folder = folder;
    this.reading = reading;
  }

  get problems(): Problem[] {
    return Array.from(this.progress.values()).flatMap(({ problems }) => problems);
  }

  /**
   * Reads what was not read yet.
   *
   * @returns whether there was something
   * @throws CancelledError, and what the file system throws when the folder cannot be listed
   */
  async read({ signal, onProgress = () => undefined }: OpenJournalOptions): Promise<boolean> {
    const { state } = this.reading;
    const before = state.entries;
    const files = (await listJournalFiles(this.folder)).filter(({ stem }) => stem >= this.newest);
    const total = files.reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    onProgress(0, total);
    state.beginBatch();
    try {
      for (const file of files) {
        await this.readFile(file, signal);
        onProgress((done += file.size), total);
      }
      await inTurns(state.preparing());
      signal?.throwIfAborted();
    } catch (error) {
      throw signal?.aborted === true ? new CancelledError('Opening the recording') : error;
    } finally {
      state.endBatch();
    }
    return state.entries > before;
  }

  private async readFile({ stem, path }: JournalFile, signal: AbortSignal | undefined): Promise<void> {
    const progress = this.progress.get(stem) ?? { next: 0, problems: [], isOver: false };
    if (progress.isOver) return;
    this.progress.set(stem, progress);
    this.newest = stem;
    // It may be finished by now.
    progress.problems = progress.problems.filter(({ what }) => !passing.has(what));
    const unread = await this.readFrom(path, progress, signal);
    const packed = packedPath(path);
    // It may have been packed after the files were listed.
    const isPacked = unread !== undefined && packed !== undefined;
    const stillUnread = isPacked ? await this.readFrom(packed, progress, signal) : unread;
    if (stillUnread !== undefined) await this.noteProblem(unread ?? stillUnread, progress);
  }

  /** @returns that there is no such file, or that it cannot be read */
  private async readFrom(
    path: string,
    progress: Progress,
    signal: AbortSignal | undefined,
  ): Promise<JournalBatch | undefined> {
    for await (const batch of readJournalFile(path, { signal, from: progress.next })) {
      if (batch.problem?.what === 'unreadable') return batch;
      await this.take(batch, progress);
    }
    return undefined;
  }

  private async take(batch: JournalBatch, progress: Progress): Promise<void> {
    const { entries, next } = batch;
    await this.settleTorn(entries);
    await inTurns(this.reading.apply(entries));
    progress.next = next;
    await this.noteProblem(batch, progress);
  }

  private async noteProblem({ problem, isEnd }: JournalBatch, progress: Progress): Promise<void> {
    if (problem === undefined) return;
    progress.problems.push(problem);
    if (passing.has(problem.what)) this.isTorn = problem.what !== 'empty file';
    else {
      progress.isOver = isEnd === true;
      await inTurns(this.reading.doubt());
    }
  }

  /** Where a file goes on as if nothing was missing behind another one that was not read to its end, the rest of that one is. */
  private async settleTorn([first]: readonly JournalEntry[]): Promise<void> {
    if (first === undefined) return;
    if (this.isTorn && first.type === 'begin' && first.continues === true) {
      await inTurns(this.reading.doubt());
    }
    this.isTorn = false;
  }
}

/** Problems that may be over when the file is read again: it is being written, or was packed at that moment. */
const passing: ReadonlySet<Problem['what']> = new Set(['torn tail', 'empty file', 'unreadable', 'no permission']);

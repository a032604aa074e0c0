import type { Disposable } from '../../base/disposable.ts';
import { inTurns, type Interruptible } from '../../base/interruptible.ts';
import type { Logger } from '../../base/logger.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { JournalState } from '../../journal/journalState.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { JournalFolder } from './journalFolder.ts';
import type { JournalLimits } from './journalLimits.ts';
import { JournalWriter } from './journalWriter.ts';
import type { RecorderClocks } from './recorderClocks.ts';
import { RecorderError } from './recorderError.ts';
import { newestKept, restorePast } from './restorePast.ts';

/** What sees the locks of a cluster. */
export interface Observation extends Disposable {
  /** Watches that it keeps. */
  readonly watches: number;
  /** Reads of the ensemble and questions to its servers, in the last minute. */
  readonly requestsPerMinute: number;
}

/** Where an observation puts what it sees. */
export interface Sink {
  /** Of all that was seen: what it is asked for follows the entries with a delay. Another one once recordings were deleted. */
  readonly state: JournalState;
  onEntries(entries: readonly JournalEntry[]): void;
  /** It has ended. */
  onFailure(error: unknown): void;
  signal: AbortSignal;
}

export interface RunParts extends RecorderClocks {
  client: ZooKeeperClient;
  folder: JournalFolder;
  /** Of this window: twelve hexadecimal digits. */
  id: string;
  observe(client: ZooKeeperClient, sink: Sink): Promise<Observation>;
  limits(): JournalLimits;
  mayWrite(): Promise<boolean>;
  /** Everything that is there has been seen once. */
  onBegin(): void;
  /** It ended by itself: by an error, or, without one, since another window writes. */
  onEnd(error: unknown): void;
  logger: Logger;
}

/** Entries that came and are not part of the state yet; more are not kept. */
const longestInbox = 500_000;

/** Records a cluster by one session, from its first look to its end. What it sees becomes part of the state first, then of a file. */
export class RecordingRun {
  private readonly parts: RunParts;
  private readonly abort = new AbortController();
  private past: JournalState | undefined;
  private writer: JournalWriter | undefined;
  private observation: Observation | undefined;
  private inbox: (readonly JournalEntry[])[] = [];
  private waiting = 0;
  private taking: Promise<void> | undefined;
  private taken = 0;
  private begun = false;
  /** The files were deleted, and `past` still has what they said. */
  private isForgetting = false;
  /** Whether `past` has what former runs recorded. */
  private isRestored = true;

  constructor(parts: RunParts) {
    this.parts = parts;
  }

  /** What is known now, and what was recorded before; `undefined` until everything has been seen once. */
  get state(): JournalState | undefined {
    return this.begun ? this.past : undefined;
  }

  /** Of this run. */
  get entries(): number {
    return this.taken;
  }

  /** Of the journal on disk. */
  get bytes(): number {
    return this.writer?.bytes ?? 0;
  }

  get load(): Pick<Observation, 'watches' | 'requestsPerMinute'> {
    return this.observation ?? { watches: 0, requestsPerMinute: 0 };
  }

  /**
   * Begins; the outcome is reported. What is seen while the files are read waits for that, so that reading them costs no time of
   * recording.
   *
   * @param past of a former run that nothing was recorded after; default: from the files
   */
  async start(past?: JournalState): Promise<void> {
    const { folder, client, logger } = this.parts;
    if (this.isOver()) return;
    const { signal } = this.abort;
    const state = past ?? new JournalState({ newestKept });
    this.past = state;
    const current = (): JournalState => this.past ?? state;
    this.writer = new JournalWriter({ ...this.parts, state: () => current().state(), onEnd: error => this.end(error) });
    if (past === undefined) {
      this.isRestored = false;
      this.taking = restorePast(state, folder, signal, logger).then(() => {
        this.isRestored = !this.isOver();
        return this.takeAll();
      });
    }
    try {
      const observation = await this.parts.observe(client, {
        get state() {
          return current();
        },
        onEntries: entries => this.take(entries),
        onFailure: error => this.end(error),
        signal,
      });
      if (this.isOver()) observation.dispose();
      else this.observation = observation;
    } catch (error) {
      this.end(error);
    }
  }

  /** Deletes the files of the journal, forgets what they said, and goes on in a new one. @throws what the file system throws */
  async deleteFiles(): Promise<void> {
    if (this.writer === undefined) {
      await this.parts.folder.delete();
      return;
    }
    await this.writer.deleteFiles();
    this.isForgetting = true;
    this.inbox.push([]);
    this.taking ??= this.takeAll();
    await this.taking;
  }

  /**
   * Writes what was seen so far, and ends. Never rejects.
   *
   * @returns the state at its end, and the name of the file that it wrote last, if both are whole
   */
  async close(): Promise<{ state: JournalState; file: string } | undefined> {
    this.abort.abort();
    this.observation?.dispose();
    await this.taking;
    await this.writer?.close();
    const { state } = this;
    const file = this.writer?.lastFile;
    const isWhole = this.isRestored && !this.isForgetting;
    return isWhole && state !== undefined && file !== undefined ? { state, file } : undefined;
  }

  private isOver(): boolean {
    return this.abort.signal.aborted;
  }

  private take(entries: readonly JournalEntry[]): void {
    if (this.isOver() || entries.length === 0) return;
    this.inbox.push(entries);
    this.waiting += entries.length;
    if (this.waiting > longestInbox) this.end(new RecorderError('too-slow', this.parts.folder.path));
    else this.taking ??= this.takeAll();
  }

  private async takeAll(): Promise<void> {
    try {
      for (let some = this.inbox; some.length > 0; some = this.inbox) {
        this.inbox = [];
        this.past?.beginBatch();
        // What came before the end is still written.
        await inTurns(this.applying(some.flat())).finally(() => this.past?.endBatch());
      }
    } catch (error) {
      this.end(error);
    } finally {
      this.taking = undefined;
    }
  }

  private *applying(entries: readonly JournalEntry[]): Interruptible<void> {
    const { writer } = this;
    if (writer === undefined) return;
    yield* this.forgetting();
    if (writer.isFull) yield* writer.beginNext();
    for (const entry of entries) {
      if (this.past === undefined) return;
      yield* this.past.applying(entry);
      if (entry.type === 'complete') yield* this.forgetting();
      writer.write(entry);
      if (writer.isFull) yield* writer.beginNext();
      this.taken++;
      this.waiting--;
      if (entry.type === 'complete') this.noteBegin();
      yield;
    }
  }

  /** Once all nodes are known, what is there now stays of what was known, and nothing that happened before. */
  private *forgetting(): Interruptible<void> {
    const { past } = this;
    if (!this.isForgetting || past === undefined) return;
    const isOfFiles = this.taken === 0;
    if (!isOfFiles && !past.isFollowing) return;
    const now = new JournalState({ newestKept });
    for (const entry of isOfFiles ? [] : past.state()) {
      yield* now.applying(entry);
      yield;
    }
    this.past = now;
    this.isForgetting = false;
  }

  private noteBegin(): void {
    if (this.begun) return;
    this.begun = true;
    if (!this.isOver()) this.parts.onBegin();
  }

  private end(error: unknown): void {
    if (this.isOver()) return;
    this.abort.abort();
    this.observation?.dispose();
    this.parts.onEnd(error);
  }
}

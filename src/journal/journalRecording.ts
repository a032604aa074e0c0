import { setImmediate } from 'node:timers/promises';
import { inTurns, SharedTurns } from '../base/interruptible.ts';
import type { Hold, Moment, Wait } from '../history/hold.ts';
import { LogRecording } from '../replay/logRecording.ts';
import { MomentClient } from '../replay/momentClient.ts';
import type { Gap, Instant, Problem, RecordedLock, RecordedSession, Recording } from '../replay/recording.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { CancelledError } from '../zookeeper/errors.ts';
import type { JournalEntry } from './entry.ts';
import { JournalFolderReading, type OpenJournalOptions } from './journalFolderReading.ts';
import { JournalReading } from './journalReading.ts';
import { loggedSpan, recordedSpan, type Span } from './journalSpan.ts';

/** Where more of a journal comes from. */
interface JournalSource {
  readonly problems: readonly Problem[];
  /** @returns whether there was something */
  read(options: OpenJournalOptions): Promise<boolean>;
}

/** Entries of a part that are given between two turns of the event loop. */
const givenAtOnce = 256;
const noMore: JournalSource = { problems: [], read: () => Promise.resolve(false) };

/** The recording that a journal is. */
class JournalRecording implements Recording {
  readonly reading: JournalReading;
  private readonly source: JournalSource;
  private isClosed = false;
  private readonly turns = new SharedTurns();
  private running: Promise<boolean> = Promise.resolve(false);

  constructor(reading: JournalReading, source: JournalSource) {
    this.reading = reading;
    this.source = source;
  }

  get from(): Moment {
    const { moments } = this.reading.past;
    return moments.count > 0 ? moments.get(0) : this.reading.state.from;
  }

  get to(): Moment {
    return this.reading.state.to;
  }

  get sureFrom(): Moment {
    return this.reading.state.sureFrom;
  }

  get gaps(): readonly Gap[] {
    return this.reading.state.gaps;
  }

  get problems(): readonly Problem[] {
    return this.source.problems;
  }

  /** Of a journal: entries. */
  get transactions(): number {
    return this.reading.state.entries;
  }

  locks(): RecordedLock[] {
    return this.reading.state.locks();
  }

  holds(path?: string): Hold[] {
    return this.reading.state.holds(path);
  }

  waits(path?: string): Wait[] {
    return this.reading.state.waits(path);
  }

  session(id: bigint): RecordedSession | undefined {
    return this.sessions().get(id);
  }

  sessions(): ReadonlyMap<bigint, RecordedSession> {
    return this.reading.state.sessions();
  }

  momentAt(instant: Instant): Moment {
    const { moments } = this.reading.past;
    return moments.count > 0 ? moments.get(moments.find(instant)) : this.to;
  }

  at(instant: Instant): ZooKeeperClient {
    const { past } = this.reading;
    const tree = past.treeAt(past.moments.find(instant));
    const isClosed = (): boolean => this.isClosed;
    const source = {
      get isClosed(): boolean {
        return isClosed();
      },
      turns: this.turns,
      treeAt: () => Promise.resolve(tree),
      isCurrent: () => true,
    };
    return new MomentClient(source, this.momentAt(instant));
  }

  /** Calls follow each other: two at once would read the same entries. */
  readMore(options: { signal?: AbortSignal } = {}): Promise<boolean> {
    const before = this.running;
    this.running = before.catch(() => false).then(() => !this.isClosed && this.source.read(options));
    return this.running;
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

/**
 * Reads the journal of a recorder, in turns of the event loop; nothing is written. What cannot be read is among the problems of the
 * recording. Another window may go on recording: `readMore` reads what came.
 *
 * @param folder with files `journal-*.zkjournal`, packed (`.gz`) or not; their names are in the order in which they were begun
 * @throws CancelledError, and what the file system throws when the folder cannot be listed
 */
export async function openJournal(folder: string, options: OpenJournalOptions = {}): Promise<Recording> {
  const reading = new JournalReading();
  const source = new JournalFolderReading(folder, reading);
  const recording = new JournalRecording(reading, source);
  await source.read(options);
  return recording;
}

/**
 * The recording that entries are: those of an incident file.
 *
 * @param batches some entries at a time, in their order
 * @throws CancelledError, and what the batches throw
 */
export async function recordingOf(
  batches: AsyncIterable<readonly JournalEntry[]>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Recording> {
  const reading = new JournalReading();
  for await (const entries of batches) {
    await inTurns(reading.apply(entries));
    if (signal?.aborted === true) throw new CancelledError('Opening the recording');
  }
  await inTurns(reading.state.preparing());
  if (signal?.aborted === true) throw new CancelledError('Opening the recording');
  return new JournalRecording(reading, noMore);
}

/**
 * A part of a recording as a journal of its own: what was there when it begins, then what happened. Of a recording that is neither a
 * journal nor of transaction logs there are no entries.
 *
 * @param span from and to are taken as `Recording.momentAt` takes them
 * @param paths of locks, with their further directories; default: all
 * @throws StoredDataError where a transaction log is gone
 */
export async function* entriesOf(
  recording: Recording,
  span: Span,
  paths?: readonly string[],
): AsyncGenerator<JournalEntry> {
  let given = 0;
  for await (const entry of spanOf(recording, span, paths)) {
    yield entry;
    // Who takes them may do so without a pause.
    if (++given % givenAtOnce === 0) await setImmediate();
  }
}

async function* spanOf(
  recording: Recording,
  span: Span,
  paths: readonly string[] | undefined,
): AsyncGenerator<JournalEntry> {
  if (recording instanceof JournalRecording) yield* recordedSpan(recording, recording.reading.past, span, paths);
  else if (recording instanceof LogRecording) yield* loggedSpan(recording, span, paths);
}

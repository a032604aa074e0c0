import { DisposableSlot } from '../../base/disposable.ts';
import type { JournalState } from '../../journal/journalState.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import type { RecorderState } from '../clusters/clusterRecorder.ts';
import type { JournalFolder } from './journalFolder.ts';
import { asRecorderError, RecorderError } from './recorderError.ts';
import { RecordingRun, type RunParts } from './recordingRun.ts';
import { WriterTurn } from './writerTurn.ts';

export interface RecorderParts extends Omit<RunParts, 'client' | 'folder' | 'mayWrite' | 'onBegin' | 'onEnd'> {
  /** Of the cluster as it is configured now. */
  folder(): JournalFolder;
  /** Whether it is to be recorded: another window may end that at any time. */
  isWanted(): boolean;
  /** It is not any more: `close` is expected. */
  onUnwanted(): void;
  /** `state` is another one, or its figures are. */
  onChange(): void;
}

/** So often the figures of a recording may change. */
const figuresEveryMs = 5_000;

/** What ends with a session: the wait for the turn to write, and the recording. */
interface Attempt {
  client: ZooKeeperClient;
  folder: JournalFolder;
  turn: WriterTurn;
  run: RecordingRun | undefined;
}

/** Records one cluster while it has a session and it is this window's turn to write. */
export class Recorder {
  private readonly parts: RecorderParts;
  private readonly figures = new DisposableSlot();
  private current: RecorderState = { kind: 'waiting' };
  private client: ZooKeeperClient | undefined;
  private attempt: Attempt | undefined;
  /** Ends of former attempts: the next one waits for them, since they write to the same folder. */
  private ending: Promise<unknown> = Promise.resolve();
  /** What a former run knew, and the file that it wrote last: if that is still the newest, nothing need be read back. */
  private former: { state: JournalState; file: string } | undefined;

  constructor(parts: RecorderParts) {
    this.parts = parts;
  }

  get state(): RecorderState {
    return this.current;
  }

  /** What is known of the locks now and before; `undefined` while nothing is recorded here. */
  get past(): JournalState | undefined {
    return this.attempt?.run?.state;
  }

  /** The session to record by, `undefined` if there is none. After a failure nothing begins by itself. */
  setClient(client: ZooKeeperClient | undefined): void {
    if (client === this.client) return;
    this.client = client;
    if (this.current.kind === 'failed') return;
    this.endAttempt();
    this.begin();
  }

  /** Tries again after a failure. */
  retry(): void {
    if (this.current.kind === 'failed') this.begin();
  }

  /** What it records by is set otherwise: what goes on ends, and begins again. A failure stays one. */
  beginAgain(): void {
    if (this.attempt === undefined) return;
    this.endAttempt();
    this.begin();
  }

  /** Deletes the files of the journal and forgets what they said; a recording goes on in a new one. @throws what the file system throws */
  async deleteFiles(): Promise<void> {
    this.former = undefined;
    if (this.attempt?.run === undefined) await this.parts.folder().delete();
    else await this.attempt.run.deleteFiles();
    this.noteFigures();
  }

  /** Writes what was seen so far, ends, and lets another window write. Never rejects. */
  async close(): Promise<void> {
    this.client = undefined;
    this.endAttempt();
    this.enter({ kind: 'off' });
    await this.ending;
  }

  private begin(): void {
    const { client } = this;
    if (client === undefined) {
      this.enter({ kind: 'waiting' });
      return;
    }
    const folder = this.parts.folder();
    const attempt: Attempt = { client, folder, turn: this.turnFor(folder, () => attempt), run: undefined };
    this.attempt = attempt;
    this.enter({ kind: 'starting' });
    void this.ending.then(async () => {
      if (attempt !== this.attempt) return;
      await attempt.turn.start();
      if (attempt === this.attempt && !attempt.turn.isOurs) this.standBy(attempt);
    });
  }

  private turnFor(folder: JournalFolder, attempt: () => Attempt): WriterTurn {
    const { id, now, schedule } = this.parts;
    return new WriterTurn({
      folder,
      id,
      now,
      schedule,
      isWanted: () => this.parts.isWanted(),
      onUnwanted: () => this.parts.onUnwanted(),
      onChange: isOurs => {
        if (isOurs) void this.record(attempt());
        else this.standBy(attempt());
      },
      onFailure: error => this.fail(attempt(), asRecorderError(folder.path, error)),
    });
  }

  private async record(attempt: Attempt): Promise<void> {
    this.enter({ kind: 'starting' });
    const run = new RecordingRun({
      ...this.parts,
      client: attempt.client,
      folder: attempt.folder,
      mayWrite: () => attempt.turn.isStillOurs(),
      onBegin: () => this.follow(attempt, run),
      onEnd: error => this.endRun(attempt, run, error),
    });
    attempt.run = run;
    await run.start(await this.pastFor(attempt));
  }

  /** What a former run of this window knew, if nothing was recorded since. */
  private async pastFor({ folder }: Attempt): Promise<JournalState | undefined> {
    const { former } = this;
    this.former = undefined;
    if (former === undefined) return undefined;
    return former.file === (await newestOf(folder)) ? former.state : undefined;
  }

  private follow(attempt: Attempt, run: RecordingRun): void {
    if (attempt !== this.attempt || attempt.run !== run) return;
    const since = this.parts.wallNow();
    this.enter(figuresOf(run, since));
    const again = (): void => {
      this.noteFigures();
      this.figures.value = this.parts.schedule(again, figuresEveryMs);
    };
    this.figures.value = this.parts.schedule(again, figuresEveryMs);
  }

  private noteFigures(): void {
    const { current } = this;
    const run = this.attempt?.run;
    if (current.kind === 'recording' && run !== undefined) this.enter(figuresOf(run, current.since));
  }

  /** A run ended by itself. Without an error another window writes. */
  private endRun(attempt: Attempt, run: RecordingRun, error: unknown): void {
    if (attempt !== this.attempt || attempt.run !== run) return;
    if (error === undefined) this.standBy(attempt);
    else if (error instanceof RecorderError || attempt.client.state === 'connected') this.fail(attempt, error);
    // The session is on its way out or back: the next one, or the next look, begins again.
    else this.beginAfter(attempt);
  }

  private standBy(attempt: Attempt): void {
    if (attempt !== this.attempt) return;
    this.closeRun(attempt);
    this.enter({ kind: 'standby' });
  }

  private fail(attempt: Attempt, error: unknown): void {
    if (attempt !== this.attempt) return;
    this.endAttempt();
    this.enter({ kind: 'failed', error });
  }

  /** Begins again once the session has contact; a session that is lost is replaced by `setClient`. */
  private beginAfter(attempt: Attempt): void {
    this.endAttempt();
    this.enter({ kind: 'waiting' });
    const { client } = attempt;
    const listener = client.onState(({ state }) => {
      if (state === 'uncertain') return;
      listener.dispose();
      if (state === 'connected' && this.client === client && this.current.kind === 'waiting') this.begin();
    });
  }

  private endAttempt(): void {
    const { attempt } = this;
    this.attempt = undefined;
    this.figures.value = undefined;
    if (attempt === undefined) return;
    attempt.turn.dispose();
    this.closeRun(attempt);
    this.ending = this.ending.then(() => attempt.turn.release());
  }

  private closeRun(attempt: Attempt): void {
    const { run } = attempt;
    attempt.run = undefined;
    this.figures.value = undefined;
    if (run === undefined) return;
    this.ending = this.ending
      .then(() => run.close())
      .then(former => {
        this.former = former;
      })
      .catch((error: unknown) => this.parts.logger.warn(`The end of a recording: ${String(error)}`));
  }

  private enter(state: RecorderState): void {
    if (this.current.kind === state.kind && state.kind !== 'recording' && state.kind !== 'failed') return;
    this.current = state;
    this.parts.onChange();
  }
}

function figuresOf(run: RecordingRun, since: number): RecorderState {
  const { entries, bytes, load, state } = run;
  const { watches, requestsPerMinute } = load;
  return { kind: 'recording', since, watches, locks: state?.lockCount ?? 0, entries, bytes, requestsPerMinute };
}

async function newestOf(folder: JournalFolder): Promise<string | undefined> {
  const name = (await folder.files()).at(-1)?.name;
  return name?.replace(/\.gz$/, '');
}

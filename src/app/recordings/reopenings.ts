import { type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { RecordedTime, SourceKind } from '../clusters/recordedTime.ts';
import type { OpenedRecording, OpenRecordings } from './openRecordings.ts';

/** Where the files of a recording are, and what they are. Foreign text. */
export interface RecordingSource {
  kind: SourceKind;
  /** Absolute. */
  path: string;
}

/** A moment as it is kept: by both, since several times are those after one transaction. */
export interface KeptMoment {
  zxid: bigint;
  /** Epoch ms of the servers' clock. */
  time: number;
}

/** `waiting`: for trust in the workspace; no file is touched before. `done`: of the files, from 0 to 1. */
export type Reopening = { kind: 'waiting' } | { kind: 'reading'; done: number } | { kind: 'failed'; error: unknown };

export interface ReopeningsParts {
  recordings: Pick<OpenRecordings, 'open'>;
  /** Reads the files. @throws the cause */
  read(
    source: RecordingSource,
    options: { signal: AbortSignal; onProgress: (done: number, of: number) => void },
  ): Promise<OpenedRecording>;
  /** Called when it is in the list. @param id of its cluster */
  onOpened(id: string): void;
  isTrusted(): boolean;
  logger: Logger;
}

/** Recordings that panels show and that are not in the list: after a reload of the window, or since they were closed. */
export class Reopenings implements Disposable {
  /** The path of the recording whose reopening changed. */
  readonly onChange: Event<string>;
  private readonly changed: Emitter<string>;
  private readonly parts: ReopeningsParts;
  private readonly abort = new AbortController();
  private readonly states = new Map<string, Reopening>();
  private readonly waiting = new Map<string, () => void>();

  constructor(parts: ReopeningsParts) {
    this.parts = parts;
    this.changed = new Emitter(parts.logger);
    this.onChange = this.changed.event;
  }

  /** @returns `undefined` when it was not asked for, or is done */
  of(path: string): Reopening | undefined {
    return this.states.get(path);
  }

  /**
   * Reads the files of a recording and puts it into the list, once however many panels ask. The outcome is its state.
   *
   * @param at the moment to show; a recording that is open already stays at its own
   */
  open(source: RecordingSource, at?: KeptMoment): void {
    const { path } = source;
    if (this.states.get(path)?.kind === 'reading' || this.abort.signal.aborted) return;
    if (this.parts.isTrusted()) {
      void this.read(source, at);
      return;
    }
    this.waiting.set(path, () => void this.read(source, at));
    this.note(path, { kind: 'waiting' });
  }

  /** The workspace is trusted from now on. */
  trust(): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const begin of waiting) begin();
  }

  /** Stops all reading. */
  dispose(): void {
    this.abort.abort();
    this.changed.dispose();
  }

  private async read(source: RecordingSource, at: KeptMoment | undefined): Promise<void> {
    const { path } = source;
    const { signal } = this.abort;
    const onProgress = (done: number, of: number): void =>
      this.note(path, { kind: 'reading', done: of > 0 ? Math.min(1, done / of) : 0 });
    onProgress(0, 1);
    try {
      const { profile } = await this.parts.recordings.open(path, async () => {
        const opened = await this.parts.read(source, { signal, onProgress });
        if (at !== undefined) moveToKept(opened.time, at);
        return opened;
      });
      this.states.delete(path);
      this.parts.onOpened(profile.id);
      this.changed.fire(path);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof CancelledError)) this.parts.logger.warn(`Reading ${path} again failed: ${String(error)}`);
      this.note(path, { kind: 'failed', error });
    }
  }

  private note(path: string, state: Reopening): void {
    this.states.set(path, state);
    this.changed.fire(path);
  }
}

/** Between two transactions the state is that after the first; clocks of servers may go back. */
export function moveToKept(time: Pick<RecordedTime, 'recording' | 'moveTo'>, at: KeptMoment): void {
  const isOfTime = time.recording.momentAt({ time: at.time }).zxid === at.zxid;
  time.moveTo(isOfTime ? { time: at.time } : { zxid: at.zxid });
}

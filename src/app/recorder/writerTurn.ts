import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import { fileMode, isMissing, type JournalFolder } from './journalFolder.ts';
import type { RecorderClocks } from './recorderClocks.ts';

export interface WriterTurnParts extends Pick<RecorderClocks, 'schedule' | 'now'> {
  folder: JournalFolder;
  /** Of this window: twelve hexadecimal digits. */
  id: string;
  /** Whether the cluster is to be recorded, asked at each look: another window may have ended that. */
  isWanted(): boolean;
  /** It is not to be recorded any more. Called at each look until the turn is disposed. */
  onUnwanted(): void;
  /** It is this window's turn from now on, or no longer. */
  onChange(isOurs: boolean): void;
  /** The folder cannot be used. Nothing is looked at from then on. */
  onFailure(error: unknown): void;
}

const lookEveryMs = 2_000;
/**
 * Looks in a row that found the writer's file untouched until its window counts as gone: 10 s. They are counted, since a machine that
 * slept comes back with a clock that has moved on and windows that are as good as before.
 */
const longestSilence = 5;
/** For so long another window may take the turn in the same moment. */
const settleMs = 300;
/** Well before another window can count this one as gone. */
const trustedMs = 6_000;
/** Of the file, bytes; a longer one is not ours. */
const longestId = 64;

/** What a look at the writer's file found. `mark` changes whenever its window touches it. */
interface Sight {
  id: string;
  mark: string;
}

/**
 * One writer among the windows that record a cluster. Its id is in a file of the folder, which it touches every 2 s; another window
 * takes over when it did not for 10 s, or when the file is gone. Times of the file are compared with nothing but themselves, so
 * clocks may be set as anyone likes.
 *
 * Two windows may both believe for a moment that it is their turn: each writes to files of its own, so nothing is lost.
 */
export class WriterTurn implements Disposable {
  private readonly parts: WriterTurnParts;
  private readonly path: string;
  private readonly timer = new DisposableSlot();
  private ours = false;
  private ended = false;
  private looking: Promise<void> | undefined;
  private confirmedAt = 0;
  private seen: string | undefined;
  private silentLooks = 0;

  constructor(parts: WriterTurnParts) {
    this.parts = parts;
    this.path = parts.folder.writerPath;
  }

  get isOurs(): boolean {
    return this.ours;
  }

  /** Looks for a turn from now on; `onChange` says when it came. Resolves after the first look. Never rejects. */
  start(): Promise<void> {
    return this.look();
  }

  /** Whether it is still this window's turn: looked up again if the last look was long ago, as after a pause of this program. */
  async isStillOurs(): Promise<boolean> {
    if (this.ours && this.parts.now() - this.confirmedAt >= trustedMs) await this.look();
    return this.ours;
  }

  /** Gives the turn back, so that another window need not wait. Never rejects. */
  async release(): Promise<void> {
    this.dispose();
    await this.looking;
    if (!this.ours) return;
    this.ours = false;
    try {
      if ((await this.sight())?.id === this.parts.id) await this.parts.folder.fs.rm(this.path, { force: true });
    } catch {
      // The others wait 10 s then.
    }
  }

  dispose(): void {
    this.ended = true;
    this.timer.dispose();
  }

  /** One at a time; the next one follows by itself. */
  private look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => {
      this.looking = undefined;
      if (!this.ended) this.timer.value = this.parts.schedule(() => void this.look(), lookEveryMs);
    });
    return this.looking;
  }

  private async lookNow(): Promise<void> {
    if (!this.parts.isWanted()) {
      if (!this.ended) this.parts.onUnwanted();
      return;
    }
    try {
      const sight = await this.sight();
      if (sight?.id === this.parts.id) await this.touch();
      else if (sight === undefined) await this.take(undefined);
      else await this.waitFor(sight);
    } catch (error) {
      if (this.ended) return;
      this.dispose();
      this.enter(false);
      this.parts.onFailure(error);
    }
  }

  private async touch(): Promise<void> {
    const now = Date.now() / 1000;
    await this.parts.folder.fs.utimes(this.path, now, now);
    this.confirmedAt = this.parts.now();
    this.enter(true);
  }

  private async waitFor(sight: Sight): Promise<void> {
    this.enter(false);
    this.silentLooks = sight.mark === this.seen ? this.silentLooks + 1 : 0;
    this.seen = sight.mark;
    if (this.silentLooks >= longestSilence) await this.take(sight);
  }

  /** Puts our id in the place of what was seen there, and sees whether it stays. */
  private async take(former: Sight | undefined): Promise<void> {
    const { folder, id, schedule } = this.parts;
    if (this.ended) return;
    await folder.make();
    const temporary = `${this.path}-${id}.tmp`;
    await folder.fs.writeFile(temporary, id, { mode: fileMode });
    if ((await this.sight())?.mark !== former?.mark) {
      await folder.fs.rm(temporary, { force: true });
      return;
    }
    await folder.fs.rename(temporary, this.path);
    this.silentLooks = 0;
    await new Promise<void>(resolve => void schedule(resolve, settleMs));
    if ((await this.sight())?.id !== id) return;
    this.confirmedAt = this.parts.now();
    this.enter(true);
  }

  private async sight(): Promise<Sight | undefined> {
    const { fs } = this.parts.folder;
    try {
      const stat = await fs.lstat(this.path);
      const id = stat.isFile() && stat.size <= longestId ? await fs.readFile(this.path, 'utf8') : '';
      return { id, mark: `${id} ${stat.mtimeMs}` };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  private enter(isOurs: boolean): void {
    if (this.ours === isOurs) return;
    this.ours = isOurs;
    // While it is given back nothing is reported.
    if (!this.ended) this.parts.onChange(isOurs);
  }
}

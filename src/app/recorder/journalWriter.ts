import { dirname } from 'node:path';
import { DisposableSlot } from '../../base/disposable.ts';
import { inTurns, type Interruptible } from '../../base/interruptible.ts';
import type { Logger } from '../../base/logger.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { journalHeader } from '../../journal/journalLines.ts';
import { estimated, formatting, lengthOf } from './entryLines.ts';
import { isMissing, type JournalFile, type JournalFolder, type NewFile } from './journalFolder.ts';
import { outdated, ServersTime, type JournalLimits } from './journalLimits.ts';
import type { RecorderClocks } from './recorderClocks.ts';
import { removeLeft } from './leftJournals.ts';
import { asRecorderError, RecorderError } from './recorderError.ts';

export interface WriterParts extends RecorderClocks {
  folder: JournalFolder;
  /** Of this window: twelve hexadecimal digits. */
  id: string;
  /** What is known now, as the entries that begin a file. They do not change afterwards. */
  state(): Iterable<JournalEntry>;
  limits(): JournalLimits;
  /** Whether this window is still the one that writes. */
  mayWrite(): Promise<boolean>;
  /** It ends by itself: by an error, or, without one, since another window writes. */
  onEnd(error: unknown): void;
  logger: Logger;
}

/** What was noted is on disk this long afterwards, if the disk is quick. */
const flushEveryMs = 500;
/** Least size of a file before the next one begins, bytes. */
const leastFileBytes = 4_000_000;
/** Each file begins with the whole state; this keeps the repetition below a quarter. */
const timesOpening = 4;
/** A file is at most this part of what is kept, or little would be left when the oldest goes; half of it if it begins with much. */
const largestPart = 0.25;
const largestPartOfMuch = 0.5;
/** There must be room for more than the repetition. */
const largestOpening = 0.8;
const collectedAtOnce = 1_024;
/** Of entries that wait for the disk, bytes as estimated. */
const longestBacklog = 32_000_000;
const tidyEveryMs = 3_600_000;
/** After a failure of power so much of what was written may be missing, ms. */
const syncEveryMs = 5_000;
/** A file of another window that was written to a shorter time ago may still be written to. */
const restMs = 60_000;

/** Entries of one file that are not on disk yet. */
interface Section {
  isNew: boolean;
  entries: JournalEntry[];
}

/**
 * Appends entries to files of its own, half a second after they came, and keeps the journal of the cluster within its limits: a file of
 * about 4 MB is compressed in the background, and the next one begins with the whole state, so that it can be read by itself.
 */
export class JournalWriter {
  private readonly parts: WriterParts;
  private readonly timer = new DisposableSlot();
  private readonly abort = new AbortController();
  private readonly serversTime: ServersTime;
  private sections: Section[] = [{ isNew: true, entries: [] }];
  private backlog = 0;
  private file: (NewFile & { bytes: number }) | undefined;
  private lastName: string | undefined;
  /** Of the file that the newest entries go to, as estimated. */
  private size = 0;
  /** Of that file when the last list of all nodes began. */
  private sizeAtBegin = 0;
  private rotateAt = leastFileBytes;
  /** Whether the state is that of the servers: all nodes are listed, and no gap is open. */
  private isWhole = false;
  /** The file is gone; the next one begins once the state is whole. */
  private awaitsState = false;
  private ended = false;
  private flushing: Promise<void> | undefined;
  private packing: Promise<void> = Promise.resolve();
  private otherBytes = 0;
  private tidiedAt = -Infinity;
  private syncedAt = -Infinity;

  constructor(parts: WriterParts) {
    this.parts = parts;
    this.serversTime = new ServersTime(parts.now);
  }

  /** Of all files of the journal on disk. */
  get bytes(): number {
    return this.otherBytes + (this.file?.bytes ?? 0);
  }

  /** The name of the file that was begun last, `undefined` if it was deleted. */
  get lastFile(): string | undefined {
    return this.lastName;
  }

  /** Whether the next file is to begin: `beginNext` before the next entry. */
  get isFull(): boolean {
    return this.isWhole && !this.ended && (this.awaitsState || this.size >= this.rotateAt);
  }

  /** Takes an entry that `state` has taken already. */
  write(entry: JournalEntry): void {
    if (this.ended) return;
    this.serversTime.note(entry);
    if (!this.awaitsState) this.add(entry);
    this.followWhole(entry);
  }

  /** What comes goes into a new file, which begins with the state. That must not change meanwhile. */
  *beginNext(): Interruptible<void> {
    const opening: JournalEntry[] = [];
    let length = 0;
    for (const entry of this.parts.state()) {
      // Changes were lost with the file, so it does not go on where an older one ends.
      const isFresh = entry.type === 'begin' && this.awaitsState;
      opening.push(isFresh ? { type: 'begin', at: entry.at } : entry);
      length += estimated(entry);
      if (opening.length % collectedAtOnce === 0) yield;
    }
    this.rotateAt = this.sizeFor(length);
    if (length > this.rotateAt * largestOpening) {
      const limit = this.parts.limits().bytes;
      void this.end(new RecorderError('no-room', this.parts.folder.path, { limit }));
      return;
    }
    this.awaitsState = false;
    this.sections.push({ isNew: true, entries: opening });
    this.backlog += length;
    this.size = length;
    this.flushLater();
  }

  /** Writes what has come so far. Never rejects: a failure ends the writer. */
  flush(): Promise<void> {
    this.timer.value = undefined;
    this.flushing ??= this.flushNow().finally(() => this.afterFlush());
    return this.flushing;
  }

  /** Deletes the files of the journal and goes on in a new one. @throws what the file system throws */
  async deleteFiles(): Promise<void> {
    while (this.flushing !== undefined) await this.flushing;
    const deleting = this.deleteNow();
    // What comes meanwhile waits.
    this.flushing = deleting.catch(() => undefined).finally(() => this.afterFlush());
    await deleting;
  }

  /** Writes what has come so far and closes its file. Never rejects. */
  async close(): Promise<void> {
    if (!this.ended) await this.flush();
    if (!this.ended && this.backlog > 0) await this.flush();
    await this.stop();
  }

  private add(entry: JournalEntry): void {
    const length = estimated(entry);
    this.sections.at(-1)?.entries.push(entry);
    this.backlog += length;
    this.size += length;
    if (this.backlog > longestBacklog) void this.end(new RecorderError('too-slow', this.parts.folder.path));
    else this.flushLater();
  }

  private followWhole({ type }: JournalEntry): void {
    if (type === 'begin') this.sizeAtBegin = this.size;
    if (type === 'begin' || type === 'gap') this.isWhole = false;
    if (type !== 'complete') return;
    this.isWhole = true;
    this.rotateAt = this.sizeFor(this.size - this.sizeAtBegin);
  }

  /** How large a file gets. @param opening bytes that it begins with */
  private sizeFor(opening: number): number {
    const { bytes } = this.parts.limits();
    const usual = Math.min(leastFileBytes, bytes * largestPart);
    return Math.max(usual, Math.min(opening * timesOpening, bytes * largestPartOfMuch));
  }

  private afterFlush(): void {
    this.flushing = undefined;
    if (this.backlog > 0) this.flushLater();
  }

  private async deleteNow(): Promise<void> {
    await this.packing;
    const former = this.file;
    this.file = undefined;
    await former?.handle.close();
    await this.parts.folder.delete();
    this.otherBytes = 0;
    this.beginAgain();
  }

  /** The file that was written to is gone; what is not on disk yet will be part of the state. */
  private beginAgain(): void {
    this.lastName = undefined;
    this.sections = [];
    this.backlog = 0;
    this.awaitsState = true;
  }

  private flushLater(): void {
    if (this.ended || this.flushing !== undefined) return;
    this.timer.value ??= this.parts.schedule(() => void this.flush(), flushEveryMs);
  }

  private async flushNow(): Promise<void> {
    try {
      if (this.backlog === 0 || this.ended) return;
      await this.checkFile();
      if (!(await this.writeSections())) return;
      this.sync();
      await this.tidy();
    } catch (error) {
      const { path } = (isMissing(error) ? undefined : this.file) ?? this.parts.folder;
      await this.end(asRecorderError(path, error));
    }
  }

  /** A file that was deleted could still be written to, and all of it would be lost. */
  private async checkFile(): Promise<void> {
    if (this.file === undefined) return;
    const { path, handle, bytes } = this.file;
    const { fs, path: folder } = this.parts.folder;
    try {
      if ((await fs.lstat(path)).size === bytes) return;
    } catch (error) {
      if (!isMissing(error)) throw error;
      // Its folder must still be there: this throws otherwise.
      await fs.lstat(folder);
    }
    this.file = undefined;
    await handle.close();
    this.beginAgain();
  }

  /** @returns whether it may go on: no other window writes */
  private async writeSections(): Promise<boolean> {
    for (let section = this.sections[0]; section !== undefined; section = this.sections[0]) {
      const { entries } = section;
      // What comes meanwhile goes into the next list.
      section.entries = [];
      this.backlog -= lengthOf(entries);
      // Asked for each list, and behind it: a window that stands still may come back at any of these lines.
      if (!(await this.parts.mayWrite())) {
        await this.end(undefined);
        return false;
      }
      if (section.isNew) await this.beginFile();
      section.isNew = false;
      await this.writeEntries(entries);
      if (section.entries.length > 0) continue;
      // The last one stays open.
      if (this.sections.length <= 1) break;
      this.sections.shift();
    }
    return true;
  }

  private async writeEntries(entries: readonly JournalEntry[]): Promise<void> {
    for (let at = 0; at < entries.length && !this.ended;) {
      const part = await inTurns(formatting(entries, at), () => !this.ended);
      if (part === undefined) return;
      at = part.next;
      await this.append(Buffer.from(part.text));
    }
  }

  private async beginFile(): Promise<void> {
    const { folder, id, wallNow } = this.parts;
    const former = this.file;
    this.file = undefined;
    await former?.handle.datasync();
    await former?.handle.close();
    if (former === undefined) await folder.make();
    this.file = { ...(await folder.begin(wallNow(), id)), bytes: 0 };
    this.lastName = this.file.name;
    this.otherBytes += former?.bytes ?? 0;
    await this.append(Buffer.from(journalHeader()));
    this.tidiedAt = -Infinity;
  }

  private async append(bytes: Buffer): Promise<void> {
    const { file } = this;
    if (file === undefined) return;
    if (this.bytes + bytes.length > this.parts.limits().bytes) await this.removeOutdated(bytes.length);
    await file.handle.appendFile(bytes);
    file.bytes += bytes.length;
  }

  /** Now and then what was written is made to stay, whatever happens to the machine; nothing waits for that. */
  private sync(): void {
    const now = this.parts.now();
    if (now - this.syncedAt < syncEveryMs) return;
    this.syncedAt = now;
    // What fails here fails the next writing, too.
    this.file?.handle.datasync().catch(() => undefined);
  }

  /** Compresses finished files and removes outdated ones: after each new file, and once an hour. */
  private async tidy(): Promise<void> {
    const { folder, id, now, wallNow, logger } = this.parts;
    if (now() - this.tidiedAt < tidyEveryMs) return;
    this.tidiedAt = now();
    await this.removeOutdated(0);
    const isResting = ({ name, writtenAt }: JournalFile): boolean =>
      name.includes(`-${id}.`) || Math.abs(wallNow() - writtenAt) >= restMs;
    const left = await folder.leftOver(this.file?.name);
    const files = left.filter(isResting);
    if (files.length < left.length) this.tidiedAt += 2 * restMs - tidyEveryMs;
    this.packing = this.packing
      .then(() => this.pack(files))
      .then(() => this.removeLeft())
      .catch((error: unknown) => {
        if (!this.ended) logger.warn(`Journal files stay as they are: ${String(error)}`);
      });
  }

  private async pack(files: readonly JournalFile[]): Promise<void> {
    for (const file of files) {
      if (this.ended) return;
      await this.parts.folder.pack(file, this.abort.signal);
      await this.measure();
    }
  }

  /** Of other journals, which none may write to any more. */
  private async removeLeft(): Promise<void> {
    if (this.ended) return;
    const { folder } = this.parts;
    const { ageMs } = this.parts.limits();
    const clocks = { wall: this.parts.wallNow(), servers: this.serversTime.now() };
    await removeLeft(dirname(folder.path), ageMs, clocks, folder.fs);
  }

  private async measure(): Promise<JournalFile[]> {
    const others = (await this.parts.folder.files()).filter(({ name }) => name !== this.file?.name);
    this.otherBytes = others.reduce((sum, { bytes }) => sum + bytes, 0);
    return others;
  }

  /** @param coming bytes that must find room */
  private async removeOutdated(coming: number): Promise<void> {
    const { folder, wallNow } = this.parts;
    const others = await this.measure();
    const clocks = { wall: wallNow(), servers: this.serversTime.now() };
    const limits = this.parts.limits();
    const room = limits.bytes - (this.file?.bytes ?? 0) - coming;
    for (const { name, bytes } of await outdated(others, this.file?.path, { ...limits, bytes: room }, clocks)) {
      await folder.remove(name);
      this.otherBytes -= bytes;
    }
  }

  private async end(error: unknown): Promise<void> {
    if (this.ended) return;
    const { file } = this;
    await this.stop(error !== undefined);
    if (error !== undefined) {
      const why = error instanceof Error ? error.message : 'for an unknown reason';
      this.parts.logger.warn(`Recording ends: ${why}, file ${file?.name ?? 'none'}`);
    }
    this.parts.onEnd(error);
  }

  /** @param isTorn whether the last write may have been done by half */
  private async stop(isTorn = false): Promise<void> {
    this.ended = true;
    this.timer.dispose();
    this.abort.abort();
    this.sections = [];
    this.backlog = 0;
    const { file } = this;
    this.file = undefined;
    this.otherBytes += file?.bytes ?? 0;
    if (file === undefined) return;
    try {
      if (isTorn) await file.handle.truncate(file.bytes);
      await file.handle.datasync();
      await file.handle.close();
    } catch {
      // A reader leaves out the half of a line.
    }
  }
}

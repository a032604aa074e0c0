import { createReadStream, createWriteStream } from 'node:fs';
import fileSystem, { type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** What is used of the file system; tests replace parts of it. */
export type FileSystem = Pick<
  typeof fileSystem,
  'lstat' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'utimes' | 'writeFile'
>;

/** A file of a cluster's journal. */
export interface JournalFile {
  name: string;
  /** Full path. */
  path: string;
  bytes: number;
  /** When it was written to last, epoch ms of this machine's clock. */
  writtenAt: number;
  /** When it was begun, by its name, epoch ms. */
  begunAt: number;
  isPacked: boolean;
}

/** A file that is being written. */
export interface NewFile {
  name: string;
  path: string;
  handle: FileHandle;
}

const namePattern =
  /^journal-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-[0-9a-f]{12}\.zkjournal(?:\.gz)?(?<unfinished>\.tmp)?$/;
const packed = '.gz';
const unfinished = '.tmp';
/** The last moment that a name can have: the end of the year 9999. */
const latest = 253_402_300_799_999;

/** Times of files may be that coarse. */
const roundingMs = 2_000;

/** Where the journals of all clusters are: readable for their owner only. */
const folderMode = 0o700;
export const fileMode = 0o600;

/** How a file is called that begins at `time`, epoch ms. @param writer twelve hexadecimal digits */
export function journalFileName(time: number, writer: string): string {
  const iso = new Date(Math.min(Math.max(0, Math.floor(time)), latest)).toISOString();
  return `journal-${iso.replaceAll(/[-:.]/g, '')}-${writer}.zkjournal`;
}

/** When the file was begun, epoch ms. @returns `undefined` for a file that is not ours, or is not finished */
function begunAt(name: string): number | undefined {
  const match = namePattern.exec(name);
  if (match === null || match.groups?.['unfinished'] !== undefined) return undefined;
  return Date.parse(name.replace(namePattern, '$1-$2-$3T$4:$5:$6.$7Z'));
}

/** Whether the file system said that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * The files of one cluster's journal. Only files that are called as ours are looked at, read or removed, and no link is followed.
 * Everything rejects with the error of the file system.
 */
export class JournalFolder {
  /** Full path; need not exist. */
  readonly path: string;
  readonly fs: FileSystem;

  constructor(path: string, fs: FileSystem = fileSystem) {
    this.path = path;
    this.fs = fs;
  }

  /** Of the file that says which window writes. */
  get writerPath(): string {
    return join(this.path, 'writer');
  }

  async make(): Promise<void> {
    await this.fs.mkdir(this.path, { recursive: true, mode: folderMode });
  }

  /** The oldest first: names are in the order in which files were begun, whatever the clock said. Without the folder: none. */
  async files(): Promise<JournalFile[]> {
    const found: JournalFile[] = [];
    for (const name of await this.names()) {
      const begun = begunAt(name);
      if (begun === undefined) continue;
      const path = join(this.path, name);
      const stat = await this.statOf(path);
      if (stat === undefined) continue;
      const { size: bytes, mtimeMs: writtenAt } = stat;
      found.push({ name, path, bytes, writtenAt, begunAt: begun, isPacked: name.endsWith(packed) });
    }
    return found;
  }

  /** Of all files of the journal on disk. */
  async bytes(): Promise<number> {
    const files = await this.files();
    return files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Begins a file behind all others. @param time epoch ms by this machine's clock, which may have been set back */
  async begin(time: number, writer: string): Promise<NewFile> {
    const begun = (await this.files()).map(file => file.begunAt);
    const name = journalFileName(Math.max(time, ...begun.map(each => each + 1)), writer);
    const path = join(this.path, name);
    return { name, path, handle: await this.fs.open(path, 'ax', fileMode) };
  }

  /** Replaces a file by its compressed form, of the same age, unless someone writes to it meanwhile. */
  async pack({ path, writtenAt, bytes }: JournalFile, signal: AbortSignal): Promise<void> {
    const target = path + packed;
    const temporary = target + unfinished;
    try {
      const file = createWriteStream(temporary, { flags: 'wx', mode: fileMode, flush: true });
      await pipeline(createReadStream(path), createGzip(), file, { signal });
      const seconds = writtenAt / 1000;
      await this.fs.utimes(temporary, seconds, seconds);
      const now = await this.statOf(path);
      if (now?.size !== bytes || now.mtimeMs !== writtenAt) {
        await this.fs.rm(temporary, { force: true });
        return;
      }
      await this.fs.rename(temporary, target);
    } catch (error) {
      await this.fs.rm(temporary, { force: true });
      throw error;
    }
    await this.fs.rm(path, { force: true });
  }

  /**
   * Clears up what a window left that ended in the middle: halves of compressed files, and files with their compressed form, or that
   * form where its file was written to afterwards.
   *
   * @param except the file that is being written
   * @returns the files that are still to be packed, the oldest first
   */
  async leftOver(except: string | undefined): Promise<JournalFile[]> {
    for (const name of await this.names()) {
      if (namePattern.exec(name)?.groups?.['unfinished'] !== undefined) await this.remove(name);
    }
    const files = await this.files();
    const forms = new Map(files.map(file => [file.name, file]));
    const left: JournalFile[] = [];
    for (const file of files.filter(({ name, isPacked }) => !isPacked && name !== except)) {
      const form = forms.get(file.name + packed);
      const isWhole = form !== undefined && file.writtenAt - form.writtenAt < roundingMs;
      if (form !== undefined) await this.remove(isWhole ? file.name : form.name);
      if (!isWhole) left.push(file);
    }
    return left;
  }

  /** Removes all files of the journal, halves included; what else is in the folder stays. */
  async delete(): Promise<void> {
    for (const name of await this.names()) if (namePattern.test(name)) await this.remove(name);
  }

  async remove(name: string): Promise<void> {
    await this.fs.rm(join(this.path, name), { force: true });
  }

  /** When the file of the window that writes was touched last, epoch ms; `undefined`: there is none. */
  async writerSeenAt(): Promise<number | undefined> {
    return (await this.statOf(this.writerPath))?.mtimeMs;
  }

  /** Of our files, sorted. */
  private async names(): Promise<string[]> {
    const stat = await this.statOf(this.path, true);
    if (stat === undefined) return [];
    try {
      const entries = await this.fs.readdir(this.path, { withFileTypes: true });
      return entries.flatMap(entry => (entry.isFile() && namePattern.test(entry.name) ? [entry.name] : [])).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** @returns `undefined` if there is none, or a link in its place */
  private async statOf(path: string, isFolder = false): Promise<{ size: number; mtimeMs: number } | undefined> {
    try {
      const stat = await this.fs.lstat(path);
      return (isFolder ? stat.isDirectory() : stat.isFile()) ? stat : undefined;
    } catch (error) {
      // Another window removed it meanwhile.
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

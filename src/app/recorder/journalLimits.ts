import type { Moment } from '../../history/hold.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { readJournalFile } from '../../journal/journalFile.ts';
import type { JournalFile } from './journalFolder.ts';

/** How much is kept, whichever limit is reached first. */
export interface JournalLimits {
  /** Of all files of a cluster. */
  bytes: number;
  ageMs: number;
}

/** Two clocks that do not know of each other, epoch ms. */
export interface TwoClocks {
  /** Of this machine. */
  wall: number;
  /** Of the servers; `undefined` where nothing of theirs was seen so far. */
  servers: number | undefined;
}

/**
 * The servers' time, which it never is before: the newest time that they gave a node, and what this machine's monotonic clock says has
 * passed since that was seen. Without such a node the last moment as the recorder reckons it.
 */
export class ServersTime {
  private readonly steady: () => number;
  private ahead = -Infinity;
  private last: number | undefined;

  /** @param steady monotonic ms */
  constructor(steady: () => number) {
    this.steady = steady;
  }

  note(entry: JournalEntry): void {
    if (entry.type === 'node' && entry.node.isUnread !== true) {
      const { ctime, mtime } = entry.node;
      this.ahead = Math.max(this.ahead, Math.max(ctime, mtime) - this.steady());
    }
    if ('at' in entry) this.last = entry.at.time;
  }

  now(): number | undefined {
    return this.ahead === -Infinity ? this.last : this.steady() + this.ahead;
  }
}

/**
 * The files that have to go, the oldest first: those beyond the size, and those whose last entry is too old. Age needs both clocks: this
 * machine's by when a file was written to, the servers' by when the next file began. So a clock that was set forward or back
 * removes nothing.
 *
 * @param files without the one that is being written, the oldest first
 * @param current full path of that one
 */
export async function outdated(
  files: readonly JournalFile[],
  current: string | undefined,
  limits: JournalLimits,
  clocks: TwoClocks,
): Promise<JournalFile[]> {
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const gone: JournalFile[] = [];
  for (const [at, file] of files.entries()) {
    const next = files[at + 1];
    const isTooOld = async (): Promise<boolean> => {
      const writtenAt = Math.max(file.writtenAt, file.begunAt, next?.begunAt ?? -Infinity);
      if (clocks.wall - writtenAt <= limits.ageMs || clocks.servers === undefined) return false;
      const path = next?.path ?? current;
      const began = path === undefined ? undefined : await firstMoment(path);
      return began !== undefined && clocks.servers - began.time > limits.ageMs;
    };
    if (bytes <= limits.bytes && !(await isTooOld())) break;
    gone.push(file);
    bytes -= file.bytes;
  }
  return gone;
}

/** The last moment of a file. @returns `undefined` where there is none, or none that can be read */
export async function lastMoment(path: string): Promise<Moment | undefined> {
  let last: Moment | undefined;
  for await (const { entries } of readJournalFile(path)) {
    for (const entry of entries) if ('at' in entry) last = entry.at;
  }
  return last;
}

/** The first moment of a file. @returns `undefined` where there is none, or none that can be read */
async function firstMoment(path: string): Promise<Moment | undefined> {
  for await (const { entries } of readJournalFile(path)) {
    for (const entry of entries) if ('at' in entry) return entry.at;
  }
  return undefined;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { monotonicNow } from '../../../../src/base/deadline.ts';
import { atOnce } from '../../../../src/base/interruptible.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { callLater } from '../../../../src/base/timer.ts';
import type { JournalEntry } from '../../../../src/journal/entry.ts';
import { readJournalFile } from '../../../../src/journal/journalFile.ts';
import { JournalState } from '../../../../src/journal/journalState.ts';
import { JournalFolder, type FileSystem } from '../../../../src/app/recorder/journalFolder.ts';
import { JournalWriter, type WriterParts } from '../../../../src/app/recorder/journalWriter.ts';

export const writerId = '0123456789ab';
export const dayMs = 86_400_000;
/** The servers' clock when the fixtures begin. */
export const startTime = Date.UTC(2026, 10, 24, 12);

/** A fresh folder for each test; read its path inside tests only. */
export function useFolder(): { readonly path: string } {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'recorder-'));
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });
  return {
    get path() {
      return join(root, 'journal');
    },
  };
}

/** Waiters of one lock that come and go, so that there is something to write. */
export class Play {
  readonly state = new JournalState({ newestKept: 1_000 });
  readonly all: JournalEntry[] = [];
  private zxid = 100n;
  private time = startTime;

  /** An entry as the recorder makes them: part of the state first. */
  take(entry: JournalEntry): JournalEntry {
    this.state.apply(entry);
    this.all.push(entry);
    return entry;
  }

  begin(): JournalEntry[] {
    const at = this.moment();
    return [this.take({ type: 'begin', at }), this.take({ type: 'complete', at })];
  }

  join(number: number, padding = 0): JournalEntry {
    const at = this.moment();
    const { zxid: czxid, time: ctime } = at;
    const path = `/locks/orders/_c_00000000-0000-4000-8000-000000000000-lock-${String(number).padStart(10, '0')}`;
    const data = new Uint8Array(padding).fill(120);
    const node = { path, czxid, mzxid: czxid, ctime, mtime: ctime, version: 0, owner: 7n, data };
    return this.take({ type: 'node', at, node });
  }

  leave(joined: JournalEntry): JournalEntry {
    if (joined.type !== 'node') throw new Error('It did not join.');
    const { path, czxid } = joined.node;
    return this.take({ type: 'gone', at: this.moment(), path, czxid });
  }

  /** The servers' clock moves on. */
  pass(ms: number): void {
    this.time += ms;
  }

  private moment(): { zxid: bigint; time: number } {
    this.zxid += 1n;
    this.time += 1;
    return { zxid: this.zxid, time: this.time };
  }
}

export interface WriterUnderTest {
  writer: JournalWriter;
  folder: JournalFolder;
  /** How it ended by itself. */
  ends: unknown[];
}

/** Begins the next file as the recorder does. */
class PlayedWriter extends JournalWriter {
  override write(entry: JournalEntry): void {
    super.write(entry);
    if (this.isFull) atOnce(this.beginNext());
  }
}

/** A writer on real files, with the clocks of this machine unless the test has others. */
export function writerOn(
  path: string,
  play: Play,
  parts: Partial<WriterParts> & { fs?: FileSystem } = {},
): WriterUnderTest {
  const { fs, ...others } = parts;
  const folder = new JournalFolder(path, fs);
  const ends: unknown[] = [];
  const writer = new PlayedWriter({
    folder,
    id: writerId,
    state: () => play.state.state(),
    limits: () => ({ bytes: 50_000_000, ageMs: 7 * dayMs }),
    mayWrite: () => Promise.resolve(true),
    onEnd: error => void ends.push(error),
    schedule: callLater,
    now: monotonicNow,
    wallNow: () => Date.now(),
    logger: nullLogger,
    ...others,
  });
  return { writer, folder, ends };
}

/** All entries of the files, in order. */
export async function readBack(folder: JournalFolder): Promise<JournalEntry[]> {
  const read: JournalEntry[] = [];
  for (const { path } of await folder.files()) {
    for await (const { entries } of readJournalFile(path)) read.push(...entries);
  }
  return read;
}

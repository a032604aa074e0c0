import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { journalHeader, journalLine } from '../../../src/journal/journalLines.ts';

/** A folder that goes with the test. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A file as a recorder writes it. */
export function textOf(entries: readonly JournalEntry[]): string {
  return [journalHeader(), ...entries.map(journalLine)].join('');
}

/** @param number of the file, in the order of their begins @returns its path */
export async function writeJournal(
  folder: string,
  number: number,
  entries: readonly JournalEntry[],
  { isPacked = false } = {},
): Promise<string> {
  const path = join(folder, `journal-${String(number).padStart(6, '0')}.zkjournal${isPacked ? '.gz' : ''}`);
  const text = textOf(entries);
  await writeFile(path, isPacked ? gzipSync(text) : text);
  return path;
}

import fileSystem, { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { JournalFolder } from '../../../../src/app/recorder/journalFolder.ts';
import { removeLeft } from '../../../../src/app/recorder/leftJournals.ts';
import { restorePast } from '../../../../src/app/recorder/restorePast.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import { journalHeader, journalLine } from '../../../../src/journal/journalLines.ts';
import { JournalState } from '../../../../src/journal/journalState.ts';
import { dayMs, Play, startTime, useFolder, writerId } from './journalFixtures.ts';

const folderOf = useFolder();
const limit = 7 * dayMs;

let root: string;
let play: Play;
beforeEach(() => {
  root = dirname(folderOf.path);
  play = new Play();
});

/** A file that nothing is written to any more since `startTime`. */
async function leave(folder: string, tail = ''): Promise<string> {
  await mkdir(join(root, folder), { recursive: true });
  const path = join(root, folder, `journal-20200101T000000000Z-${writerId}.zkjournal`);
  const entries = [...play.begin(), play.join(1)];
  await writeFile(path, journalHeader() + entries.map(entry => journalLine(entry)).join('') + tail);
  await utimes(path, startTime / 1000, startTime / 1000);
  return path;
}

describe('a journal that no window writes', () => {
  const name = 'ab'.repeat(16);
  const later = startTime + limit + 10_000;

  it('loses what is too old by both clocks', async () => {
    await leave(name);
    for (const clocks of [
      { wall: later, servers: undefined },
      { wall: later, servers: startTime + dayMs },
      { wall: startTime + dayMs, servers: later },
    ]) {
      await removeLeft(root, limit, clocks, fileSystem);
      expect(await readdir(join(root, name))).toHaveLength(1);
    }
    await removeLeft(root, limit, { wall: later, servers: later }, fileSystem);
    expect(await readdir(join(root, name))).toEqual([]);
  });

  it('is none while a window touches its file, nor one that is called otherwise', async () => {
    await leave(name);
    await leave('notes');
    const writer = join(root, name, 'writer');
    await writeFile(writer, writerId);
    await utimes(writer, later / 1000, later / 1000);
    await removeLeft(root, limit, { wall: later, servers: later }, fileSystem);
    expect([await readdir(join(root, name)), await readdir(join(root, 'notes'))]).toMatchObject([
      { length: 2 },
      { length: 1 },
    ]);
  });
});

describe('what is read back', () => {
  it('is no damage where the last line is unfinished', async () => {
    await leave('journal', '12345678 {"type":"al');
    const state = new JournalState();
    await restorePast(state, new JournalFolder(folderOf.path), new AbortController().signal, nullLogger);
    expect(state.gaps).toEqual([]);
    expect(state.holds()).toHaveLength(1);
  });
});

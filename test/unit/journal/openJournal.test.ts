import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readQueues } from '../../../src/inspector/readQueues.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { journalLine } from '../../../src/journal/journalLines.ts';
import { openJournal, recordingOf } from '../../../src/journal/journalRecording.ts';
import { brief } from '../replay/followedTree.ts';
import { emptyFolder, textOf, writeJournal } from './journalFolder.ts';
import { inBatches } from './shownLocks.ts';
import { at, contender, lock, pathOf } from './someEntries.ts';

const node = (number: number, owner = 0x10n, zxid = number): JournalEntry => {
  return { type: 'node', at: at(zxid), node: contender(number, owner) };
};
const gone = (number: number, zxid: number): JournalEntry => {
  return { type: 'gone', at: at(zxid), path: pathOf(number), czxid: BigInt(number) };
};
const begin = (zxid: number): JournalEntry => ({ type: 'begin', at: at(zxid) });
const goesOn = (zxid: number): JournalEntry => ({ type: 'begin', at: at(zxid), continues: true });
const complete = (zxid: number): JournalEntry => ({ type: 'complete', at: at(zxid) });
const first = [begin(9), node(1, 0x10n, 9), complete(9), node(12), gone(1, 13)];
const second = [goesOn(13), node(12, 0x10n, 13), complete(13), node(14), gone(12, 15)];
const wholeHolds = [
  '/locks/orders lock-0000000001 1 9 13 unknown before',
  '/locks/orders lock-0000000012 12 13 15 unknown',
  '/locks/orders lock-0000000014 14 15 -',
];

it('files of a folder are one recording; others are left alone', async () => {
  const folder = await emptyFolder();
  await writeJournal(folder, 1, first, { isPacked: true });
  await writeJournal(folder, 2, second);
  await writeFile(join(folder, 'README.txt'), 'Hello');
  await writeFile(join(folder, 'journal-000003.zkjournal.tmp'), 'Hello');
  const progress: [number, number][] = [];
  const recording = await openJournal(folder, { onProgress: (done, of) => progress.push([done, of]) });
  expect(recording.holds().map(brief)).toEqual(wholeHolds);
  expect(recording.problems).toEqual([]);
  expect(recording.gaps).toEqual([]);
  expect([recording.from, recording.sureFrom, recording.to]).toEqual([at(9), at(9), at(15)]);
  expect(recording.transactions).toBe(first.length + second.length);
  expect(progress.at(-1)).toEqual([progress[0]![1], progress[0]![1]]);
  expect(recording.momentAt({ time: 12_500 })).toEqual(at(12));
  expect(recording.momentAt({ time: 1 })).toEqual(at(9));
  expect(recording.momentAt({ zxid: 100n })).toEqual(at(15));
});

it('a file that is packed while it is read, or afterwards, is read once', async () => {
  const folder = await emptyFolder();
  const path = await writeJournal(folder, 1, first.slice(0, 4));
  const recording = await openJournal(folder);
  await appendFile(path, journalLine(gone(1, 13)).slice(0, 20));
  expect(await recording.readMore()).toBe(false);
  expect(recording.problems.map(({ what }) => what)).toEqual(['torn tail']);
  await writeFile(`${path}.gz`, gzipSync(textOf(first)));
  await rm(path);
  await writeJournal(folder, 2, second);
  expect(await recording.readMore()).toBe(true);
  expect(recording.problems).toEqual([]);
  expect(recording.holds().map(brief)).toEqual(wholeHolds);
  expect(await recording.readMore()).toBe(false);
  expect(recording.gaps).toEqual([]);
});

it('a file that is packed between the list of files and its turn is read', async () => {
  const folder = await emptyFolder();
  const path = await writeJournal(folder, 1, first);
  await writeJournal(folder, 2, second);
  const pack = (): void => {
    if (!existsSync(path)) return;
    writeFileSync(`${path}.gz`, gzipSync(textOf(first)));
    rmSync(path);
  };
  const recording = await openJournal(folder, { onProgress: pack });
  expect(recording.problems).toEqual([]);
  expect(recording.gaps).toEqual([]);
  expect(recording.holds().map(brief)).toEqual(wholeHolds);
});

it('a file that is gone before its turn, or was deleted by someone, is a gap', async () => {
  const folder = await emptyFolder();
  await writeJournal(folder, 1, first.slice(0, 3));
  const path = await writeJournal(folder, 2, [goesOn(9), node(1, 0x10n, 9), complete(9), node(12), gone(1, 13)]);
  await writeJournal(folder, 3, second);
  const seen = async (options = {}): Promise<unknown> => {
    const { gaps, holds } = await openJournal(folder, options).then(recording => ({
      gaps: recording.gaps.map(({ from, to }) => [from, to]),
      holds: recording.holds().map(({ name, ended, isEndUnseen }) => [name, ended, isEndUnseen]),
    }));
    return { gaps, first: holds[0] };
  };
  const missing = { gaps: [[at(9), at(13)]], first: ['lock-0000000001', 'unknown', true] };
  expect(await seen({ onProgress: () => rmSync(path, { force: true }) })).toEqual(missing);
  expect(await seen()).toEqual(missing);
});

it('files that are deleted meanwhile change nothing', async () => {
  const folder = await emptyFolder();
  const path = await writeJournal(folder, 1, first);
  const recording = await openJournal(folder);
  await writeJournal(folder, 2, second);
  await rm(path);
  await recording.readMore();
  expect(recording.holds().map(brief)).toEqual(wholeHolds);
});

it('a line that a crash left unfinished is no damage where recording began again', async () => {
  const folder = await emptyFolder();
  const path = await writeJournal(folder, 1, first);
  await appendFile(path, journalLine(node(14)).slice(0, 30));
  await writeJournal(folder, 2, [begin(20), node(12, 0x10n, 20), complete(20)]);
  const recording = await openJournal(folder);
  expect(recording.problems).toEqual([
    { file: 'journal-000001.zkjournal', offset: textOf(first).length, what: 'torn tail' },
  ]);
  expect(recording.gaps).toEqual([{ from: at(13), to: at(20), why: 'not recorded' }]);
  expect(recording.holds().map(brief)).toEqual([
    '/locks/orders lock-0000000001 1 9 13 unknown before',
    '/locks/orders lock-0000000012 12 13 -',
  ]);
});

it('a damaged line is a gap until the next file; what follows it still counts', async () => {
  const folder = await emptyFolder();
  const path = await writeJournal(folder, 1, first);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"type":"node","zxid":"0xc"', '"type":"node","zxid":"0xd"'));
  await writeJournal(folder, 2, second);
  const recording = await openJournal(folder);
  expect(recording.problems.map(({ file, what }) => [file, what])).toEqual([
    ['journal-000001.zkjournal', 'wrong checksum'],
  ]);
  expect(recording.gaps).toEqual([{ from: at(9), to: at(13), why: 'damaged' }]);
  expect(recording.holds().map(brief)).toEqual([
    '/locks/orders lock-0000000001 1 9 9 unknown before',
    '/locks/orders lock-0000000001 1 9 13 unknown before',
    '/locks/orders lock-0000000012 12 13 15 unknown',
    '/locks/orders lock-0000000014 14 15 -',
  ]);
});

it('foreign and newer files are problems; the others are read', async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'journal-000000.zkjournal'), 'Hello\n');
  await writeJournal(folder, 1, first);
  await writeFile(join(folder, 'journal-000002.zkjournal'), '');
  await writeFile(join(folder, 'journal-000003.zkjournal.gz'), 'Hello');
  const recording = await openJournal(folder);
  expect(recording.problems.map(({ what }) => what)).toEqual(['not a recording', 'empty file', 'not a recording']);
  // What was in the last one is not known.
  expect(recording.gaps).toEqual([{ from: at(13), to: at(13), why: 'damaged', lastsAtEnd: true }]);
});

it('a folder without files is an empty recording', async () => {
  const recording = await openJournal(await emptyFolder());
  expect([recording.from, recording.to, recording.sureFrom]).toEqual(Array(3).fill({ zxid: 0n, time: 0 }));
  expect(recording.momentAt({ time: 5 })).toEqual({ zxid: 0n, time: 0 });
  expect(await recording.at({ time: 5 }).exists('/')).toBeUndefined();
  expect(recording.locks()).toEqual([]);
});

it('a folder that is not there is an error of the file system; one may stop', async () => {
  await expect(openJournal('/nonexistent')).rejects.toThrow('ENOENT');
  const folder = await emptyFolder();
  await writeJournal(folder, 1, first);
  await expect(openJournal(folder, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'CancelledError' });
});

it('clients of a recording that is closed fail', async () => {
  const recording = await recordingOf(inBatches(first));
  const client = recording.at({ zxid: 12n });
  expect((await client.getChildren(lock)).children).toHaveLength(2);
  await recording.close();
  expect(client.state).toBe('closed');
  await expect(client.getChildren(lock)).rejects.toMatchObject({ name: 'NotConnectedError' });
  expect(await recording.readMore()).toBe(false);
});

it('a node that could not be read is shown as one, at every moment', async () => {
  const unread = contender(11, 0n, { czxid: 0n, data: new Uint8Array(0), isUnread: true });
  const entries: JournalEntry[] = [...first.slice(0, 3), { type: 'node', at: at(11), node: unread }, gone(1, 13)];
  const recording = await recordingOf(inBatches(entries));
  const client = recording.at({ zxid: 13n });
  await expect(client.getData(unread.path)).rejects.toMatchObject({ codeName: 'NO_AUTH' });
  await expect(client.exists(unread.path)).rejects.toMatchObject({ codeName: 'NO_AUTH' });
  const [queue] = await readQueues(client, lock);
  expect(queue?.contenders.map(({ name, role, isUnread }) => [name, role, isUnread])).toEqual([
    ['lock-0000000011', 'holder', true],
  ]);
  expect(recording.holds().map(brief)[1]).toBe('/locks/orders lock-0000000011 0 13 -');
});

it('a stat is that of the node; of a directory it has its children, and the last change of them', async () => {
  const written = contender(12, 0x10n, { mzxid: 14n, mtime: 14_000, version: 3 });
  const recording = await recordingOf(inBatches([...first, { type: 'node', at: at(14), node: written }, node(15)]));
  const client = recording.at({ zxid: 14n });
  expect((await client.getData(written.path)).stat).toMatchObject({
    czxid: 12n,
    mzxid: 14n,
    ctime: 12_000,
    mtime: 14_000,
    version: 3,
    ephemeralOwner: 0x10n,
    dataLength: 9,
    numChildren: 0,
  });
  expect(await client.exists(lock)).toMatchObject({ numChildren: 1, pzxid: 13n });
  expect(await recording.at({ zxid: 12n }).exists(lock)).toMatchObject({ numChildren: 2, pzxid: 12n });
  expect(await client.exists('/')).toMatchObject({ numChildren: 1 });
});

it('that a deletion has only the zxid of the change before it proves nothing of that change', async () => {
  const recording = await recordingOf(inBatches([...first.slice(0, 4), gone(1, 12)]));
  expect(await recording.at({ zxid: 12n }).exists(lock)).toMatchObject({ numChildren: 1, pzxid: 0n });
});

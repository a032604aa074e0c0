import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { pastEntries } from '../../../src/app/incidents/incidentEntries.ts';
import type { DirectoryReading } from '../../../src/inspector/readDirectory.ts';
import type { JournalEntry, JournalNode } from '../../../src/journal/entry.ts';
import { recordingOf } from '../../../src/journal/journalRecording.ts';
import { furtherDirectories } from '../../../src/locks/recognition/recognise.ts';
import { directory } from '../locks/directory.ts';

const path = '/locks/a';
const names = [1, 2, 3].map(at => `_c_1a2b3c4d-0001-4000-8000-00000000000${String(at)}-lock-000000000${String(at)}`);

function at(zxid: number): { zxid: bigint; time: number } {
  return { zxid: BigInt(zxid), time: 1_700_000_000_000 + zxid };
}

function node(which: number): JournalNode {
  const moment = at(100 + which);
  const { zxid: czxid, time: ctime } = moment;
  const data = new Uint8Array(0);
  return {
    path: `${path}/${names[which] ?? ''}`,
    czxid,
    mzxid: czxid,
    ctime,
    mtime: ctime,
    version: 0,
    owner: 7n,
    data,
  };
}

/** The second is there, as in what a recorder saw up to transaction 110, or the third, too. */
function reading(present: readonly number[]): DirectoryReading {
  const of = directory(
    path,
    present.map(which => ({ name: names[which] ?? '', owner: 7n, czxid: BigInt(100 + which) })),
  );
  return { directory: of, wantedFurther: furtherDirectories(path, names), unreadable: [] };
}

async function* recorded(): AsyncGenerator<JournalEntry> {
  await Promise.resolve();
  yield { type: 'begin', at: at(100) };
  yield { type: 'node', at: at(100), node: node(0) };
  yield { type: 'complete', at: at(100) };
  yield { type: 'node', at: at(101), node: node(1) };
  yield { type: 'gone', at: at(110), path: node(0).path, czxid: node(0).czxid };
  yield { type: 'node', at: at(300), node: { ...node(2), czxid: 300n, mzxid: 300n } };
}

async function entriesUpTo(zxid: number, present: readonly number[]): Promise<JournalEntry[]> {
  const contenders = new Map(present.map(which => [node(which).path, node(which).czxid]));
  const parts = { readings: [reading(present)], contenders, sessions: [], at: at(zxid) };
  const entries: JournalEntry[] = [];
  for await (const entry of pastEntries(recorded(), parts)) entries.push(entry);
  return entries;
}

async function recordingFrom(entries: JournalEntry[]) {
  return recordingOf(Readable.from([entries]));
}

describe('the past of an incident', () => {
  it('ends with what was read, where it leads to that', async () => {
    const entries = await entriesUpTo(200, [1]);
    expect(entries.map(({ type }) => type)).toEqual(['begin', 'node', 'complete', 'node', 'gone', 'alive']);
    const recording = await recordingFrom(entries);
    expect(recording.to).toEqual(at(200));
    expect(recording.gaps).toEqual([]);
    expect(recording.holds(path).map(({ name }) => name)).toEqual([names[0], names[1]]);
  });

  it('has a gap before what was read, where the recorder has not seen all of it', async () => {
    const entries = await entriesUpTo(200, [1, 2]);
    expect(entries.slice(5).map(({ type }) => type)).toEqual(['begin', 'node', 'node', 'node', 'complete']);
    const recording = await recordingFrom(entries);
    expect(recording.gaps).toMatchObject([{ from: at(110), why: 'not recorded' }]);
    const client = recording.at({ zxid: recording.to.zxid });
    expect((await client.getChildren(path)).children.sort()).toEqual([names[1], names[2]]);
  });

  it('leaves out what the recorder saw after the reading', async () => {
    const entries = await entriesUpTo(200, [1]);
    expect(entries.some(entry => 'at' in entry && entry.at.zxid > 200n)).toBe(false);
  });

  it('leaves out a later deletion whose transaction is not known', async () => {
    // Read between the two: both have the transaction before them.
    const moment = { zxid: 101n, time: at(105).time };
    async function* past(): AsyncGenerator<JournalEntry> {
      yield* Readable.from([
        { type: 'begin', at: at(100) },
        { type: 'node', at: at(100), node: node(0) },
        { type: 'complete', at: at(100) },
        { type: 'node', at: at(101), node: node(1) },
        { type: 'gone', at: { zxid: 101n, time: at(103).time }, path: node(0).path, czxid: node(0).czxid },
        { type: 'gone', at: { zxid: 101n, time: at(110).time }, path: node(1).path, czxid: node(1).czxid },
      ] satisfies JournalEntry[]) as AsyncIterable<JournalEntry>;
    }
    const contenders = new Map([[node(1).path, node(1).czxid]]);
    const parts = { readings: [reading([1])], contenders, sessions: [], at: moment };
    const entries: JournalEntry[] = [];
    for await (const entry of pastEntries(past(), parts)) entries.push(entry);
    expect(entries.map(({ type }) => type)).toEqual(['begin', 'node', 'complete', 'node', 'gone', 'alive']);
    expect((await recordingFrom(entries)).gaps).toEqual([]);
  });
});

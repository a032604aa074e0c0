import { expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { entriesOf, openJournal, recordingOf } from '../../../src/journal/journalRecording.ts';
import { JournalState } from '../../../src/journal/journalState.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import { LogWriter } from '../../support/logWriter.ts';
import { RandomPlay } from '../replay/randomPlay.ts';
import { writeTransaction } from '../replay/randomHistory.ts';
import { emptyFolder, writeJournal } from './journalFolder.ts';
import { RecordedPlay } from './journalOfPlay.ts';
import { endsOf, holdsOf, inBatches, shownAt, shownBy, shownNow } from './shownLocks.ts';

const runs = Number(process.env['FOLLOWER_RUNS'] ?? 4);
const firstSeed = Number(process.env['FOLLOWER_SEED'] ?? 1);
const seeds = Array.from({ length: runs }, (_, index) => firstSeed + index);

const timeout = { timeout: 60_000 };

/** A play with its journal, and what was there after each transaction. */
async function playOf(seed: number, steps = 80) {
  const entries: JournalEntry[] = [];
  const pictures = new Map<bigint, string[]>();
  const play = new RecordedPlay(seed, entry => {
    entries.push(entry);
  });
  for (let step = 0; step < steps; step++) {
    play.step();
    pictures.set(play.tree.zxid, await shownNow(play.tree));
  }
  return { play, entries, pictures, last: play.tree.moment };
}

it.each(seeds)('every moment is what was there, seed %d', timeout, async seed => {
  const { play, entries, pictures } = await playOf(seed);
  const recording = await recordingOf(inBatches(entries));
  expect(holdsOf(recording)).toEqual(holdsOf(play.tree.follower));
  expect(recording.gaps.map(({ why }) => why)).toEqual(
    entries.filter(({ type }) => type === 'gap').map(() => 'not recorded'),
  );
  for (const [zxid, picture] of pictures) {
    const client = recording.at({ zxid });
    expect(await shownBy(client), `zxid ${zxid}`).toEqual(picture);
  }
});

it.each(seeds)('a part of it is a recording of that part, seed %d', timeout, async seed => {
  const { entries, pictures } = await playOf(seed);
  const whole = await recordingOf(inBatches(entries));
  const zxids = [...pictures.keys()];
  const [from, to] = [zxids[20]!, zxids[60]!].map(zxid => whole.momentAt({ zxid })) as [never, never];
  const part: JournalEntry[] = [];
  for await (const entry of entriesOf(whole, { from, to })) part.push(entry);
  const recording = await recordingOf(inBatches(part));
  expect(recording.from).toEqual(from);
  for (const zxid of zxids.slice(20, 61)) {
    expect(await shownBy(recording.at({ zxid })), `zxid ${zxid}`).toEqual(pictures.get(zxid));
  }
  const [first, last] = [zxids[20]!, zxids[60]!];
  expect(endsOf(recording, first, last)).toEqual(endsOf(whole, first, last));
});

it.each(seeds)('a part of it may be of some locks only, seed %d', timeout, async seed => {
  const { entries, last } = await playOf(seed);
  const whole = await recordingOf(inBatches(entries));
  const span = { from: whole.momentAt({ zxid: last.zxid / 2n }), to: last };
  for (const path of new Set(whole.locks().map(lock => lock.path))) {
    const part: JournalEntry[] = [];
    for await (const entry of entriesOf(whole, span, [path])) part.push(entry);
    const recording = await recordingOf(inBatches(part));
    for (const instant of [span.from, last]) {
      expect(await shownAt(recording.at(instant), path), path).toEqual(await shownAt(whole.at(instant), path));
    }
  }
});

it.each(seeds)('files are read one after the other, and what comes later, seed %d', timeout, async seed => {
  const { play, entries } = await playOf(seed);
  const folder = await emptyFolder();
  const parts: JournalEntry[][] = [];
  const state = new JournalState();
  let part: JournalEntry[] = [];
  for (const entry of entries) {
    if (part.length > 60 && state.isFollowing) {
      parts.push(part);
      part = [...state.state()];
    }
    state.apply(entry);
    part.push(entry);
  }
  parts.push(part);
  await writeJournal(folder, 0, parts[0]!.slice(0, 40));
  const recording = await openJournal(folder);
  for (const [number, each] of parts.entries()) {
    await writeJournal(folder, number, each, { isPacked: number % 2 === 1 });
    await recording.readMore();
  }
  expect(await recording.readMore()).toBe(false);
  expect(recording.problems).toEqual([]);
  expect(holdsOf(recording)).toEqual(holdsOf(play.tree.follower));
  const again = await openJournal(folder);
  expect(holdsOf(again)).toEqual(holdsOf(recording));
  expect(again.gaps).toEqual(recording.gaps);
});

it.each(seeds)('a part of transaction logs is a recording of that part, seed %d', timeout, async seed => {
  const folder = await emptyFolder();
  const writer = new LogWriter();
  const play = new RandomPlay(seed);
  play.tree.onTransaction = transaction => {
    writeTransaction(writer, transaction);
  };
  for (let step = 0; step < 90; step++) play.step();
  await writer.save(folder);
  const logs = await openLogs(folder);
  const from = logs.momentAt({ zxid: 25n });
  const to = logs.momentAt({ zxid: 70n });
  const part: JournalEntry[] = [];
  for await (const entry of entriesOf(logs, { from, to })) part.push(entry);
  const recording = await recordingOf(inBatches(part));
  expect(recording.from).toEqual(from);
  expect(recording.to.zxid).toBe(to.zxid);
  const gaps = logs.gaps.filter(({ why }) => why === 'missing');
  const isInGap = (zxid: bigint): boolean => gaps.some(gap => gap.from.zxid < zxid && zxid < gap.to.zxid);
  for (let { zxid } = from; zxid <= to.zxid; zxid++) {
    if (isInGap(zxid)) continue;
    expect(await shownBy(recording.at({ zxid })), `zxid ${zxid}`).toEqual(await shownBy(logs.at({ zxid })));
  }
  // What the first transaction behind a gap ends is gone when all is listed there.
  const isLost = (line: string): boolean => gaps.some(gap => line.includes(` ${gap.to.zxid} `));
  const known = endsOf(logs, from.zxid, to.zxid).filter(line => !isLost(line));
  expect(endsOf(recording, from.zxid, to.zxid).filter(line => !isLost(line))).toEqual(known);
});

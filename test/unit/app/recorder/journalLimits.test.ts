import { utimes } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/journal/entry.ts';
import { ServersTime } from '../../../../src/app/recorder/journalLimits.ts';
import { dayMs, Play, readBack, startTime, useFolder, writerOn } from './journalFixtures.ts';

const folderOf = useFolder();

/** What one run of a recorder leaves: a file, written to at `wall` by this machine's clock. */
async function record(play: Play, wall: number, number = 0): Promise<void> {
  const { writer, folder } = writerOn(folderOf.path, play, { wallNow: () => wall });
  for (const entry of play.begin()) writer.write(entry);
  const joined = play.join(number);
  writer.write(joined);
  writer.write(play.leave(joined));
  await writer.close();
  const file = (await folder.files()).at(-1);
  await utimes(file!.path, wall / 1000, wall / 1000);
}

/** Runs a day apart, by both clocks; then one more, whose clocks may say something else. @returns how many files are left */
async function afterDays(days: number, { wallAhead = 0, serversPass = 0 } = {}): Promise<number> {
  const play = new Play();
  for (let day = 0; day < days; day++) {
    await record(play, startTime + day * dayMs, day);
    play.pass(dayMs);
  }
  play.pass(serversPass);
  await record(play, startTime + days * dayMs + wallAhead, days);
  return (await writerOn(folderOf.path, play).folder.files()).length;
}

describe('files of a journal', () => {
  it('are kept for seven days', async () => {
    expect(await afterDays(5)).toBe(6);
  });

  it('go when they are older by both clocks, the oldest first', async () => {
    const days = 12;
    const left = await afterDays(days);
    expect(left).toBe(9);
    const play = new Play();
    const { folder } = writerOn(folderOf.path, play);
    expect((await folder.files())[0]?.begunAt).toBe(startTime + (days + 1 - left) * dayMs);
  });

  it.each([
    ['this machine is set forward by years', { wallAhead: 1_000 * dayMs }],
    ['this machine is set back by years', { wallAhead: -1_000 * dayMs }],
    ['the servers are set forward by years', { serversPass: 1_000 * dayMs }],
    ['the servers are set back by years', { serversPass: -1_000 * dayMs }],
  ])('stay when the clock of %s', async (_, clocks) => {
    expect(await afterDays(3, clocks)).toBe(4);
  });

  it('stay in the order in which they were begun when the clock is set back', async () => {
    const play = new Play();
    const walls = [startTime, startTime - 1_000 * dayMs, startTime + dayMs, startTime - 5];
    for (const [number, wall] of walls.entries()) await record(play, wall, number);
    const read = await readBack(writerOn(folderOf.path, play).folder);
    expect(read).toEqual(play.all);
  });

  it('of a clock that was years back while they were written are not old when it is right again', async () => {
    const play = new Play();
    for (let number = 0; number < 3; number++) await record(play, number * 1_000, number);
    await record(play, startTime, 3);
    expect(await readBack(writerOn(folderOf.path, play).folder)).toEqual(play.all);
  });
});

describe('the time of the servers', () => {
  let steady = 1_000;
  const at = { zxid: 1n, time: startTime };
  const node = (ctime: number, mtime = ctime): JournalEntry => {
    const joined = new Play().join(1);
    if (joined.type !== 'node') throw new Error('It did not join.');
    return { type: 'node', at, node: { ...joined.node, ctime, mtime } };
  };

  it('is never ahead: it starts from the newest time of a node and goes on with the monotonic clock', () => {
    const time = new ServersTime(() => steady);
    expect(time.now()).toBeUndefined();
    time.note({ type: 'begin', at });
    expect(time.now()).toBe(startTime);
    time.note(node(startTime - 5_000, startTime - 2_000));
    expect(time.now()).toBe(startTime - 2_000);
    steady += 500;
    expect(time.now()).toBe(startTime - 1_500);
    time.note(node(startTime - 4_000));
    expect(time.now()).toBe(startTime - 1_500);
  });
});

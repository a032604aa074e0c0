import { spawnSync } from 'node:child_process';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../scripts/zookeeper/temporaryFolder.ts';
import type { JournalFolder } from '../../../src/app/recorder/journalFolder.ts';
import { RecorderError } from '../../../src/app/recorder/recorderError.ts';
import { eventually } from '../../support/eventually.ts';
import { Play, readBack, writerOn } from '../../unit/app/recorder/journalFixtures.ts';

let mountPoint: string;
beforeEach(async () => {
  mountPoint = await temporaryFolder('small-disk-');
});
afterEach(async () => {
  mount('umount', mountPoint);
  await rm(mountPoint, { recursive: true, force: true });
});

function mount(...command: string[]): boolean {
  return spawnSync(command[0]!, command.slice(1)).status === 0;
}

const mountDisk = (): boolean => mount('mount', '-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', mountPoint);

/** Contenders come and go until the writer ends, or for as long as the test lasts. */
async function recordUntilTheEnd(path: string, play: Play): Promise<{ ends: unknown[]; folder: JournalFolder }> {
  const { writer, folder, ends } = writerOn(path, play);
  for (const entry of play.begin()) writer.write(entry);
  for (let number = 0; ends.length === 0; number++) {
    const joined = play.join(number, 1_000);
    writer.write(joined);
    writer.write(play.leave(joined));
    if (number % 20 === 0) await writer.flush();
  }
  await writer.close();
  return { ends, folder };
}

describe('a disk', () => {
  it('that is full ends recording; all that was written before is whole, and it goes on when there is room', async context => {
    if (!mountDisk()) context.skip('This machine lets no disk be mounted.');
    const path = join(mountPoint, 'journal');
    const play = new Play();
    const { ends, folder } = await recordUntilTheEnd(path, play);
    expect(ends).toEqual([expect.any(RecorderError)]);
    expect(ends).toMatchObject([{ kind: 'disk-full' }]);
    const read = await readBack(folder);
    expect(read.length).toBeGreaterThan(200);
    expect(read).toEqual(play.all.slice(0, read.length));
    // The half of a line takes no room either.
    expect((await statfs(mountPoint)).bavail).toBeGreaterThan(0);
    await folder.delete();
    const again = writerOn(path, play);
    again.writer.write(play.join(1));
    await again.writer.flush();
    expect(again.ends).toEqual([]);
    await again.writer.close();
  });

  it('that is read-only from the start, or becomes so, ends recording', async context => {
    if (!mountDisk()) context.skip('This machine lets no disk be mounted.');
    const path = join(mountPoint, 'journal');
    await mkdir(path);
    const play = new Play();
    const { writer, ends, folder } = writerOn(path, play);
    for (const entry of play.begin()) writer.write(entry);
    await writer.flush();
    await writer.close();
    expect(mount('mount', '-o', 'remount,ro', mountPoint)).toBe(true);
    const other = writerOn(path, play, { id: 'aaaaaaaaaaaa' });
    other.writer.write(play.join(1));
    await other.writer.flush();
    await eventually(() => expect(other.ends).toMatchObject([{ kind: 'read-only', path }]));
    expect([ends, await readBack(folder)]).toEqual([[], play.all.slice(0, 2)]);
  });
});

import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import fileSystem from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { JournalFolder } from '../../../../src/app/recorder/journalFolder.ts';
import { WriterTurn } from '../../../../src/app/recorder/writerTurn.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import { eventually } from '../../../support/eventually.ts';
import { useFolder } from './journalFixtures.ts';

const folderOf = useFolder();
/** So many times faster than in a window. */
const speed = 20;
const lookMs = 2_000 / speed;

interface Window {
  turn: WriterTurn;
  changes: boolean[];
  failures: unknown[];
  /** Its program stands still. */
  isFrozen: boolean;
  /** Ends suddenly: nothing of it runs any more. */
  crash(): void;
}

const windows: Window[] = [];
afterEach(async () => {
  await Promise.all(windows.splice(0).map(({ turn }) => turn.release()));
});

function openWindow(id: string, fs = fileSystem): Window {
  const changes: boolean[] = [];
  const failures: unknown[] = [];
  const window: Window = {
    turn: undefined as never,
    changes,
    failures,
    isFrozen: false,
    crash: () => (window.isFrozen = true),
  };
  const schedule = (callback: () => void, ms: number) => {
    const timer = setTimeout(() => {
      if (!window.isFrozen) callback();
    }, ms / speed);
    return toDisposable(() => clearTimeout(timer));
  };
  window.turn = new WriterTurn({
    folder: new JournalFolder(folderOf.path, fs),
    id,
    schedule,
    now: () => performance.now() * speed,
    isWanted: () => true,
    onUnwanted: () => undefined,
    onChange: isOurs => void changes.push(isOurs),
    onFailure: error => void failures.push(error),
  });
  windows.push(window);
  return window;
}

const writerFile = (): string => join(folderOf.path, 'writer');
const writers = (): Window[] => windows.filter(({ turn, isFrozen }) => turn.isOurs && !isFrozen);

async function oneWriter(): Promise<Window> {
  return eventually(() => {
    expect(writers()).toHaveLength(1);
    return writers()[0]!;
  });
}

/** Looks at it for as long as another window would need to take over, and some more. */
async function during(looks: number, check: () => void): Promise<void> {
  const end = performance.now() + looks * lookMs;
  while (performance.now() < end) {
    check();
    await new Promise(resolve => setTimeout(resolve, lookMs / 4));
  }
}

describe('the turn to write', () => {
  it('comes at once to the only window, and leaves nothing when given back', async () => {
    const window = openWindow('aaaaaaaaaaaa');
    await window.turn.start();
    expect([window.turn.isOurs, window.changes]).toEqual([true, [true]]);
    expect(await readFile(writerFile(), 'utf8')).toBe('aaaaaaaaaaaa');
    await window.turn.release();
    expect(await readdir(folderOf.path)).toEqual([]);
  });

  it('has one window only, however many start in the same moment', async () => {
    const ids = Array.from({ length: 6 }, (_, index) => `${index}`.repeat(12));
    await Promise.all(ids.map(id => openWindow(id).turn.start()));
    await oneWriter();
    const [writer] = writers();
    await during(8, () => expect(writers()).toEqual([writer]));
  });

  it('goes on to another window when it is given back', async () => {
    const [one, other] = [openWindow('aaaaaaaaaaaa'), openWindow('bbbbbbbbbbbb')];
    await one.turn.start();
    await other.turn.start();
    expect(other.turn.isOurs).toBe(false);
    await one.turn.release();
    await eventually(() => expect(other.turn.isOurs).toBe(true), 4 * lookMs + 1_000);
  });

  it('is taken over after 10 s of silence, and not before', async () => {
    const [one, other] = [openWindow('aaaaaaaaaaaa'), openWindow('bbbbbbbbbbbb')];
    await one.turn.start();
    await other.turn.start();
    await during(7, () => expect(other.turn.isOurs).toBe(false));
    const crashedAt = performance.now();
    one.crash();
    await eventually(() => expect(other.turn.isOurs).toBe(true));
    expect((performance.now() - crashedAt) * speed).toBeGreaterThan(8_000);
  });

  it('is lost by a window that stood still, which finds that out before it writes', async () => {
    const [one, other] = [openWindow('aaaaaaaaaaaa'), openWindow('bbbbbbbbbbbb')];
    await one.turn.start();
    await other.turn.start();
    one.isFrozen = true;
    await eventually(() => expect(other.turn.isOurs).toBe(true));
    one.isFrozen = false;
    expect(await one.turn.isStillOurs()).toBe(false);
    expect(one.changes).toEqual([true, false]);
    await during(7, () => expect(writers()).toEqual([other]));
  });

  it('is not taken for a clock that is set: only whether the time changes counts', async () => {
    await mkdir(folderOf.path, { recursive: true });
    await writeFile(writerFile(), 'cccccccccccc');
    const other = openWindow('bbbbbbbbbbbb');
    let year = 1970;
    const touch = async (): Promise<void> => {
      const seconds = Date.UTC(((year += 31) % 130) + 1970) / 1000;
      await utimes(writerFile(), seconds, seconds);
    };
    await touch();
    await other.turn.start();
    for (let look = 0; look < 10; look++) {
      await touch();
      await during(1, () => expect(other.turn.isOurs).toBe(false));
    }
    await eventually(() => expect(other.turn.isOurs).toBe(true));
  });

  it('is taken back where a person removed the file', async () => {
    const window = openWindow('aaaaaaaaaaaa');
    await window.turn.start();
    await rm(writerFile());
    await eventually(async () => expect(await readFile(writerFile(), 'utf8')).toBe('aaaaaaaaaaaa'));
    expect([window.turn.isOurs, window.changes]).toEqual([true, [true]]);
  });

  it('fails with what the file system says, once', async () => {
    const refused = Object.assign(new Error('EROFS'), { code: 'EROFS', syscall: 'open' });
    const window = openWindow('aaaaaaaaaaaa', { ...fileSystem, writeFile: () => Promise.reject(refused) });
    await window.turn.start();
    await during(4, () => expect(window.failures).toEqual([refused]));
    expect(window.turn.isOurs).toBe(false);
  });
});

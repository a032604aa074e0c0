import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../scripts/zookeeper/temporaryFolder.ts';
import { JournalFolder } from '../../../src/app/recorder/journalFolder.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { readJournalFile, type JournalBatch } from '../../../src/journal/journalFile.ts';
import { eventually } from '../../support/eventually.ts';
import { JsonLines } from '../../support/jsonLines.ts';

interface Status {
  kind: string;
  given: number;
}

let folder: string;
const windows: JsonLines[] = [];
beforeEach(async () => {
  folder = await temporaryFolder('two-windows-');
});
afterEach(async () => {
  await Promise.all(windows.splice(0).map(window => window.close()));
  await rm(folder, { recursive: true, force: true });
});

const [one, other] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];

function openWindow(id: string): JsonLines {
  const script = fileURLToPath(new URL('recordingProgram.ts', import.meta.url));
  const window = new JsonLines(`window ${id}`, process.execPath, [script, join(folder, 'journal'), id]);
  windows.push(window);
  return window;
}

const status = async (window: JsonLines): Promise<Status> => (await window.request('status')) as Status;

async function until(window: JsonLines, kind: string): Promise<void> {
  await eventually(async () => expect((await status(window)).kind).toBe(kind), 30_000);
}

interface Written {
  /** Of the contenders in the files of one window. */
  numbers: number[];
  /** When the last of them came, epoch ms; 0: there is none. */
  lastAt: number;
  /** What is wrong with the files. */
  problems: unknown[];
  files: number;
}

async function readBack(id: string): Promise<Written> {
  const files = (await new JournalFolder(join(folder, 'journal')).files()).filter(({ name }) => name.includes(id));
  const batches: JournalBatch[] = [];
  for (const { path } of files) for await (const batch of readJournalFile(path)) batches.push(batch);
  const entries = batches.flatMap((batch): JournalEntry[] => batch.entries);
  const nodes = entries.flatMap(entry => (entry.type === 'node' ? entry.node : []));
  return {
    numbers: nodes.map(({ path }) => Number(path.slice(-10))),
    lastAt: nodes.at(-1)?.ctime ?? 0,
    problems: batches.flatMap(({ problem }) => problem ?? []),
    files: files.length,
  };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('a window that is killed', () => {
  it('loses at most the last second, and all that is there can be read', async () => {
    const window = openWindow(one);
    await until(window, 'recording');
    for (let round = 0; round < 3; round++) await new Promise(resolve => setTimeout(resolve, 400));
    const { given } = await status(window);
    expect(given).toBeGreaterThan(100);
    await new Promise(resolve => setTimeout(resolve, 1_000));
    await window.kill();
    const { numbers, problems } = await readBack(one);
    expect(numbers).toEqual(upTo(numbers.length));
    expect(numbers.length).toBeGreaterThanOrEqual(given);
    expect(problems.every(problem => (problem as { what: string }).what === 'torn tail')).toBe(true);
  });
});

describe('two windows that record the same cluster', () => {
  it('share the work: one writes, and the other takes over when that one is killed', async () => {
    const first = openWindow(one);
    await until(first, 'recording');
    const second = openWindow(other);
    await until(second, 'standby');
    await new Promise(resolve => setTimeout(resolve, 3_000));
    expect(await status(second)).toEqual({ kind: 'standby', given: 0 });
    await first.kill();
    const killedAt = performance.now();
    await until(second, 'recording');
    expect(performance.now() - killedAt).toBeGreaterThan(7_000);
    expect(performance.now() - killedAt).toBeLessThan(16_000);
    await eventually(async () => expect((await readBack(other)).numbers.length).toBeGreaterThan(100));
    // What the one wrote before is whole.
    const { numbers, files } = await readBack(one);
    expect(numbers).toEqual(upTo(numbers.length));
    expect(files).toBe(1);
  });

  it('change over at once when the writer closes', async () => {
    const first = openWindow(one);
    await until(first, 'recording');
    const second = openWindow(other);
    await until(second, 'standby');
    const { given } = await status(first);
    await first.close();
    const closedAt = performance.now();
    await until(second, 'recording');
    expect(performance.now() - closedAt).toBeLessThan(4_000);
    const { numbers, problems } = await readBack(one);
    expect(numbers).toEqual(upTo(numbers.length));
    expect([numbers.length >= given, problems]).toEqual([true, []]);
  });

  it('never write to one file: a window that stood still notices that another one writes', async () => {
    const first = openWindow(one);
    await until(first, 'recording');
    const second = openWindow(other);
    await until(second, 'standby');
    first.pause();
    const pausedAt = Date.now();
    await until(second, 'recording');
    first.resume();
    await until(first, 'standby');
    await eventually(async () => expect((await readBack(other)).numbers.length).toBeGreaterThan(100));
    expect((await status(second)).kind).toBe('recording');
    // What was being written when it stood still is whole; nothing of later is in its files.
    const { numbers, problems, lastAt } = await readBack(one);
    expect([numbers, problems]).toEqual([upTo(numbers.length), []]);
    expect(lastAt).toBeLessThanOrEqual(pausedAt);
  });
});

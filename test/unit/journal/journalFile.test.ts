import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import { readJournalFile } from '../../../src/journal/journalFile.ts';
import { journalHeader, journalLine } from '../../../src/journal/journalLines.ts';
import type { Problem } from '../../../src/replay/recording.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { emptyFolder, textOf } from './journalFolder.ts';
import { someEntries } from './someEntries.ts';

interface Read {
  entries: JournalEntry[];
  problems: Problem[];
  next: number;
}

async function read(path: string, from?: number): Promise<Read> {
  const result: Read = { entries: [], problems: [], next: 0 };
  for await (const { entries, problem, next } of readJournalFile(path, { from })) {
    result.entries.push(...entries);
    if (problem !== undefined) result.problems.push(problem);
    result.next = next;
  }
  return result;
}

async function readBytes(bytes: string | Uint8Array, name = 'journal-1.zkjournal'): Promise<Read> {
  const path = join(await emptyFolder(), name);
  await writeFile(path, bytes);
  return read(path);
}

function framed(value: object): string {
  const json = JSON.stringify(value);
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

/** Each reads a file a thousand times. */
const timeout = { timeout: 60_000 };

const kinds = ({ problems }: Read): string[] => problems.map(({ what }) => what);
const text = textOf(someEntries);
const bytes = Buffer.from(text);
const headerBytes = journalHeader().length;

describe('a file', () => {
  it('is read as it was written, packed or not', async () => {
    expect(await readBytes(text)).toEqual({ entries: someEntries, problems: [], next: bytes.length });
    const packed = await readBytes(gzipSync(text), 'journal-1.zkjournal.gz');
    expect(packed).toEqual({ entries: someEntries, problems: [], next: bytes.length });
  });

  it('is read on from where reading ended, packed or not', async () => {
    const path = join(await emptyFolder(), 'j');
    await writeFile(path, text);
    await writeFile(`${path}.gz`, gzipSync(text));
    const from = headerBytes + journalLine(someEntries[0]!).length;
    expect((await read(path, from)).entries).toEqual(someEntries.slice(1));
    expect((await read(`${path}.gz`, from)).entries).toEqual(someEntries.slice(1));
    expect(await read(`${path}.gz`, bytes.length)).toEqual({ entries: [], problems: [], next: bytes.length });
  });

  it('may have entries of types that a later version has', async () => {
    const first = journalLine(someEntries[0]!);
    const later = framed({ type: 'note', zxid: '0x9', text: 'of a later version' });
    const found = await readBytes(text.replace(first, first + later));
    expect(found.problems).toEqual([]);
    expect(found.entries).toEqual(someEntries);
  });

  it('stops when it is no longer wanted', async () => {
    const path = join(await emptyFolder(), 'j');
    await writeFile(path, text);
    const reading = readJournalFile(path, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(reading.next()).rejects.toThrow('enough');
  });
});

describe('damage', () => {
  it('a file that ends anywhere is read up to there', timeout, async () => {
    const path = join(await emptyFolder(), 'j');
    for (let length = 0; length < bytes.length; length++) {
      await writeFile(path, bytes.subarray(0, length));
      const found = await read(path);
      const whole = text.slice(headerBytes, length).split('\n').length - 1;
      expect(found.entries).toEqual(someEntries.slice(0, Math.max(0, whole)));
      const isTorn = length > 0 && bytes[length - 1] !== 0x0a;
      expect(kinds(found), `${length} bytes`).toEqual(length === 0 ? ['empty file'] : isTorn ? ['torn tail'] : []);
    }
  });

  it('a flipped byte costs its line and the next one at most, and changes none', timeout, async () => {
    const path = join(await emptyFolder(), 'j');
    const random = seededRandom(21);
    const known = someEntries.map(journalLine);
    for (let run = 0; run < 1_000; run++) {
      const flipped = Buffer.from(bytes);
      const place = random.below(bytes.length);
      flipped[place] = (flipped[place] ?? 0) ^ (1 + random.below(255));
      await writeFile(path, flipped);
      const found = await read(path);
      expect(found.problems).toHaveLength(1);
      if (place < 10 || place === headerBytes - 1) continue;
      const lines = found.entries.map(journalLine);
      expect(lines.length).toBeGreaterThanOrEqual(known.length - 2);
      expect(lines).toEqual(known.filter(line => lines.includes(line)));
      expect(['wrong checksum', 'bad record', 'torn tail']).toContain(found.problems[0]!.what);
    }
  });

  it('a packed file that ends anywhere is read up to there', timeout, async () => {
    const path = join(await emptyFolder(), 'j.gz');
    const random = seededRandom(5);
    const many = textOf(Array.from({ length: 100 }, () => someEntries).flat());
    const packed = gzipSync(many + random.bytes(40_000).toString('hex'));
    for (let run = 0; run < 20; run++) {
      const length = 1 + random.below(packed.length - 1);
      await writeFile(path, packed.subarray(0, length));
      const { entries, problems } = await read(path);
      expect(entries.map(journalLine).join('')).toBe(
        many.slice(headerBytes).slice(0, entries.map(journalLine).join('').length),
      );
      expect(problems.length).toBeLessThanOrEqual(1);
    }
    await writeFile(path, packed.subarray(0, packed.length - 20_000));
    expect((await read(path)).entries).toHaveLength(100 * someEntries.length);
  });

  it('a packed file with a flipped byte does not go unnoticed', timeout, async () => {
    const path = join(await emptyFolder(), 'j.gz');
    const random = seededRandom(6);
    const packed = gzipSync(text);
    for (let run = 0; run < 200; run++) {
      const flipped = Buffer.from(packed);
      // Behind the header of the packing, of which nothing else depends.
      const place = 10 + random.below(packed.length - 10);
      flipped[place] = (flipped[place] ?? 0) ^ (1 + random.below(255));
      await writeFile(path, flipped);
      const found = await read(path);
      const isWhole = found.entries.length === someEntries.length;
      expect(isWhole || found.problems.length > 0, `byte ${place}`).toBe(true);
    }
  });

  it.each([
    ['an empty file', '', 'empty file'],
    ['text', 'Hello\nWorld\n', 'not a recording'],
    ['JSON', '{"type":"journal","version":1}\n', 'not a recording'],
    ['a journal without its first line', text.slice(headerBytes), 'not a recording'],
    ['a transaction log', Buffer.from('5a4b4c4700000002'.padEnd(20_000, '0'), 'hex'), 'not a recording'],
    ['zeros', Buffer.alloc(10_000), 'not a recording'],
    ['noise', seededRandom(1).bytes(100_000), 'not a recording'],
  ])('%s is no journal', async (_, content, what) => {
    const found = await readBytes(content);
    expect(found.entries).toEqual([]);
    expect(kinds(found)).toEqual([what]);
  });

  it('what claims to be packed and is not is no journal', async () => {
    expect(kinds(await readBytes(text, 'j.gz'))).toEqual(['not a recording']);
  });

  it('a newer version is refused', async () => {
    const found = await readBytes(framed({ type: 'journal', version: 2, more: true }) + text.slice(headerBytes));
    expect(found.entries).toEqual([]);
    expect(kinds(found)).toEqual(['unknown version']);
  });

  it('a file that is not there, or may not be read, is a problem', async () => {
    expect(kinds(await read('/nonexistent/j'))).toEqual(['unreadable']);
  });

  it('noise behind a header ends the reading', async () => {
    const random = seededRandom(9);
    const noise = Array.from({ length: 400 }, (_, at) =>
      journalLine(someEntries[at % 9]!).replace('t', random.pick(['t', 'u'])),
    );
    const found = await readBytes([journalHeader(), ...noise].join(''));
    expect(found.problems.length).toBeLessThanOrEqual(101);
  });
});

describe('a huge file', () => {
  async function timed(path: string): Promise<Read & { ms: number; grown: number }> {
    const before = process.memoryUsage().arrayBuffers;
    const begun = performance.now();
    const found = await read(path);
    return { ...found, ms: performance.now() - begun, grown: process.memoryUsage().arrayBuffers - before };
  }

  it('of zeros is refused at once', async () => {
    const path = join(await emptyFolder(), 'j');
    await writeFile(path, '');
    await truncate(path, 1_000_000_000);
    const { problems, ms } = await timed(path);
    expect(problems.map(({ what }) => what)).toEqual(['not a recording']);
    expect(ms).toBeLessThan(5_000);
  });

  it('with zeros behind its entries is read up to them', async () => {
    const path = join(await emptyFolder(), 'j');
    await writeFile(path, text);
    await truncate(path, 1_000_000_000);
    const { entries, problems, ms, grown } = await timed(path);
    expect(entries).toEqual(someEntries);
    expect(problems.map(({ what }) => what)).toEqual(['bad length']);
    expect(ms).toBeLessThan(10_000);
    expect(grown).toBeLessThan(300_000_000);
  });

  it('with a line of 100 MB is read up to that', async () => {
    const path = join(await emptyFolder(), 'j');
    const file = await open(path, 'w');
    await file.write(text);
    for (let part = 0; part < 100; part++) await file.write(Buffer.alloc(1_000_000, 0x61));
    await file.write(`\n${text.slice(headerBytes)}`);
    await file.close();
    const { entries, problems, ms } = await timed(path);
    expect(entries).toEqual(someEntries);
    expect(problems.map(({ what }) => what)).toEqual(['bad length']);
    expect(ms).toBeLessThan(10_000);
  });
});

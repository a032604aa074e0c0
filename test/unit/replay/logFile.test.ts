import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLog, readLogHeader, type LogBatch, type LogRecord } from '../../../src/replay/logFile.ts';
import type { ProblemKind } from '../../../src/replay/recording.ts';
import { readStored } from '../../../src/replay/storedData.ts';
import { JuteWriter } from '../../../src/zookeeper/wire/jute.ts';
import { LogWriter, RecordType, recordOf } from '../../support/logWriter.ts';

const headerBytes = 16;

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logs-'));
  path = join(folder, 'log.1');
});

afterAll(() => rm(folder, { recursive: true }));

/** What reading a file gives in all. */
interface Whole {
  records: LogRecord[];
  next: number;
  problem?: ProblemKind;
  at?: number;
}

async function readBatches(options?: Parameters<typeof readLog>[1]): Promise<LogBatch[]> {
  const batches: LogBatch[] = [];
  for await (const batch of readLog(path, options)) batches.push(batch);
  return batches;
}

async function readAll(options?: Parameters<typeof readLog>[1]): Promise<Whole> {
  const batches = await readBatches(options);
  const last = batches.at(-1);
  expect(batches.map(({ isEnd }) => isEnd)).toEqual(batches.map(batch => batch === last));
  const { problem } = last ?? {};
  if (problem !== undefined) expect(problem.file).toBe('log.1');
  return {
    records: batches.flatMap(({ records }) => records),
    next: last?.next ?? -1,
    ...(problem && { problem: problem.what, at: problem.offset }),
  };
}

async function readBytes(...parts: Uint8Array[]): Promise<Whole> {
  await writeFile(path, Buffer.concat(parts));
  return readAll();
}

function zxidsOf({ records }: Whole): bigint[] {
  return records.map(({ transaction }) => transaction.zxid);
}

/** A log of three records, and where each of them begins. */
function threeRecords(): { bytes: Buffer; offsets: number[]; end: number } {
  const writer = new LogWriter({ zxid: 0x5_0000_0001n, padding: 0 });
  const session = writer.createSession();
  writer.create(session, '/lock-', { ephemeral: true, sequential: true, data: 'me' });
  writer.closeSession(session);
  const bytes = writer.bytes();
  const offsets: number[] = [];
  for (let at = headerBytes; at < bytes.length; at += 13 + bytes.readInt32BE(at + 8)) offsets.push(at);
  return { bytes, offsets, end: bytes.length };
}

const zeros = Buffer.alloc(1_000);
const zxids = [0x5_0000_0001n, 0x5_0000_0002n, 0x5_0000_0003n];

describe('a whole log', () => {
  it('has its records with their places', async () => {
    const { bytes, offsets, end } = threeRecords();
    const whole = await readBytes(bytes, zeros);
    expect(whole).toMatchObject({ next: end });
    expect(whole.problem).toBeUndefined();
    expect(zxidsOf(whole)).toEqual(zxids);
    expect(whole.records.map(({ offset }) => offset)).toEqual(offsets);
    expect(whole.records.map(({ transaction }) => transaction.change.type)).toEqual([
      'createSession',
      'create',
      'closeSession',
    ]);
  });

  it.each([0, 1, 11, 12])('may end with %i zeros', async count => {
    const { bytes, end } = threeRecords();
    const whole = await readBytes(bytes, zeros.subarray(0, count));
    expect([whole.next, whole.problem, zxidsOf(whole)]).toEqual([end, undefined, zxids]);
  });

  it('may have no records', async () => {
    const whole = await readBytes(threeRecords().bytes.subarray(0, headerBytes), zeros);
    expect(whole).toEqual({ records: [], next: headerBytes });
  });

  it('is read from any of its records on', async () => {
    const { bytes, offsets } = threeRecords();
    await writeFile(path, bytes);
    const from = await Promise.all(offsets.map(each => readAll({ from: each })));
    expect(from.map(zxidsOf)).toEqual([zxids, zxids.slice(1), zxids.slice(2)]);
  });

  it('shows what was added since', async () => {
    const { bytes, offsets } = threeRecords();
    const before = await readBytes(bytes.subarray(0, offsets[2]), zeros);
    expect(zxidsOf(before)).toEqual(zxids.slice(0, 2));
    const file = await open(path, 'r+');
    await file.write(bytes, offsets[2], undefined, offsets[2]);
    await file.close();
    expect(zxidsOf(await readAll({ from: before.next }))).toEqual(zxids.slice(2));
    expect((await readAll({ from: bytes.length })).records).toEqual([]);
  });

  it('may get the rest of a record while it is read', async () => {
    const chunk = 262_144;
    const writer = new LogWriter();
    const session = writer.createSession();
    for (let count = 0; count < 300; count++) writer.setData(session, '/a', 'x'.repeat(1_234), count);
    const bytes = writer.bytes();
    // Of the record over the end of what is read at once, the middle is not written yet.
    await writeFile(path, Buffer.concat([bytes.subarray(0, chunk - 100), Buffer.alloc(100), bytes.subarray(chunk)]));
    const zxidsSeen: bigint[] = [];
    for await (const { records, problem } of readLog(path)) {
      if (zxidsSeen.length === 0) await writeFile(path, bytes);
      zxidsSeen.push(...records.map(({ transaction }) => transaction.zxid));
      expect(problem).toBeUndefined();
    }
    expect(zxidsSeen).toHaveLength(301);
  });

  it('has a record once that stands there twice', async () => {
    const { bytes, offsets } = threeRecords();
    const twice = [bytes.subarray(0, offsets[2]), bytes.subarray(offsets[1])];
    expect(zxidsOf(await readBytes(...twice))).toEqual(zxids);
  });

  it('may be of 20,000 records, which come in order and in parts', async () => {
    const writer = new LogWriter();
    const session = writer.createSession();
    for (let count = 1; count < 20_000; count++)
      writer.create(session, `/nodes/node-${count}`, { data: 'x'.repeat(count % 90) });
    await writeFile(path, writer.bytes());
    const batches = await readBatches();
    expect(batches.length).toBeGreaterThan(3);
    const read = batches.flatMap(({ records }) => records);
    expect(read.map(({ transaction }) => transaction.zxid)).toEqual(read.map((_, at) => BigInt(at + 1)));
    expect(read).toHaveLength(20_000);
  });

  it('may have records that are larger than what is read at once', async () => {
    const writer = new LogWriter();
    const session = writer.createSession();
    const data = Buffer.alloc(3_000_000, 5);
    writer.create(session, '/large', { data });
    writer.setData(session, '/large', 'small', 1);
    const whole = await readBytes(writer.bytes());
    expect(whole.records).toHaveLength(3);
    const { change } = whole.records[1]!.transaction;
    expect(change).toMatchObject({ data: { file: path, length: data.length } });
    if (change.type === 'create') expect(data.equals(await readStored(change.data))).toBe(true);
  });

  it('keeps names as they are, control characters too', async () => {
    const writer = new LogWriter();
    const name = '/\u0000\u001b[2J\u202e\n<b>ü-\u{1f512}';
    writer.create(writer.createSession(), name);
    const { records } = await readBytes(writer.bytes());
    expect(records[1]?.transaction.change).toMatchObject({ path: name });
  });
});

describe('damage', () => {
  const second = threeRecords().offsets[1]!;
  const third = threeRecords().offsets[2]!;
  const { end } = threeRecords();

  /** The log with one byte changed. */
  function changed(at: number, to: (byte: number) => number): Buffer {
    const { bytes } = threeRecords();
    bytes[at] = to(bytes[at]!);
    return bytes;
  }

  function withLength(length: number, at = third): Buffer {
    const { bytes } = threeRecords();
    bytes.writeInt32BE(length, at + 8);
    return bytes;
  }

  /** The length of the second record is damaged, the third one is intact. */
  function withSecondLength(change: (length: number) => number): Buffer {
    return withLength(change(threeRecords().bytes.readInt32BE(second + 8)), second);
  }

  /** The second record has zeros in its data, where a length that is too small leads to. */
  function withZeros(): Buffer {
    const writer = new LogWriter({ zxid: 0x5_0000_0001n, padding: 0 });
    const session = writer.createSession();
    writer.create(session, '/zeros', { data: Buffer.alloc(200) });
    writer.closeSession(session);
    const bytes = writer.bytes();
    bytes.writeInt32BE(100, second + 8);
    return bytes;
  }

  it.each<[string, Uint8Array[], number, number, ProblemKind]>([
    ['a byte that was changed', [changed(third + 20, byte => byte ^ 1)], 2, third, 'wrong checksum'],
    ['a changed byte before intact records', [changed(second + 20, byte => byte ^ 1)], 1, second, 'wrong checksum'],
    ['a changed checksum', [changed(third + 7, byte => byte ^ 1)], 2, third, 'wrong checksum'],
    ['a checksum of more than 32 bits', [changed(third, () => 1)], 2, third, 'wrong checksum'],
    ['a length of 2^31-1', [withLength(0x7fff_ffff), zeros], 2, third, 'bad length'],
    ['a negative length', [withLength(-1), zeros], 2, third, 'bad length'],
    ['a length that leads beyond the file', [withLength(50_000_000), zeros], 2, third, 'torn tail'],
    ['no length where a checksum is', [withLength(0), zeros], 2, third, 'torn tail'],
    ['no length before an intact record', [withSecondLength(() => 0)], 1, second, 'bad length'],
    ['no length before an intact record and zeros', [withSecondLength(() => 0), zeros], 1, second, 'bad length'],
    ['a length that leads beyond intact records', [withSecondLength(n => n + 0x4000)], 1, second, 'bad length'],
    [
      'a length that leads to the zeros behind intact records',
      [withSecondLength(n => n + 0x4000), Buffer.alloc(65_536)],
      1,
      second,
      'wrong checksum',
    ],
    ['a length that leads far beyond intact records', [withSecondLength(n => n + 0x40_0000)], 1, second, 'bad length'],
    ['a length that leads to zeros in the data', [withZeros()], 1, second, 'wrong checksum'],
    ['a length that is too small', [withLength(5), zeros], 2, third, 'wrong checksum'],
    ['another byte behind an intact record', [changed(third - 1, () => 0)], 1, second, 'bad record'],
    ['a file that ends within a record', [threeRecords().bytes.subarray(0, end - 5)], 2, third, 'torn tail'],
    ['a file that ends with a checksum', [threeRecords().bytes.subarray(0, third + 8)], 2, third, 'torn tail'],
    [
      'a file that ends before the last byte of a record',
      [threeRecords().bytes.subarray(0, end - 1)],
      2,
      third,
      'torn tail',
    ],
    [
      'a record of which the end was not written',
      [threeRecords().bytes.subarray(0, end - 5), zeros],
      2,
      third,
      'torn tail',
    ],
    [
      'a record of which only the head was written',
      [threeRecords().bytes.subarray(0, third + 12), zeros],
      2,
      third,
      'torn tail',
    ],
    ['a last record whose last byte was not written', [changed(end - 1, () => 0), zeros], 2, third, 'torn tail'],
    ['bytes behind the records', [threeRecords().bytes, Buffer.from('rubbish')], 3, end, 'torn tail'],
  ])('%s', async (_, parts, intact, offset, problem) => {
    const whole = await readBytes(...parts);
    expect(zxidsOf(whole)).toEqual(zxids.slice(0, intact));
    expect(whole).toMatchObject({ next: offset, at: offset, problem });
  });

  it('a head of zeros before an intact record', async () => {
    const { bytes } = threeRecords();
    bytes.fill(0, second, second + 12);
    const whole = await readBytes(bytes, zeros);
    expect(zxidsOf(whole)).toEqual(zxids.slice(0, 1));
    expect(whole).toMatchObject({ next: second, at: second, problem: 'bad length' });
  });

  it('the length of a record that is larger than what is read at once', async () => {
    const writer = new LogWriter({ padding: 0 });
    writer.create(1n, '/large', { data: Buffer.alloc(900_000, 7) });
    writer.error(1n, -101);
    const bytes = writer.bytes();
    bytes[headerBytes + 8]! += 2;
    expect(await readBytes(bytes)).toEqual({ records: [], next: headerBytes, at: headerBytes, problem: 'bad length' });
  });

  it('bytes behind a torn record that only look like records, very many of them', async () => {
    // Each of them would be a record of the largest length that is there, but for its checksum.
    const heads = Buffer.alloc(400_000);
    for (let at = 0; at < 200_000; at += 12) heads.writeInt32BE(200_000 - at, at + 8);
    heads.fill(0x42, 200_000);
    const whole = await readBytes(withLength(50_000_000), heads);
    expect(zxidsOf(whole)).toEqual(zxids.slice(0, 2));
    expect(whole.problem).toBe('bad length');
  });

  function record(zxid: bigint, type: number, write: (writer: JuteWriter) => unknown): Buffer {
    const writer = new JuteWriter().long(1n).int(1).long(zxid).time(1).int(type);
    write(writer);
    return recordOf(writer.toFrame());
  }

  it.each<[string, Buffer, ProblemKind]>([
    ['a record of an unknown type', record(0x5_0000_0004n, 77, w => w.int(0)), 'bad record'],
    ['a record without a header', recordOf(new JuteWriter().int(1).toFrame()), 'bad record'],
    ['a zxid that goes back', record(0x5_0000_0002n, RecordType.error, w => w.int(0)), 'zxid goes back'],
    ['another record with the same zxid', record(0x5_0000_0003n, RecordType.error, w => w.int(0)), 'zxid goes back'],
  ])('%s', async (_, last, problem) => {
    const whole = await readBytes(threeRecords().bytes, last, threeRecords().bytes.subarray(headerBytes));
    expect(zxidsOf(whole)).toEqual(zxids);
    expect(whole).toMatchObject({ next: end, at: end, problem });
  });
});

describe('what is no log', () => {
  const header = Buffer.from('ZKLG\0\0\0\x02\0\0\0\0\0\0\0\x07', 'latin1');
  const otherVersion = Buffer.from('ZKLG\0\0\0\x03\0\0\0\0\0\0\0\x07', 'latin1');
  const snapshot = Buffer.from('ZKSN\0\0\0\x02\0\0\0\0\0\0\0\x07', 'latin1');

  it.each<[string, Buffer, ProblemKind]>([
    ['an empty file', Buffer.alloc(0), 'empty file'],
    ['a file of one byte', Buffer.from('Z'), 'not a transaction log'],
    ['half a header', header.subarray(0, 15), 'not a transaction log'],
    ['a text', Buffer.from('Dear reader, this is not what you think.'), 'not a transaction log'],
    ['a snapshot', snapshot, 'not a transaction log'],
    ['zeros', zeros, 'not a transaction log'],
    ['a log of another version', otherVersion, 'unknown version'],
  ])('%s', async (_, bytes, problem) => {
    expect(await readBytes(bytes)).toEqual({ records: [], next: 0, at: 0, problem });
    expect(await readLogHeader(path)).toBe(problem);
  });

  it('the header has the number of the data', async () => {
    await writeFile(path, header);
    expect(await readLogHeader(path)).toEqual({ version: 2, dbId: 7n });
  });

  it('a folder, and a file that is not there', async () => {
    const inside = join(folder, 'log.2');
    await mkdir(inside);
    expect(await readLogHeader(inside)).toBe('unreadable');
    const batches: LogBatch[] = [];
    for await (const batch of readLog(inside)) batches.push(batch);
    for await (const batch of readLog(join(folder, 'log.3'))) batches.push(batch);
    expect(batches.map(({ problem }) => problem)).toEqual([
      { file: 'log.2', offset: 0, what: 'unreadable' },
      { file: 'log.3', offset: 0, what: 'unreadable' },
    ]);
  });
});

describe('abort', () => {
  it('ends the reading with its reason', async () => {
    await writeFile(path, threeRecords().bytes);
    const reason = new Error('enough');
    await expect(readAll({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('ends it between two parts', async () => {
    const writer = new LogWriter();
    const session = writer.createSession();
    for (let count = 0; count < 20_000; count++) writer.error(session, -101);
    await writeFile(path, writer.bytes());
    const controller = new AbortController();
    let parts = 0;
    const reading = async (): Promise<void> => {
      for await (const { isEnd } of readLog(path, { signal: controller.signal })) {
        parts++;
        controller.abort();
        expect(isEnd).toBe(false);
      }
    };
    await expect(reading()).rejects.toThrow('aborted');
    expect(parts).toBe(1);
  });
});

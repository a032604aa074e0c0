import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLogs } from '../../../src/replay/openLogs.ts';
import { LogWriter } from '../../support/logWriter.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { saveSnapshot } from '../../support/snapshotWriter.ts';
import { type Picture, pictureOf, readPicture } from './pictures.ts';
import { RandomHistory, writeTransaction } from './randomHistory.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'more-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A log that a server writes: zeros are reserved behind what is there. */
class GrowingLog {
  private readonly whole: Buffer;
  private readonly path: string;

  constructor(path: string, whole: Buffer) {
    this.path = path;
    this.whole = whole;
  }

  async writeUntil(end: number): Promise<void> {
    await writeFile(this.path, Buffer.concat([this.whole.subarray(0, end), Buffer.alloc(4_096)]));
  }
}

function creates(writer: LogWriter, count: number): LogWriter {
  for (let each = 0; each < count; each++) writer.create(1n, `/n${writer.zxid}`);
  return writer;
}

it('reads what was written behind the end, and a record that was cut', async () => {
  const whole = creates(new LogWriter({ padding: 0 }), 30).bytes();
  const log = new GrowingLog(join(folder, 'log.1'), whole);
  await log.writeUntil(whole.indexOf('/n20') - 40);
  const recording = await openLogs(folder);
  const early = recording.at(recording.to);
  const until = recording.to.zxid;
  expect(until).toBeLessThan(20n);
  expect(await recording.readMore()).toBe(false);
  await log.writeUntil(whole.indexOf('/n25') + 2);
  expect(await recording.readMore()).toBe(true);
  expect(recording.to.zxid).toBe(24n);
  expect(recording.problems).toMatchObject([{ what: 'torn tail' }]);
  await log.writeUntil(whole.length);
  expect(await recording.readMore()).toBe(true);
  expect(recording).toMatchObject({ to: { zxid: 30n }, problems: [], gaps: [], transactions: 30 });
  expect(await early.exists(`/n${until + 1n}`)).toBeUndefined();
  expect(await recording.at({ zxid: 30n }).exists('/n30')).toBeDefined();
});

it('reads new files, and what was added to the last one before them', async () => {
  const writer = creates(new LogWriter(), 10);
  await writer.save(folder);
  const recording = await openLogs(folder);
  const path = await creates(writer, 5).save(folder);
  const last = await readFile(path);
  await rm(path);
  await writeFile(path, last);
  await creates(writer, 5).save(folder);
  // A snapshot of what was read already is no news.
  await saveSnapshot(folder, 12n, {});
  expect(await recording.readMore()).toBe(true);
  expect(recording).toMatchObject({ to: { zxid: 20n }, gaps: [], transactions: 20 });
});

it('goes on behind a gap', async () => {
  await creates(new LogWriter(), 10).save(folder);
  const recording = await openLogs(folder);
  await creates(new LogWriter({ zxid: 21n }), 5).save(folder);
  expect(await recording.readMore()).toBe(true);
  expect(recording.gaps.map(({ why }) => why)).toEqual(['missing', 'no snapshot']);
});

it('a recording of nothing begins when there is something', async () => {
  const recording = await openLogs(folder);
  await creates(new LogWriter(), 3).save(folder);
  expect(await recording.readMore()).toBe(true);
  expect(recording).toMatchObject({ from: { zxid: 1n }, to: { zxid: 3n }, sureFrom: { zxid: 1n } });
});

it('two calls at once read everything once', async () => {
  const writer = creates(new LogWriter(), 10);
  await writer.save(folder);
  const recording = await openLogs(folder);
  await creates(writer, 10).save(folder);
  expect((await Promise.all([recording.readMore(), recording.readMore()])).sort()).toEqual([false, true]);
  expect(recording.transactions).toBe(20);
});

it.each([1, 2, 3])('moments stay what they are while checkpoints are forgotten (seed %i)', async seed => {
  const random = seededRandom(seed);
  const history = new RandomHistory(random);
  const pictures = new Map<bigint, Picture>();
  const writer = new LogWriter({ padding: 64 });
  await mkdir(folder, { recursive: true });
  const recording = await openLogs(folder, { limits: { spacing: 3, bytes: 3_000 } });
  const clients = [];
  for (let round = 0; round < 12; round++) {
    for (let each = 0; each < 20; each++) {
      const transaction = history.step();
      writeTransaction(writer, transaction);
      pictures.set(transaction.zxid, pictureOf(history.tree));
    }
    await writer.save(folder);
    await recording.readMore();
    clients.push(
      ...[recording.to.zxid - BigInt(random.below(20)), recording.to.zxid].map(zxid => ({
        zxid,
        client: recording.at({ zxid }),
      })),
    );
    for (const { zxid, client } of clients) expect(await readPicture(client), `${zxid}`).toEqual(pictures.get(zxid));
  }
});

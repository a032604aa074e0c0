import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLog } from '../../../src/replay/logFile.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import type { Recording } from '../../../src/replay/recording.ts';
import { LogWriter } from '../../support/logWriter.ts';
import { type SeededRandom, seededRandom } from '../../support/seededRandom.ts';
import { saveSnapshot } from '../../support/snapshotWriter.ts';
import { type Picture, readPicture } from './pictures.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));
const random = seededRandom(seed);
const tries = 1_000;

let folder: string;
let intact: Recording;
let files: string[];
/** Offset and zxid of all records, by the name of their log. */
const records = new Map<string, { offset: number; zxid: bigint }[]>();
const pictures = new Map<bigint, Picture>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flipped-'));
  const nodes = ['/locks', '/locks/a', '/locks/b'].map(path => [path, {}] as const);
  await saveSnapshot(folder, 9n, { nodes, sessions: new Map([[7n, 1_000]]) });
  const writer = new LogWriter({ zxid: 10n, padding: 100 });
  for (let log = 0; log < 3; log++) {
    playLocks(writer, random, 40);
    const path = await writer.save(folder);
    const found: { offset: number; zxid: bigint }[] = [];
    for await (const batch of readLog(path))
      for (const { offset, transaction } of batch.records) found.push({ offset, zxid: transaction.zxid });
    records.set(path.slice(folder.length + 1), found);
  }
  files = await readdir(folder);
  intact = await openLogs(folder);
  for (let zxid = 10n; zxid <= intact.to.zxid; zxid++) pictures.set(zxid, await readPicture(intact.at({ zxid })));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Sessions come, queue for two locks, release them, close, and expire. */
function playLocks(writer: LogWriter, random: SeededRandom, count: number): void {
  const sessions = [writer.createSession(), writer.createSession()];
  const held: [bigint, string][] = [];
  for (let each = 0; each < count; each++) {
    const session = random.pick(sessions);
    const roll = random.below(10);
    if (roll < 5) {
      const path = `/locks/${random.pick(['a', 'b'])}/_c_6a8a7bbc-2ef2-4ddc-9b11-6f5dd1e0c3a1-lock-`;
      held.push([session, writer.create(session, path, { ephemeral: true, sequential: true, data: 'host' })]);
    } else if (roll < 9 && held.length > 0) {
      const [[owner, path]] = held.splice(random.below(held.length), 1) as [[bigint, string]];
      writer.delete(random.below(5) === 0 ? session : owner, path);
    } else writer.error(session, -101);
  }
  for (const session of sessions) writer.closeSession(session, random.pick(['closed', 'expired']));
}

/** What the transactions before one of them say of the holds. */
function holdsBefore(recording: Recording, zxid: bigint): unknown[] {
  const known = recording.holds().filter(({ from }) => from.zxid < zxid);
  return known.map(({ path, name, czxid, ownerSession, from, to, ended, endedBy }) => {
    const hasEnded = to !== undefined && to.zxid < zxid && ended !== 'unknown';
    return { path, name, czxid, ownerSession, from, ...(hasEnded && { to, ended, endedBy }) };
  });
}

/** The transaction from which on a flipped byte may be seen; behind the last one of its file stand zeros. */
function firstTouched(file: string, offset: number): bigint {
  const all = records.get(file)!;
  return (all.findLast(each => each.offset <= offset) ?? all[0]!).zxid;
}

it(`a flipped byte changes nothing that stands before it (seed ${seed})`, { timeout: 180_000 }, async () => {
  for (let count = 0; count < tries; count++) {
    const file = random.pick(files);
    const bytes = await readFile(join(folder, file));
    const offset = random.below(bytes.length);
    const flipped = Buffer.from(bytes);
    flipped[offset] = (flipped[offset] ?? 0) ^ (1 << random.below(8));
    await writeFile(join(folder, file), flipped);
    const what = `${file} at ${offset}, try ${count}`;
    const recording = await openLogs(folder, { limits: { spacing: 7, bytes: 5_000 } });
    await readPicture(recording.at(recording.to));
    if (file.startsWith('log.')) {
      const zxid = firstTouched(file, offset);
      expect(holdsBefore(recording, zxid), what).toEqual(holdsBefore(intact, zxid));
      const before = 10n + BigInt(random.below(Number(zxid - 10n) + 1)) - 1n;
      if (before >= 10n) expect(await readPicture(recording.at({ zxid: before })), what).toEqual(pictures.get(before));
    }
    await writeFile(join(folder, file), bytes);
  }
});

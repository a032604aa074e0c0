import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLog, type LogRecord } from '../../../src/replay/logFile.ts';
import type { Problem } from '../../../src/replay/recording.ts';
import { readSnapshot } from '../../../src/replay/snapshotFile.ts';
import type { Compression } from '../../../src/replay/unpacked.ts';
import { LogWriter } from '../../support/logWriter.ts';
import { seededRandom, type SeededRandom } from '../../support/seededRandom.ts';
import { packed, snapshotBytes } from '../../support/snapshotWriter.ts';

const tries = 1_000;
const timeout = 120_000;
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

let folder: string;

beforeAll(async () => {
  process.stdout.write(`flipped bytes: SEED=${seed}\n`);
  folder = await mkdtemp(join(tmpdir(), 'flips-'));
});

afterAll(() => rm(folder, { recursive: true }));

function someLog(random: SeededRandom): Buffer {
  const writer = new LogWriter({ padding: 600 });
  const sessions = [writer.createSession(), writer.createSession()];
  for (let count = 0; count < 40; count++) {
    const session = random.pick(sessions);
    const path = writer.create(session, '/locks/lock-', { ephemeral: true, sequential: true, data: 'holder' });
    if (random.below(2) === 0) writer.setData(session, path, random.bytes(random.below(900)), 1);
    if (random.below(2) === 0) writer.multi(session, [writer.checkPart(path, 0), writer.deletePart(session, path)]);
  }
  for (const session of sessions) writer.closeSession(session, random.pick(['closed', 'expired']));
  return writer.bytes();
}

function flipped(bytes: Buffer, random: SeededRandom): { changed: Buffer; at: number } {
  const changed = Buffer.from(bytes);
  const at = random.below(bytes.length);
  changed[at]! ^= 1 + random.below(255);
  return { changed, at };
}

async function readWhole(path: string): Promise<{ records: LogRecord[]; problem?: Problem }> {
  const records: LogRecord[] = [];
  let problem: Problem | undefined;
  for await (const batch of readLog(path)) {
    records.push(...batch.records);
    problem = batch.problem;
  }
  return { records, ...(problem && { problem }) };
}

it('a flipped byte of a log costs no record before it, and changes none', { timeout }, async () => {
  const random = seededRandom(seed);
  const bytes = someLog(random);
  const path = join(folder, 'log.1');
  await writeFile(path, bytes);
  const { records: truth } = await readWhole(path);
  const end = truth.length;
  for (let count = 0; count < tries; count++) {
    const { changed, at } = flipped(bytes, random);
    await writeFile(path, changed);
    const { records, problem } = await readWhole(path);
    const isHeader = at < 8;
    const before = isHeader ? 0 : truth.findLastIndex(({ offset }) => offset <= at);
    const note = `SEED=${seed} try=${count} byte=${at}`;
    // What is read is what was there before, whole; what is not read has its problem.
    expect(isDeepStrictEqual(records, truth.slice(0, records.length)), note).toBe(true);
    expect(records.length, note).toBeGreaterThanOrEqual(before);
    if (records.length < end) expect(problem, note).toBeDefined();
  }
});

it.each<Compression>(['none', 'gz', 'snappy'])(
  'a flipped byte of a snapshot (%s) does not go unnoticed',
  { timeout },
  async compression => {
    const random = seededRandom(seed);
    const nodes = Array.from({ length: 60 }, (_, at) => {
      const node = { data: random.bytes(random.below(700)), czxid: BigInt(at), mzxid: BigInt(at), pzxid: BigInt(at) };
      return [`/node-${at}`, node] as const;
    });
    const sessions = new Map([[1n, 30_000]]);
    const bytes = packed(
      snapshotBytes({ dbId: 3n, sessions, nodes, zxid: 60n, trailers: ['digest', 'zxid'] }),
      compression,
    );
    const path = join(folder, `snapshot.1${compression === 'none' ? '' : `.${compression}`}`);
    const read = async (): Promise<[unknown[], Problem | undefined]> => {
      const seen: unknown[] = [];
      const result = await readSnapshot(path, {
        session: (id, timeoutMs) => seen.push([id, timeoutMs]),
        node: (nodePath, node) => seen.push([nodePath, node]),
      });
      const { problem, ...rest } = result;
      return [[...seen, rest], problem];
    };
    await writeFile(path, bytes);
    const truth = await read();
    expect(truth[1]).toBeUndefined();
    for (let count = 0; count < tries; count++) {
      const { changed, at } = flipped(bytes, random);
      await writeFile(path, changed);
      const [seen, problem] = await read();
      const isRight = problem !== undefined || isDeepStrictEqual(seen, truth[0]);
      expect(isRight, `SEED=${seed} try=${count} byte=${at}`).toBe(true);
    }
  },
);

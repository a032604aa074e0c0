import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLogs } from '../../../src/replay/openLogs.ts';
import { LogWriter } from '../../support/logWriter.ts';
import { type SeededRandom, seededRandom } from '../../support/seededRandom.ts';
import { nodesOf, saveSnapshot } from '../../support/snapshotWriter.ts';
import { type Picture, pictureOf, readPicture } from './pictures.ts';
import { RandomHistory, writeTransaction } from './randomHistory.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moments-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

interface Played {
  history: RandomHistory;
  /** By zxid. */
  pictures: Map<bigint, Picture>;
}

/** Plays some transactions into several logs. @param startAt before this transaction there is a snapshot instead of logs */
async function play(random: SeededRandom, count: number, { isModern = true, startAt = 0 } = {}): Promise<Played> {
  const history = new RandomHistory(random);
  const pictures = new Map<bigint, Picture>();
  const step = () => {
    if (random.below(count / 4) === 0) history.electLeader();
    const transaction = history.step();
    pictures.set(transaction.zxid, pictureOf(history.tree));
    return transaction;
  };
  for (let at = 0; at < startAt; at++) step();
  if (startAt > 0) await snapshot(history);
  const writer = new LogWriter({ isModern, padding: 512 });
  for (let at = startAt; at < count; at++) {
    writeTransaction(writer, step(), isModern);
    if (random.below(count / 4) === 0) await writer.save(folder);
  }
  await writer.save(folder);
  return { history, pictures };
}

async function snapshot({ tree, transactions }: RandomHistory): Promise<void> {
  await saveSnapshot(folder, transactions.at(-1)!.zxid, { nodes: nodesOf(tree) });
}

const seeds = Array.from({ length: 12 }, (_, at) => at + 1);

it.each(seeds)('every moment is the tree of a server after that transaction (seed %i)', async seed => {
  const random = seededRandom(seed);
  const isModern = seed % 3 > 0;
  const { pictures, history } = await play(random, 200, { isModern, startAt: seed % 2 === 0 ? 60 : 0 });
  // Few transactions between checkpoints, and little memory for them: checkpoints are forgotten too.
  const limits = { spacing: 1 + random.below(12), bytes: random.pick([2_000, 20_000, 10_000_000]) };
  const recording = await openLogs(folder, { limits });
  expect(recording.problems).toEqual([]);
  expect(recording.gaps).toEqual([]);
  const zxids = [...pictures.keys()].filter(zxid => zxid >= recording.from.zxid);
  expect(zxids.length).toBeGreaterThan(100);
  expect(history.tree.size).toBeGreaterThan(8);
  for (const zxid of zxids.sort(() => random.next() - 0.5)) {
    expect(await readPicture(recording.at({ zxid })), `zxid ${zxid}`).toEqual(pictures.get(zxid));
  }
});

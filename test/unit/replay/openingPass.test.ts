import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { monotonicNow } from '../../../src/base/deadline.ts';
import { chooseLogs } from '../../../src/replay/chooseLogs.ts';
import { listLogFolder } from '../../../src/replay/logFolder.ts';
import { OpeningPass } from '../../../src/replay/openingPass.ts';
import { CancelledError } from '../../../src/zookeeper/errors.ts';
import { LogWriter } from '../../support/logWriter.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pass-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function save(from: bigint, count: number): Promise<void> {
  const writer = new LogWriter({ zxid: from });
  for (let each = 0; each < count; each++) writer.create(1n, `/n${writer.zxid}`);
  await writer.save(folder);
}

async function run(pass: OpeningPass, signal?: AbortSignal): Promise<void> {
  const { logs, snapshots } = await listLogFolder(folder);
  await pass.run(await chooseLogs(logs), snapshots, { signal });
}

const newPass = (): OpeningPass => new OpeningPass({ spacing: 1_000, bytes: 1_000_000 });

/** The follower begins until other work had a turn, and is aborted as soon as it begins. @returns whether it came to its end */
function abortIn(pass: OpeningPass, controller: AbortController): () => boolean {
  let hasEnded = false;
  pass.follower.begin = function* () {
    controller.abort();
    let hadTurn = false as boolean;
    setImmediate(() => {
      hadTurn = true;
    });
    while (!hadTurn) yield;
    hasEnded = true;
  };
  return () => hasEnded;
}

it('can be cancelled while the follower looks at the whole tree', async () => {
  await save(1n, 3);
  const pass = newPass();
  const controller = new AbortController();
  const hasEnded = abortIn(pass, controller);
  await expect(run(pass, controller.signal)).rejects.toThrow(CancelledError);
  expect(hasEnded()).toBe(false);
});

it('ends the step that it is in when it reads more', async () => {
  await save(1n, 3);
  const pass = newPass();
  await run(pass);
  // Behind a gap.
  await save(10n, 3);
  const controller = new AbortController();
  const hasEnded = abortIn(pass, controller);
  await run(pass, controller.signal).catch((error: unknown) => {
    expect(error).toBeInstanceOf(CancelledError);
  });
  expect(hasEnded()).toBe(true);
});

it('lets other work have its turn after each transaction that made the follower work long', async () => {
  await save(1n, 20);
  const pass = newPass();
  let turns = 0;
  const takeTurn = (): void => {
    turns++;
    next = setImmediate(takeTurn);
  };
  let next = setImmediate(takeTurn);
  const seen: number[] = [];
  pass.follower.applied = () => {
    seen.push(turns);
    const begun = monotonicNow();
    while (monotonicNow() - begun < 10);
    return true;
  };
  await run(pass).finally(() => {
    clearImmediate(next);
  });
  expect(new Set(seen).size).toBe(20);
});

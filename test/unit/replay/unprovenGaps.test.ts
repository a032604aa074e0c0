import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findLocks } from '../../../src/inspector/findLocks.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import { LogWriter } from '../../support/logWriter.ts';
import { saveSnapshot } from '../../support/snapshotWriter.ts';

// What files prove where others are missing, and what is done with files that name impossible or missing things.

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const contender = '/locks/x/_c_00000000-0000-4000-8000-000000000000-lock-';
const ephemeral = { ephemeral: true, sequential: true } as const;

describe('a hold whose end lies in files that are missing', () => {
  it('is ended by no session that later proves only that its node is gone', async () => {
    const before = new LogWriter();
    const [holder, other] = [before.createSession(), before.createSession()];
    before.create(holder, '/locks');
    before.create(holder, '/locks/x');
    before.create(holder, contender, ephemeral);
    await before.save(folder);
    const behind = new LogWriter({ zxid: 50n });
    // That it can be deleted proves that it is empty, and says nothing of who made it so.
    behind.delete(other, '/locks/x');
    await behind.save(folder);
    const recording = await openLogs(folder);
    expect(recording.holds('/locks/x').map(({ ended }) => ended)).toEqual(['unknown', 'unknown']);
    expect(recording.holds('/locks/x').every(({ endedBy }) => endedBy === undefined)).toBe(true);
  });

  it('ends there, and what is shown behind them was held before', async () => {
    const before = new LogWriter();
    const holder = before.createSession();
    before.create(holder, '/locks');
    before.create(holder, '/locks/x');
    before.create(holder, contender, ephemeral);
    await before.save(folder);
    const behind = new LogWriter({ zxid: 50n });
    behind.create(holder, '/other');
    await behind.save(folder);
    expect((await openLogs(folder)).holds('/locks/x')).toMatchObject([
      { from: { zxid: 4n }, to: { zxid: 4n }, ended: 'unknown' },
      { from: { zxid: 50n }, isFromBefore: true, queued: { zxid: 4n } },
    ]);
  });
});

it('a damaged snapshot with a node without a name is read up to that node', async () => {
  const path = await saveSnapshot(folder, 5n, { nodes: [['/a', {}]] });
  const bytes = await readFile(path);
  bytes[bytes.lastIndexOf(Buffer.from('/a')) + 1] = '/'.charCodeAt(0);
  await writeFile(path, bytes);
  const recording = await openLogs(folder);
  expect(recording.problems).toMatchObject([{ file: 'snapshot.5', what: 'bad record' }]);
  expect((await recording.at({ zxid: 5n }).getChildren('/')).children).toEqual(['zookeeper']);
});

it('locks are found where the data of another node are in a file that is gone', async () => {
  const first = new LogWriter();
  const holder = first.createSession();
  first.create(holder, '/locks');
  first.create(holder, '/locks/big', { data: 'x'.repeat(2_000) });
  first.create(holder, '/locks/x');
  first.create(holder, contender, ephemeral);
  const path = await first.save(folder);
  const second = new LogWriter({ zxid: first.zxid });
  for (let count = 0; count < 20; count++) second.error(holder, -101);
  await second.save(folder);
  const recording = await openLogs(folder, { limits: { spacing: 4, bytes: 1_000_000 } });
  await rm(path);
  const client = recording.at({ zxid: recording.to.zxid });
  expect((await findLocks(client, '/')).locks).toMatchObject([{ path: '/locks/x' }]);
  await expect(client.getData('/locks/big')).rejects.toMatchObject({ name: 'StoredDataError' });
});

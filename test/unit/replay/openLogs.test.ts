import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAcl, readOnlyAcl } from '../../../src/dataTree/acl.ts';
import { LogRecording } from '../../../src/replay/logRecording.ts';
import { openLogs } from '../../../src/replay/openLogs.ts';
import { OpeningPass } from '../../../src/replay/openingPass.ts';
import type { Recording } from '../../../src/replay/recording.ts';
import { LogWriter, type LogWriterOptions } from '../../support/logWriter.ts';
import { saveSnapshot, type SnapshotContent } from '../../support/snapshotWriter.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logs-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const epoch = 1n << 32n;
/** Of a transaction in these logs, epoch ms. */
const timeOf = (zxid: bigint): number => 1_700_000_000_000 + Number(BigInt.asUintN(32, zxid));

/** Writes a log with creates of `/n<zxid>`, from one zxid to another. @returns its path */
async function log(from: bigint, to: bigint, options: LogWriterOptions = {}): Promise<string> {
  const writer = new LogWriter({ zxid: from, time: timeOf(from), padding: 64, ...options });
  while (writer.zxid <= to) writer.create(1n, `/n${writer.zxid}`);
  return writer.save(folder);
}

/** A snapshot with the nodes of such logs. @param last it shows, though its name says `zxid` */
function snapshot(zxid: bigint, last = zxid, content: SnapshotContent = {}): Promise<string> {
  const nodes = [];
  for (let each = (zxid >> 32n) * epoch + 1n; each <= last; each++) {
    const stat = { czxid: each, mzxid: each, pzxid: each, ctime: timeOf(each), mtime: timeOf(each) };
    nodes.push([`/n${each}`, stat] as const);
  }
  return saveSnapshot(folder, zxid, { nodes, ...content });
}

/** The gaps as `from-to why`. */
function gapsOf({ gaps }: Recording): string[] {
  return gaps.map(({ from, to, why }) => `${from.zxid}-${to.zxid} ${why}`);
}

async function namesAt(recording: Recording, zxid: bigint): Promise<string[]> {
  const { children } = await recording.at({ zxid }).getChildren('/');
  return children
    .filter(name => name !== 'zookeeper')
    .sort((one, other) => Number(one.slice(1)) - Number(other.slice(1)));
}

/** Changes a byte of the record of a transaction. */
async function damage(path: string, zxid: bigint): Promise<void> {
  const bytes = await readFile(path);
  const at = bytes.indexOf(`/n${zxid}`);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

/** What lies in a folder, as spans of logs and zxids of snapshots. */
interface Layout {
  logs?: readonly (readonly [bigint, bigint])[];
  snapshots?: readonly (bigint | readonly [zxid: bigint, last: bigint])[];
  gaps?: readonly string[];
  sureFrom: bigint;
  from: bigint;
}

it.each<[string, Layout]>([
  ['logs from the first transaction on', { logs: [[1n, 9n]], from: 1n, sureFrom: 1n }],
  [
    'logs of an ensemble from its first epoch on',
    { logs: [[epoch + 1n, epoch + 9n]], from: epoch + 1n, sureFrom: epoch + 1n },
  ],
  [
    'several epochs',
    {
      logs: [
        [1n, 9n],
        [epoch + 1n, epoch + 9n],
        [3n * epoch + 1n, 3n * epoch + 2n],
      ],
      from: 1n,
      sureFrom: 1n,
    },
  ],
  ['logs without a snapshot', { logs: [[50n, 80n]], gaps: ['50-80 no snapshot'], from: 50n, sureFrom: 80n }],
  ['a snapshot before the logs', { logs: [[50n, 80n]], snapshots: [49n], from: 49n, sureFrom: 49n }],
  [
    'the newest of several snapshots before the logs',
    { logs: [[50n, 80n]], snapshots: [20n, 49n, 60n], from: 49n, sureFrom: 49n },
  ],
  [
    'a snapshot with a gap behind it',
    { logs: [[50n, 80n]], snapshots: [40n], gaps: ['40-50 missing', '50-80 no snapshot'], from: 40n, sureFrom: 80n },
  ],
  [
    'a snapshot within the logs',
    { logs: [[50n, 80n]], snapshots: [60n], gaps: ['50-60 no snapshot'], from: 50n, sureFrom: 60n },
  ],
  [
    'snapshots before a gap and within the logs',
    {
      logs: [[50n, 80n]],
      snapshots: [40n, 60n, 70n],
      gaps: ['40-50 missing', '50-60 no snapshot'],
      from: 40n,
      sureFrom: 60n,
    },
  ],
  [
    'a gap between logs',
    {
      logs: [
        [1n, 20n],
        [31n, 40n],
      ],
      gaps: ['20-31 missing', '31-40 no snapshot'],
      from: 1n,
      sureFrom: 1n,
    },
  ],
  [
    'a gap between logs without a snapshot',
    {
      logs: [
        [50n, 80n],
        [90n, 99n],
      ],
      gaps: ['50-80 no snapshot', '80-90 missing', '90-99 no snapshot'],
      from: 50n,
      sureFrom: 99n,
    },
  ],
  [
    'a gap with a snapshot at its end',
    {
      logs: [
        [1n, 20n],
        [31n, 40n],
      ],
      snapshots: [30n],
      gaps: ['20-30 missing'],
      from: 1n,
      sureFrom: 1n,
    },
  ],
  [
    'a gap with a snapshot in it',
    {
      logs: [
        [1n, 20n],
        [31n, 40n],
      ],
      snapshots: [25n],
      gaps: ['20-25 missing', '25-31 missing', '31-40 no snapshot'],
      from: 1n,
      sureFrom: 1n,
    },
  ],
  [
    'a gap with a snapshot behind it',
    {
      logs: [
        [1n, 20n],
        [31n, 40n],
      ],
      snapshots: [35n],
      gaps: ['20-31 missing', '31-35 no snapshot'],
      from: 1n,
      sureFrom: 1n,
    },
  ],
  [
    'an epoch that begins later than it should',
    {
      logs: [
        [1n, 20n],
        [epoch + 5n, epoch + 9n],
      ],
      gaps: [`20-${epoch + 5n} missing`, `${epoch + 5n}-${epoch + 9n} no snapshot`],
      from: 1n,
      sureFrom: 1n,
    },
  ],
  [
    'a snapshot between two epochs',
    { logs: [[epoch + 1n, epoch + 5n]], snapshots: [epoch], from: epoch, sureFrom: epoch },
  ],
  [
    'logs that overlap',
    {
      logs: [
        [1n, 20n],
        [15n, 30n],
      ],
      from: 1n,
      sureFrom: 1n,
    },
  ],
  [
    'a log that is within another one',
    {
      logs: [
        [1n, 20n],
        [5n, 9n],
        [21n, 22n],
      ],
      from: 1n,
      sureFrom: 1n,
    },
  ],
  ['a snapshot without logs', { snapshots: [20n, 25n], from: 25n, sureFrom: 25n }],
  [
    'a fuzzy snapshot',
    { logs: [[21n, 40n]], snapshots: [[20n, 25n]], gaps: ['20-25 fuzzy snapshot'], from: 20n, sureFrom: 25n },
  ],
  [
    'a fuzzy snapshot whose end is not in the logs',
    { logs: [[21n, 23n]], snapshots: [[20n, 25n]], gaps: ['20-23 fuzzy snapshot'], from: 20n, sureFrom: 23n },
  ],
  [
    'a fuzzy snapshot within the logs',
    {
      logs: [[15n, 40n]],
      snapshots: [[20n, 25n]],
      gaps: ['15-20 no snapshot', '20-25 fuzzy snapshot'],
      from: 15n,
      sureFrom: 25n,
    },
  ],
])('from when on the picture is sure: %s', async (_, { logs = [], snapshots = [], gaps = [], from, sureFrom }) => {
  for (const [first, last] of logs) await log(first, last);
  for (const each of snapshots) await (typeof each === 'bigint' ? snapshot(each) : snapshot(...each));
  const recording = await openLogs(folder);
  expect(gapsOf(recording)).toEqual(gaps);
  expect(recording.from.zxid).toBe(from);
  expect(recording.sureFrom.zxid).toBe(sureFrom);
  expect(recording.problems).toEqual([]);
  const to = logs.reduce((most, [, last]) => (last > most ? last : most), from);
  expect(recording.to).toEqual({ zxid: to, time: timeOf(to) });
  expect(await namesAt(recording, to)).toContain(`n${to}`);
});

it('a doubt that no snapshot ends lasts at the last moment, one that led into a gap up to its begin', async () => {
  await log(50n, 80n);
  await log(90n, 99n);
  const lasting = (await openLogs(folder)).gaps.map(({ why, lastsAtEnd }) => [why, lastsAtEnd === true]);
  expect(lasting).toEqual([
    ['no snapshot', true],
    ['missing', false],
    ['no snapshot', true],
  ]);
});

it('a doubt is over at the end of the snapshot that ends it', async () => {
  await log(50n, 80n);
  await snapshot(60n);
  expect((await openLogs(folder)).gaps.map(({ lastsAtEnd }) => lastsAtEnd)).toEqual([undefined]);
});

describe('damage', () => {
  it('of a record takes the rest of its file, up to the next one', async () => {
    const path = await log(1n, 20n);
    await log(21n, 25n);
    await damage(path, 10n);
    const recording = await openLogs(folder);
    expect(gapsOf(recording)).toEqual(['9-21 damaged', '21-25 no snapshot']);
    expect(recording.problems).toMatchObject([{ file: 'log.1', what: 'wrong checksum' }]);
    expect(await namesAt(recording, 9n)).toHaveLength(9);
    expect(await namesAt(recording, 15n)).toHaveLength(9);
    expect(await namesAt(recording, 21n)).toHaveLength(10);
    expect(recording.transactions).toBe(14);
  });

  it('at the end of a file that the next one continues is no gap', async () => {
    const path = await log(1n, 20n, { padding: 0 });
    await writeFile(path, (await readFile(path)).subarray(0, -5));
    await log(20n, 25n);
    const recording = await openLogs(folder);
    expect(gapsOf(recording)).toEqual([]);
    expect(recording.problems).toMatchObject([{ file: 'log.1', what: 'torn tail' }]);
    expect(recording.transactions).toBe(25);
  });

  it('is a gap even where a new epoch begins', async () => {
    const path = await log(1n, 20n);
    await log(epoch + 1n, epoch + 2n);
    await damage(path, 15n);
    expect(gapsOf(await openLogs(folder))[0]).toBe(`14-${epoch + 1n} damaged`);
  });

  it('of a length is a gap, whatever it leads to', async () => {
    const path = await log(1n, 20n, { padding: 65_536 });
    await log(epoch + 1n, epoch + 2n);
    const bytes = await readFile(path);
    for (const mask of [0, 0x80, 0x40_00, 0x40_00_00]) {
      const changed = Buffer.from(bytes);
      // The name stands behind the head of its record, TxnHeader and its own length.
      const at = changed.indexOf('/n15') - 4 - 32 - 4;
      const length = changed.readInt32BE(at);
      changed.writeInt32BE(mask === 0 ? 0 : length | mask, at);
      await writeFile(path, changed);
      expect(gapsOf(await openLogs(folder))[0], `${length} | ${mask}`).toBe(`14-${epoch + 1n} damaged`);
    }
  });

  it('of a record that the next file has is none: the epoch behind it is no gap', async () => {
    const path = await log(1n, 20n);
    await log(20n, 22n);
    await log(epoch + 1n, epoch + 2n);
    await damage(path, 20n);
    expect(gapsOf(await openLogs(folder))).toEqual([]);
  });

  it('of a header takes the file', async () => {
    const path = await log(1n, 20n);
    await log(21n, 25n);
    await writeFile(path, Buffer.concat([Buffer.from('X'), (await readFile(path)).subarray(1)]));
    const recording = await openLogs(folder);
    expect(recording.problems).toMatchObject([{ file: 'log.1', what: 'not a transaction log' }]);
    expect(gapsOf(recording)).toEqual(['21-25 no snapshot']);
  });

  it('of a snapshot leads to the one before it', async () => {
    const path = await snapshot(9n);
    await snapshot(5n);
    await log(10n, 12n);
    await damage(path, 7n);
    const recording = await openLogs(folder);
    expect(recording.problems).toMatchObject([{ file: 'snapshot.9' }]);
    expect(gapsOf(recording)).toEqual(['5-10 missing', '10-12 no snapshot']);
  });

  it('of the only snapshot without logs leaves what stands before it', async () => {
    const path = await snapshot(9n);
    await writeFile(path, (await readFile(path)).subarray(0, -150));
    const recording = await openLogs(folder);
    expect(recording.problems).toMatchObject([{ file: 'snapshot.9', what: 'truncated snapshot' }]);
    expect((await namesAt(recording, 9n)).length).toBeGreaterThan(3);
  });
});

it('nodes share equal ACL lists, whichever file they are from', async () => {
  await saveSnapshot(folder, 4n, { nodes: [['/s', { acl: readOnlyAcl }]] });
  for (const from of [5n, 9n]) {
    const writer = new LogWriter({ zxid: from });
    for (let count = 0; count < 4; count++) {
      writer.create(1n, `/n${writer.zxid}`, { acl: count % 2 === 0 ? openAcl : readOnlyAcl });
    }
    await writer.save(folder);
  }
  const pass = new OpeningPass({ spacing: 100, bytes: 100_000 });
  await new LogRecording(folder, pass).read({});
  const aclsOf = (names: string[]): Set<unknown> => new Set(names.map(name => pass.past.get(name)?.acl));
  expect(aclsOf(['/n5', '/n7', '/n9', '/n11']).size).toBe(1);
  expect([...aclsOf(['/n6', '/n8', '/n10', '/n12', '/s'])]).toEqual([readOnlyAcl]);
});

describe('files of two ensembles', () => {
  it('are distinguished by their dbId: the larger part is read', async () => {
    await log(1n, 20n, { dbId: 7n });
    await log(21n, 30n, { dbId: 8n });
    await log(31n, 40n, { dbId: 7n });
    const recording = await openLogs(folder);
    expect(recording.problems).toEqual([{ file: 'log.15', offset: 8, what: 'other ensemble' }]);
    expect(gapsOf(recording)).toEqual(['20-31 other ensemble', '31-40 no snapshot']);
  });

  it('are distinguished by the times of the same transactions', async () => {
    await log(1n, 20n);
    await log(15n, 30n, { time: 1_500_000_000_000 });
    await log(21n, 25n);
    const recording = await openLogs(folder);
    expect(recording.problems).toMatchObject([{ file: 'log.f', what: 'other ensemble' }]);
    expect(recording.to).toEqual({ zxid: 25n, time: timeOf(25n) });
    expect(await recording.at({ zxid: 25n }).exists('/n25')).toMatchObject({ ctime: timeOf(25n) });
  });

  it('a snapshot of another one is not used', async () => {
    await snapshot(9n, 9n, { dbId: 8n });
    await log(10n, 20n, { dbId: 7n });
    const recording = await openLogs(folder);
    expect(recording.problems).toEqual([{ file: 'snapshot.9', offset: 8, what: 'other ensemble' }]);
    expect(gapsOf(recording)).toEqual(['10-20 no snapshot']);
  });
});

it('what transactions prove is shown without a snapshot', async () => {
  const writer = new LogWriter({ zxid: 50n });
  writer.create(1n, '/locks/a/lock-1', { ephemeral: true });
  writer.closeSession(1n);
  writer.create(2n, '/locks/a/lock-1', { ephemeral: true });
  writer.create(2n, '/single');
  await writer.save(folder);
  const recording = await openLogs(folder);
  const childrenAt = async (zxid: bigint): Promise<string[]> =>
    (await recording.at({ zxid }).getChildren('/locks/a')).children;
  expect(await childrenAt(50n)).toEqual(['lock-1']);
  expect(await childrenAt(51n)).toEqual([]);
  expect(await recording.at({ zxid: 53n }).exists('/locks/a/lock-1')).toMatchObject({ ephemeralOwner: 2n, czxid: 52n });
});

it('a node that is created where one was before a gap takes its place', async () => {
  const before = new LogWriter();
  before.create(1n, '/locks');
  before.create(1n, '/locks/a', { ephemeral: true });
  await before.save(folder);
  const behind = new LogWriter({ zxid: 20n });
  behind.create(2n, '/locks/a', { ephemeral: true });
  await behind.save(folder);
  const recording = await openLogs(folder);
  expect(await recording.at({ zxid: 2n }).exists('/locks/a')).toMatchObject({ ephemeralOwner: 1n });
  expect(await recording.at({ zxid: 20n }).exists('/locks/a')).toMatchObject({ ephemeralOwner: 2n, czxid: 20n });
  expect((await recording.at({ zxid: 20n }).exists('/locks'))?.numChildren).toBe(1);
});

it('an empty folder is a recording without moments', async () => {
  const recording = await openLogs(folder);
  expect(recording).toMatchObject({ transactions: 0, from: { zxid: 0n }, to: { zxid: 0n }, problems: [], gaps: [] });
  expect((await recording.at({ zxid: 5n }).getChildren('/')).children).toEqual(['zookeeper']);
});

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listLogFolder } from '../../../src/replay/logFolder.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function write(...names: string[]): Promise<void> {
  await Promise.all(names.map(name => writeFile(join(folder, name), 'four')));
}

it('finds logs and snapshots, by their zxids', async () => {
  await write(
    'log.100000001',
    'log.ff',
    'log.1',
    'log.7fffffffffffffff',
    'snapshot.0',
    'snapshot.A.gz',
    'snapshot.9.snappy',
  );
  const { logs, snapshots, problems } = await listLogFolder(folder);
  expect(logs).toEqual([
    { file: 'log.1', path: join(folder, 'log.1'), firstZxid: 1n, size: 4 },
    { file: 'log.ff', path: join(folder, 'log.ff'), firstZxid: 0xffn, size: 4 },
    { file: 'log.100000001', path: join(folder, 'log.100000001'), firstZxid: 0x1_0000_0001n, size: 4 },
    {
      file: 'log.7fffffffffffffff',
      path: join(folder, 'log.7fffffffffffffff'),
      firstZxid: 0x7fff_ffff_ffff_ffffn,
      size: 4,
    },
  ]);
  expect(snapshots.map(({ file, zxid, compression }) => [file, zxid, compression])).toEqual([
    ['snapshot.0', 0n, 'none'],
    ['snapshot.9.snappy', 9n, 'snappy'],
    ['snapshot.A.gz', 10n, 'gz'],
  ]);
  expect(problems).toEqual([]);
});

it('looks at no other file', async () => {
  await write(
    ...[
      'acceptedEpoch',
      'currentEpoch',
      'log',
      'log.',
      'log.xyz',
      'log.1.gz',
      'log.8000000000000000',
      'xlog.1',
      'log.1\n',
    ],
    ...['snapshot', 'snapshot.1.tmp', 'snapshot.1.gz.tmp', 'snapshot.00000000000000001', 'Log.1', 'log.-1', 'log.+1'],
  );
  expect(await listLogFolder(folder)).toEqual({ logs: [], snapshots: [], problems: [] });
});

it('looks into version-2 where the folder has none itself', async () => {
  await mkdir(join(folder, 'version-2'));
  await write('version-2/log.1');
  expect((await listLogFolder(folder)).logs).toMatchObject([{ path: join(folder, 'version-2', 'log.1') }]);
  await write('log.2');
  expect((await listLogFolder(folder)).logs).toMatchObject([{ path: join(folder, 'log.2') }]);
});

it('ends where folders are links to themselves', async () => {
  await symlink(folder, join(folder, 'version-2'));
  await symlink(join(folder, 'log.1'), join(folder, 'log.1'));
  await symlink(folder, join(folder, 'log.2'));
  await symlink(join(folder, 'nowhere'), join(folder, 'snapshot.3'));
  expect(await listLogFolder(folder)).toEqual({
    logs: [],
    snapshots: [],
    problems: ['log.1', 'log.2', 'snapshot.3'].map(file => ({ file, offset: 0, what: 'unreadable' })),
  });
});

it('has a folder with the name of a log as a problem', async () => {
  await mkdir(join(folder, 'log.1'));
  await write('log.2');
  const { logs, problems } = await listLogFolder(folder);
  expect(logs.map(({ file }) => file)).toEqual(['log.2']);
  expect(problems).toEqual([{ file: 'log.1', offset: 0, what: 'unreadable' }]);
});

it('lists thousands of files', { timeout: 60_000 }, async () => {
  for (let start = 0; start < 3_000; start += 500) {
    await write(...Array.from({ length: 500 }, (_, at) => `log.${(start + at).toString(16)}`));
  }
  const { logs } = await listLogFolder(folder);
  expect(logs.map(({ firstZxid }) => firstZxid)).toEqual(Array.from({ length: 3_000 }, (_, at) => BigInt(at)));
});

it('fails for a folder that is not there', async () => {
  await expect(listLogFolder(join(folder, 'nowhere'))).rejects.toThrow('ENOENT');
});

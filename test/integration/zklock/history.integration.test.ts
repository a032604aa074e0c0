import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startZooKeeper, type ZooKeeperEnsemble } from '../../support/zookeeperServer.ts';
import { useZklock } from '../../support/zklockProgram.ts';

const zklock = useZklock();
let server: ZooKeeperEnsemble;
let folder: string;

beforeAll(async () => {
  server = await startZooKeeper();
  const samples = ['01-mutex', '04-semaphore'].map(name =>
    fileURLToPath(new URL(`../../../samples/${name}.zklock`, import.meta.url)),
  );
  const { code, err } = await zklock.run(['run', ...samples, '--cluster', server.connectString]);
  expect(code, err).toBe(0);
  await server.kill();
  folder = join(server.servers[0]!.folder, 'data');
});
afterAll(() => server.stop());

it('has a line for each lock', async () => {
  const { code, out, err } = await zklock.run(['history', folder]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^Everything was read\n/);
  expect(out).toMatch(/^PATH +LIBRARY +HOLDS +LONGEST +WAITS +HELD AT THE END BY$/m);
  expect(out).toMatch(/^\/scenario\/orders +Curator +2 +\d+ ms +0 +-$/m);
  expect(out).toMatch(/^\/scenario\/workers +Curator +3 /m);
});

it('shows the whole life of one lock', async () => {
  const { code, out } = await zklock.run(['history', folder, '/scenario/orders']);
  expect(code).toBe(0);
  expect(out).toContain('/scenario/orders: 2 held it, 0 waited in vain');
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    /: A \[\S+\], session 0x[0-9a-f]+, held for [^,]+, released by its own session at/,
  );
  expect(out).not.toContain('/scenario/workers');
});

it('writes all holds as JSON', async () => {
  const { code, out } = await zklock.run(['history', folder, '/scenario/orders', '--json']);
  expect(code).toBe(0);
  const { holds, waits } = JSON.parse(out) as { holds: unknown[]; waits: unknown[] };
  expect(holds).toMatchObject([
    { lock: '/scenario/orders', identifier: 'A', ended: 'released' },
    { lock: '/scenario/orders', identifier: 'B', ended: 'released' },
  ]);
  expect(waits).toEqual([]);
});

it.each([
  ['no lock there', ['/none'], 1, 'There is no lock at or below /none in these files.'],
  ['no path', ['none'], 2, 'none is no path of a node.'],
])('%s: says so', async (_, args, expected, sentence) => {
  const { code, err } = await zklock.run(['history', folder, ...args]);
  expect(code).toBe(expected);
  expect(err).toContain(sentence);
});

it('needs a folder with logs', async () => {
  const { code, err } = await zklock.run(['history', zklock.folder]);
  expect(code).toBe(2);
  expect(err).toContain('there is no transaction log and no snapshot that can be read.');
});

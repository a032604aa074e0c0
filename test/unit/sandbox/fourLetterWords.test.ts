import { atOnce } from '../../../src/base/interruptible.ts';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fourLetterWord } from '../../../scripts/zookeeper/fourLetterWord.ts';
import { parsingCons, parseDump, parseWchp } from '../../../src/inspector/owners/parseAnswers.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { WireClient } from '../../support/wireClient.ts';

let sandbox: Sandbox;
let holder: Awaited<ReturnType<typeof WireClient.withSession>>;
let watcher: Awaited<ReturnType<typeof WireClient.withSession>>;
let before: number;

beforeAll(async () => {
  // Without pings the sessions must last as long as this file: their time-outs are as long as a sandbox grants.
  sandbox = await startSandbox();
  before = Date.now();
  holder = await WireClient.withSession(sandbox.port, { timeoutMs: 19_000 });
  watcher = await WireClient.withSession(sandbox.port, { timeoutMs: 20_000 });
  await holder.create('/lock', Buffer.from('data'), 1);
  await watcher.request(Op.exists, writer => writer.string('/lock').bool(true));
  await watcher.request(Op.addWatch, writer => writer.string('/zookeeper').int(1));
});
afterAll(async () => {
  for (const client of [holder, watcher]) client.close();
  await sandbox.close();
});

const ask = (word: string): Promise<string> => fourLetterWord('127.0.0.1', sandbox.port, word);
const hex = (sessionId: bigint): string => `0x${sessionId.toString(16)}`;

it('cons: our own parser finds each connection', async () => {
  const connections = atOnce(parsingCons(await ask('cons'), 'here'));
  expect([...(connections ?? [])].map(([id, { address, timeoutMs }]) => [id, address, timeoutMs])).toEqual([
    [holder.session.sessionId, `127.0.0.1:${holder.socket.localPort}`, 19_000],
    [watcher.session.sessionId, `127.0.0.1:${watcher.socket.localPort}`, 20_000],
  ]);
  const { establishedAt = 0 } = connections?.get(holder.session.sessionId) ?? {};
  expect(establishedAt).toBeGreaterThanOrEqual(before);
  expect(establishedAt).toBeLessThanOrEqual(Date.now());
});

it('dump: our own parser finds each session', async () => {
  const dump = await ask('dump');
  const ids = new Set([holder.session.sessionId, watcher.session.sessionId]);
  expect(parseDump(dump)).toEqual({ ids, listedBy: 'leader' });
  expect(dump).toContain(`Sessions with Ephemerals (1):\n${hex(holder.session.sessionId)}:\n\t/lock\n`);
});

it('wchp, wchc, wchs: who watches what', async () => {
  const id = watcher.session.sessionId;
  const paths = ['/lock', '/zookeeper'];
  expect(parseWchp(await ask('wchp'))).toEqual(new Map(paths.map(path => [path, new Set([id])])));
  expect(await ask('wchc')).toBe(`${hex(id)}\n\t/lock\n\t/zookeeper\n\n`);
  expect(await ask('wchs')).toBe('1 connections watching 2 paths\nTotal watches:2\n');
});

async function measures(): Promise<Record<string, string>> {
  const lines = (await ask('mntr')).trim().split('\n');
  return Object.fromEntries(lines.map(line => line.split('\t') as [string, string]));
}

it('mntr and srvr: counts', { timeout: 30_000 }, async () => {
  // The connection of the word before may still be there.
  await eventually(async () =>
    expect(await measures()).toMatchObject({
      zk_server_state: 'standalone',
      zk_znode_count: '6',
      zk_watch_count: '2',
      zk_ephemerals_count: '1',
      zk_global_sessions: '2',
      // Ours and the one that asks.
      zk_num_alive_connections: '3',
    }),
  );
  for (const word of ['srvr', 'stat'])
    expect(await ask(word)).toMatch(/^Zookeeper version: 3\.9\.\d+-sandbox.*^Mode: standalone\nNode count: 6\n$/ms);
});

it.each([
  ['ruok', /^imok$/],
  ['isro', /^rw$/],
  ['conf', new RegExp(`^tickTime=1000$.*^minSessionTimeout=2000$.*^maxSessionTimeout=20000$`, 'ms')],
  ['envi', /^Environment:\nzookeeper.version=3.9/],
])('%s', async (word, answer) => {
  expect(await ask(word)).toMatch(answer);
});

it('a word may come letter by letter', async () => {
  const socket = connect({ port: sandbox.port, host: '127.0.0.1', noDelay: true });
  for (const letter of 'ruok') {
    socket.write(letter);
    await new Promise(setImmediate);
  }
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toBe('imok');
  await once(socket, 'close');
});

it('a sandbox without watches sends what our parser knows as none', async () => {
  const empty = await startSandbox();
  expect(parseWchp(await fourLetterWord('127.0.0.1', empty.port, 'wchp'))).toEqual(new Map());
  await empty.close();
});

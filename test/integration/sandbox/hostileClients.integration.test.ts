import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { fourLetterWord } from '../../../scripts/zookeeper/fourLetterWord.ts';
import { startSandbox } from '../../../src/sandbox/startSandbox.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { memoryInUse } from '../../support/memoryInUse.ts';
import { WireClient } from '../../support/wireClient.ts';
import { connectFrame } from '../../support/wireTransport.ts';

it('100,000 connections one after another, half of them with a session, leave nothing behind', async () => {
  const sandbox = await startSandbox({ tickTimeMs: 100, maxSessionTimeoutMs: 60_000 });
  const witness = await WireClient.withSession(sandbox.port, { timeoutMs: 60_000 });
  const handshake = connectFrame({ timeoutMs: 200 });
  let before = 0;
  let longest = 0;
  for (let index = 0; index < 100_000; index++) {
    if (index === 5_000) before = memoryInUse();
    const socket = connect({ port: sandbox.port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (index % 2 === 0) {
      socket.write(handshake);
      await once(socket, 'data');
    }
    // Without a farewell: the machine would run out of ports that wait for late packets.
    socket.resetAndDestroy();
    if (index % 1_000 === 0) {
      expect((await witness.request(Op.exists, writer => writer.string('/').bool(false))).error).toBe(0);
      longest = Math.max(longest, sandbox.sessions().length);
    }
  }
  await eventually(() => expect(sandbox.sessions()).toHaveLength(1));
  expect(memoryInUse() - before).toBeLessThan(10e6);
  // Sessions go as fast as they came.
  expect(longest).toBeLessThan(50_000);
  witness.close();
  await sandbox.close();
}, 300_000);

it('connections without a session end after ten seconds, and so do those that do not read our last words', async () => {
  const sandbox = await startSandbox();
  const start = performance.now();
  const silent = await WireClient.open(sandbox.port);
  const half = await WireClient.open(sandbox.port);
  half.socket.write(Buffer.from([0, 0]));
  const unfinished = await WireClient.open(sandbox.port);
  unfinished.socket.write(connectFrame().subarray(0, 30));
  const watcher = await WireClient.withSession(sandbox.port, { timeoutMs: 20_000 });
  for (let index = 0; index < 30; index++) {
    await watcher.request(Op.exists, writer => writer.string(`/${index}${'x'.repeat(1_000_000)}`).bool(true));
  }
  const deaf = connect({ port: sandbox.port, host: '127.0.0.1' }).pause();
  deaf.write('wchp');
  const connections = async (): Promise<number> => {
    const cons = await fourLetterWord('127.0.0.1', sandbox.port, 'cons');
    return cons.split('\n').filter(line => line.startsWith(' /')).length;
  };
  // The one that asks is one, too.
  await eventually(async () => expect(await connections()).toBe(6));
  await Promise.all([silent.ended(), half.ended(), unfinished.ended()]);
  // A timer may be some milliseconds early.
  expect(performance.now() - start).toBeGreaterThan(9_900);
  await eventually(async () => expect(await connections()).toBe(2));
  deaf.destroy();
  watcher.close();
  await sandbox.close();
}, 60_000);

it.skipIf(process.platform === 'win32')(
  'more connections than the system allows: those are not taken, and the others go on',
  async () => {
    const program = fileURLToPath(new URL('sandboxProgram.ts', import.meta.url));
    const child = spawn('sh', ['-c', `ulimit -n 64; exec "${process.execPath}" "${program}"`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const said: string[] = [];
    const lines = createInterface({ input: child.stdout }).on('line', line => said.push(line));
    const [line] = (await once(lines, 'line')) as [string];
    const port = Number(line);
    const witness = await WireClient.withSession(port, { timeoutMs: 20_000 });
    const sockets: Socket[] = [];
    for (let index = 0; index < 200; index++) {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      sockets.push(socket);
    }
    await eventually(() => expect(sockets.filter(socket => socket.destroyed).length).toBeGreaterThan(50));
    expect((await witness.request(Op.exists, writer => writer.string('/').bool(false))).error).toBe(0);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect(await fourLetterWord('127.0.0.1', port, 'ruok')).toBe('imok'));
    expect(said).toEqual([String(port)]);
    witness.close();
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  },
);

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { openSocket, prepareTls, type TlsContext } from '../../../src/zookeeper/openSocket.ts';
import { eventually } from '../../support/eventually.ts';
import { createAuthority } from '../../support/tlsMaterial.ts';

const chunk = Buffer.alloc(100);
const chunks = 20;
let server: Server | undefined;
let folder: string | undefined;

afterEach(async () => {
  server?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
  server = folder = undefined;
});

/** A server that sends a chunk for each byte that it gets on another connection, and that byte back. */
async function listen(listening: Server, event: 'connection' | 'secureConnection'): Promise<number> {
  server = listening;
  const clients: Socket[] = [];
  listening.on(event, (socket: Socket) => {
    clients.push(socket);
    socket.on('data', byte => {
      clients[0]?.write(chunk);
      socket.write(byte);
    });
  });
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  return (listening.address() as AddressInfo).port;
}

/** @returns bytes that a paused socket has read of chunks that came one after the other. It gets all of them once it reads on. */
async function readWhilePaused(port: number, tls: TlsContext | undefined): Promise<number> {
  const open = async (): Promise<Socket> => {
    const socket = openSocket({ host: '127.0.0.1', port }, tls);
    await once(socket, tls === undefined ? 'connect' : 'secureConnect');
    return socket;
  };
  const own = await open();
  let all = 0;
  own.on('data', data => (all += data.length));
  const other = await open();
  let answered = 0;
  other.on('data', () => answered++);
  const requestChunk = async (): Promise<void> => {
    const before = answered;
    other.write('x');
    await eventually(() => expect(answered).toBe(before + 1), 5_000, 1);
  };
  await requestChunk();
  await eventually(() => expect(all).toBe(chunk.length));
  own.pause();
  const before = own.bytesRead;
  for (let sent = 0; sent < chunks; sent++) await requestChunk();
  const paused = own.bytesRead - before;
  own.resume();
  await eventually(() => expect(all).toBe((chunks + 1) * chunk.length));
  own.destroy();
  other.destroy();
  return paused;
}

describe('a paused socket leaves in the system what comes, since each read wakes the program up', () => {
  it('without TLS', async () => {
    const port = await listen(createServer({ noDelay: true }), 'connection');
    expect(await readWhilePaused(port, undefined)).toBeLessThan((chunks / 2) * chunk.length);
  });

  it('with TLS', async () => {
    folder = await mkdtemp(join(tmpdir(), 'open-socket-'));
    const authority = await createAuthority(folder);
    const pair = await authority.issue({ name: 'localhost', altNames: 'IP:127.0.0.1' });
    const port = await listen(createTlsServer({ ...pair, noDelay: true }), 'secureConnection');
    expect(await readWhilePaused(port, prepareTls({ ca: authority.cert }))).toBeLessThan((chunks / 2) * chunk.length);
  });
});

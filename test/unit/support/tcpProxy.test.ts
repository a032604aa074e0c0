import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/startSandbox.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';
import { eventually } from '../../support/eventually.ts';
import { reply } from '../../support/fakeServer.ts';
import { FrameSplitter, toFrame } from '../../support/frames.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';

let server: Sandbox;
let proxy: TcpProxy;
const sockets: Socket[] = [];

beforeEach(async () => {
  server = await startSandbox();
  proxy = await startTcpProxy(server.port);
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await proxy.close();
  await server.close();
});

/** A client that has shaken hands; `replies` are the xids that came back. */
async function openClient() {
  const socket = connect(proxy.port, '127.0.0.1');
  sockets.push(socket);
  const splitter = new FrameSplitter();
  const frames: Buffer[] = [];
  const ended = new Promise<boolean>(resolve => socket.once('close', () => resolve(true)));
  socket.on('error', () => undefined);
  socket.on('data', chunk => frames.push(...splitter.push(chunk as Buffer).map(part => part.bytes)));
  socket.write(toFrame(Buffer.alloc(44)));
  await eventually(() => expect(frames).toHaveLength(1));
  const send = (xid: number) => {
    const path = '/none';
    const payload = Buffer.alloc(12 + path.length + 1);
    payload.writeInt32BE(xid, 0);
    payload.writeInt32BE(Op.exists, 4);
    payload.writeInt32BE(path.length, 8);
    payload.write(path, 12);
    socket.write(toFrame(payload));
  };
  return { send, ended, replies: () => frames.slice(1).map(frame => frame.readInt32BE(4)) };
}

it('forwards and counts', async () => {
  const client = await openClient();
  client.send(1);
  client.send(2);
  await eventually(() => expect(client.replies()).toEqual([1, 2]));
  expect(proxy.counts).toMatchObject({
    connections: 1,
    frames: { up: 3, down: 3 },
    bytes: { up: 48 + 44, down: 41 + 40 },
  });
});

it('holds back what a black hole swallows until it is lifted', async () => {
  const client = await openClient();
  proxy.blackHole('down');
  client.send(1);
  await eventually(() => expect(proxy.counts.frames.down).toBe(2));
  expect(client.replies()).toEqual([]);
  proxy.blackHole('none');
  await eventually(() => expect(client.replies()).toEqual([1]));
});

it('cuts instead of the reply asked for, after the server has answered', async () => {
  const client = await openClient();
  proxy.cutInsteadOfReply(2);
  client.send(1);
  client.send(2);
  expect(await client.ended).toBe(true);
  expect(client.replies()).toEqual([1]);
  expect(proxy.counts.frames.down).toBe(3);
  await eventually(() => expect(proxy.openConnections).toBe(0));
});

it('drops a request, replaces a reply and trickles', async () => {
  const client = await openClient();
  proxy.onRequest(({ xid }) => (xid === 1 ? 'drop' : 'forward'));
  proxy.onReply(({ xid }) => (xid === 2 ? toFrame(reply({ xid: 99 })) : 'forward'));
  proxy.trickle('down', { bytes: 7, everyMs: 1 });
  client.send(1);
  client.send(2);
  client.send(3);
  await eventually(() => expect(client.replies()).toEqual([99, 3]));
});

it('refuses new connections and keeps open ones', async () => {
  const client = await openClient();
  await proxy.setAccepting(false);
  const refused = connect(proxy.port, '127.0.0.1');
  const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
  client.send(1);
  await eventually(() => expect(client.replies()).toEqual([1]));
  await proxy.setAccepting(true);
  await openClient();
});

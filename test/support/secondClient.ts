import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { encodeHandshake } from '../../src/zookeeper/library.ts';
import { eventually } from './eventually.ts';
import { FrameSplitter, toFrame } from './frames.ts';
import type { TcpProxy } from './tcpProxy.ts';

/** What it takes to attach a session from elsewhere. */
export interface SessionKey {
  id: Buffer;
  password: Buffer;
}

/** Makes the session reconnect once and reads its key from the server's answer, since the client never shows it. */
export async function sessionKey({ proxy, client }: { proxy: TcpProxy; client: ZooKeeperClient }): Promise<SessionKey> {
  let key: SessionKey | undefined;
  proxy.onReply(({ xid, frame }) => {
    if (xid === undefined) key = { id: frame.subarray(12, 20), password: frame.subarray(24, 40) };
    return 'forward';
  });
  proxy.cut();
  const found = await eventually(() => {
    if (key === undefined || client.state !== 'connected') throw new Error('The session has not come back.');
    return key;
  });
  proxy.onReply(() => 'forward');
  return found;
}

/** Attaches the session from elsewhere, where it stays until its own client takes it back. */
export async function attachElsewhere(port: number, key: SessionKey): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  const splitter = new FrameSplitter();
  // The client that takes the session back closes this connection.
  socket.on('error', () => undefined);
  socket.write(encodeHandshake(Buffer.alloc(8), 5_000, key.id, key.password));
  let frames = 0;
  while (frames < 1) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    frames += splitter.push(chunk).length;
  }
  return socket;
}

/** Attaches the session from elsewhere and closes it there, so that its own client finds it expired. */
export async function endSessionElsewhere(port: number, key: SessionKey): Promise<void> {
  const socket = await attachElsewhere(port, key);
  const request = Buffer.alloc(8);
  request.writeInt32BE(1, 0);
  request.writeInt32BE(-11, 4);
  socket.write(toFrame(request));
  await once(socket, 'data');
  socket.destroy();
}

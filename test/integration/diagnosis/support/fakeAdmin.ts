import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server that misbehaves, with what it has seen of the client. */
export interface FakeServer {
  port: number;
  requests: string[];
  /** Bytes that the kernel took from it; a client that has gone takes no more. */
  sentBytes(): number;
  openConnections(): number;
  /** So far, ended ones included. */
  connections(): number;
  close(): Promise<void>;
}

/** An HTTP server on 127.0.0.1 that answers as the test says. */
export async function fakeAdmin(
  answer: (request: IncomingMessage, reply: ServerResponse) => void,
): Promise<FakeServer> {
  const requests: string[] = [];
  const server = createHttp((request, reply) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    reply.on('error', () => undefined);
    answer(request, reply);
  });
  return listening(server, requests);
}

/** A TCP server on 127.0.0.1 that answers the first bytes as the test says. */
export async function fakeWords(answer: (word: string, socket: Socket) => void): Promise<FakeServer> {
  const requests: string[] = [];
  const server = createTcp(socket => {
    socket.on('error', () => undefined);
    socket.once('data', chunk => {
      requests.push(chunk.toString());
      answer(chunk.toString(), socket);
    });
  });
  return listening(server, requests);
}

/** Writes as long as the connection is open. */
export function streamForEver(sink: {
  write(chunk: Buffer): boolean;
  once(event: string, go: () => void): unknown;
}): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  let ended = false;
  sink.once('close', () => (ended = true));
  const pump = (): void => {
    while (!ended && sink.write(chunk));
    if (!ended) sink.once('drain', pump);
  };
  pump();
}

async function listening(server: Server, requests: string[]): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  let sent = 0;
  let accepted = 0;
  server.on('connection', socket => {
    accepted++;
    sockets.add(socket);
    socket.on('close', () => {
      sent += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    sentBytes: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, sent),
    openConnections: () => sockets.size,
    connections: () => accepted,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

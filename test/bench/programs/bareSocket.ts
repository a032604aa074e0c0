import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { encodeHandshake } from '../../../src/zookeeper/library.ts';
import { answerLines } from './answerLines.ts';
import { bareLockingCommands } from './bareLocking.ts';

// The least that reading in bulk can cost in Node: encoded requests are written, and of the replies only the lengths are read.

/** Counts the frames of a stream without looking into them. */
class FrameCounter {
  frames = 0;
  bytes = 0;
  /** Bytes of the frame that has begun and are still to come. */
  private missing = 0;
  private rest = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    let at = 0;
    if (this.missing === 0 && this.rest.length > 0) {
      chunk = Buffer.concat([this.rest, chunk]);
      this.rest = Buffer.alloc(0);
    }
    while (at < chunk.length) {
      if (this.missing === 0) {
        if (chunk.length - at < 4) {
          this.rest = Buffer.from(chunk.subarray(at));
          return;
        }
        this.missing = chunk.readInt32BE(at) + 4;
      }
      const step = Math.min(this.missing, chunk.length - at);
      this.missing -= step;
      at += step;
      if (this.missing === 0) this.frames += 1;
    }
  }
}

async function open(
  port: number,
  counter: FrameCounter,
): Promise<{ socket: Socket; until: (frames: number) => Promise<void> }> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let wanted = 0;
  let reached: () => void = () => undefined;
  socket.on('data', chunk => {
    counter.push(chunk);
    if (counter.frames >= wanted) reached();
  });
  await once(socket, 'connect');
  const until = (frames: number): Promise<void> =>
    new Promise(resolve => {
      wanted = frames;
      reached = resolve;
      if (counter.frames >= wanted) resolve();
    });
  return { socket, until };
}

interface Played {
  /** From the first request to the last reply. */
  ms: number;
  /** The same, and the connection and the session before it. */
  withConnectingMs: number;
  bytes: number;
}

/** First the request for the list, then all others at once. */
async function play(port: number, requests: readonly Buffer[]): Promise<Played> {
  const connectStart = performance.now();
  const counter = new FrameCounter();
  const { socket, until } = await open(port, counter);
  socket.write(encodeHandshake(Buffer.alloc(8), 30_000, Buffer.alloc(8), Buffer.alloc(16)));
  await until(1);
  const before = counter.bytes;
  const start = performance.now();
  socket.write(requests[0] ?? Buffer.alloc(0));
  await until(2);
  socket.cork();
  for (const request of requests.slice(1)) socket.write(request);
  socket.uncork();
  await until(1 + requests.length);
  const end = performance.now();
  socket.destroy();
  return { ms: end - start, withConnectingMs: end - connectStart, bytes: counter.bytes - before };
}

const port = Number(process.argv[2]);
await answerLines(
  {
    ...bareLockingCommands(port),
    play: ({ requests }) =>
      play(
        port,
        (requests as string[]).map(request => Buffer.from(request, 'base64')),
      ),
  },
  () => Promise.resolve(),
);

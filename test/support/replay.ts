import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { FrameSplitter } from './frames.ts';
import type { SeededRandom } from './seededRandom.ts';
import type { TcpProxy } from './tcpProxy.ts';

/** One frame of a server, and how many requests it had got by then. */
export interface RecordedFrame {
  afterRequests: number;
  frame: Buffer;
}

/** Records what the server behind `proxy` sends from now on. */
export function recordReplies(proxy: TcpProxy): RecordedFrame[] {
  const recorded: RecordedFrame[] = [];
  let requests = 0;
  proxy.onRequest(() => {
    requests += 1;
    return 'forward';
  });
  proxy.onReply(({ frame }) => {
    recorded.push({ afterRequests: requests, frame: Buffer.from(frame) });
    return 'forward';
  });
  return recorded;
}

/**
 * A connection to a server that plays a recording, in memory.
 *
 * @param random decides how the bytes are cut into chunks
 */
export function replayConnection(frames: readonly RecordedFrame[], random: SeededRandom): Socket {
  const [client, server] = duplexPair();
  const splitter = new FrameSplitter();
  let requests = 0;
  let next = 0;
  // The client may go at any moment.
  for (const side of [client, server]) side.on('error', () => undefined);
  server.on('data', (chunk: Buffer) => {
    requests += splitter.push(chunk).length;
    for (let frame = frames[next]; frame !== undefined && frame.afterRequests <= requests; frame = frames[next]) {
      next += 1;
      for (let at = 0; at < frame.frame.length && !server.destroyed;) {
        const size = random.below(4) === 0 ? 1 + random.below(20) : frame.frame.length;
        server.write(frame.frame.subarray(at, at + size));
        at += size;
      }
    }
  });
  client.once('close', () => server.destroy());
  process.nextTick(() => client.emit('connect'));
  return client as unknown as Socket;
}

const tellingIntegers = [0, -1, 1, 4, 0x7fff_ffff, -0x8000_0000, 0x0400_0000, 0x1000_0000, 1_000, -999, 16, 17, 68];

const mutations: readonly ((frame: Buffer, random: SeededRandom) => Buffer[])[] = [
  (frame, random) => {
    const changed = Buffer.from(frame);
    for (let flips = 1 + random.below(4); flips > 0; flips--) changed[random.below(changed.length)] = random.below(256);
    return [changed];
  },
  (frame, random) => {
    const changed = Buffer.from(frame);
    changed.writeInt32BE(random.pick(tellingIntegers), random.below(changed.length - 3));
    return [changed];
  },
  // A length that is right for what follows, and content that is too short or too long.
  (frame, random) => [withLength(frame.subarray(4, 4 + random.below(frame.length - 3)))],
  (frame, random) => [withLength(Buffer.concat([frame.subarray(4), random.bytes(1 + random.below(30))]))],
  (frame, random) => [frame.subarray(0, random.below(frame.length))],
  frame => [frame, frame],
  () => [],
  (frame, random) => [random.bytes(1 + random.below(60)), frame],
  (_, random) => [random.bytes(1 + random.below(200))],
];

function withLength(content: Buffer): Buffer {
  const frame = Buffer.alloc(4 + content.length);
  frame.writeInt32BE(content.length, 0);
  content.copy(frame, 4);
  return frame;
}

/** Changes one to three frames of a recording, or the order of two. */
export function mutate(frames: readonly RecordedFrame[], random: SeededRandom): RecordedFrame[] {
  const changed = [...frames];
  for (let count = 1 + random.below(3); count > 0; count--) {
    const index = random.below(changed.length);
    const { afterRequests, frame } = changed[index]!;
    if (frame.length < 4) continue;
    if (random.below(10) === 0) {
      const other = random.below(changed.length);
      changed[index] = { afterRequests, frame: changed[other]!.frame };
      changed[other] = { ...changed[other]!, frame };
    } else {
      const replacement = random.pick(mutations)(frame, random);
      changed.splice(index, 1, ...replacement.map(each => ({ afterRequests, frame: each })));
    }
    if (changed.length === 0) break;
  }
  return changed;
}

/** How long a session lasts is the server's privilege; a test keeps it as short as it was recorded. */
export function keepTimeout(frames: RecordedFrame[], timeoutMs: number): RecordedFrame[] {
  const [first] = frames;
  if (first === undefined || first.frame.length < 12 || first.frame.readInt32BE(8) <= timeoutMs) return frames;
  const frame = Buffer.from(first.frame);
  frame.writeInt32BE(timeoutMs, 8);
  return [{ ...first, frame }, ...frames.slice(1)];
}

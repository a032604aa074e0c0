import { describe, expect, it } from 'vitest';
import { FrameSplitter, headerBytes, type Frame } from '../../../src/zookeeper/wire/frameSplitter.ts';
import { MalformedReplyError } from '../../../src/zookeeper/wire/jute.ts';
import { toFrame } from '../../support/frames.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const bodies = [Buffer.from('a'), Buffer.from('hello world, seventeen'), Buffer.alloc(40, 7), Buffer.from('end')];
const stream = Buffer.concat(bodies.map(toFrame));

function texts(frames: readonly Frame[]): string[] {
  return frames.map(frame => frame.body.toString('latin1'));
}
const expected = bodies.map(body => body.toString('latin1'));

it('gives the same frames at every split position', () => {
  for (let first = 0; first <= stream.length; first++) {
    for (let second = first; second <= stream.length; second += 3) {
      const splitter = new FrameSplitter(1_000);
      const frames = [
        ...splitter.push(stream.subarray(0, first)),
        ...splitter.push(stream.subarray(first, second)),
        ...splitter.push(stream.subarray(second)),
      ];
      expect(texts(frames)).toEqual(expected);
      expect(splitter.isMidFrame).toBe(false);
    }
  }
});

it('copies nothing of what comes behind a frame, which would be kept with it', () => {
  const splitter = new FrameSplitter(100_000);
  const body = Buffer.alloc(50_000, 1);
  const behind = toFrame(Buffer.alloc(60_000, 2));
  const bytes = Buffer.concat([toFrame(body), behind]);
  const chunks = [bytes.subarray(0, 30_000), bytes.subarray(30_000, 90_000), bytes.subarray(90_000)];
  const frames = chunks.flatMap(chunk => splitter.push(chunk));
  expect(frames.map(frame => [frame.body.length, frame.body.buffer.byteLength])).toEqual([
    [50_000, 50_000],
    [60_000, 60_000],
  ]);
});

it('gives the same frames byte by byte', () => {
  const splitter = new FrameSplitter(1_000);
  const frames = [...stream].flatMap(byte => splitter.push(Buffer.from([byte])));
  expect(texts(frames)).toEqual(expected);
});

it('knows when a frame has begun and is not complete', () => {
  const splitter = new FrameSplitter(1_000);
  expect(splitter.isMidFrame).toBe(false);
  splitter.push(stream.subarray(0, 2));
  expect(splitter.isMidFrame).toBe(true);
  splitter.push(stream.subarray(2, 5));
  expect(splitter.isMidFrame).toBe(false);
});

it('keeps the header of an oversize frame only and finds the next one, however the bytes come', () => {
  const large = Buffer.alloc(500, 9);
  large.fill(1, 0, headerBytes);
  const bytes = Buffer.concat([toFrame(bodies[1]!), toFrame(large), toFrame(large), toFrame(bodies[3]!)]);
  for (let size = 1; size <= bytes.length; size++) {
    const splitter = new FrameSplitter(64);
    const frames: Frame[] = [];
    for (let at = 0; at < bytes.length; at += size) frames.push(...splitter.push(bytes.subarray(at, at + size)));
    expect(frames.map(frame => [frame.body.length, frame.oversize])).toEqual([
      [bodies[1]!.length, undefined],
      [headerBytes, 500],
      [headerBytes, 500],
      [3, undefined],
    ]);
    expect(frames[1]!.body.equals(Buffer.alloc(headerBytes, 1))).toBe(true);
    expect(splitter.isMidFrame).toBe(false);
  }
});

describe('absurd lengths end the connection', () => {
  it.each([
    ['zero', Buffer.from([0, 0, 0, 0])],
    ['-1', Buffer.from([255, 255, 255, 255])],
    ['-1000', Buffer.from([255, 255, 252, 24])],
    ['2 GB', Buffer.from([127, 255, 255, 255])],
    ['HTTP', Buffer.from('HTTP/1.1 400')],
    ['SSH', Buffer.from('SSH-2.0-OpenSSH')],
    ['TLS alert', Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46])],
    ['refusal text', Buffer.from('This ZooKeeper instance is not currently serving requests')],
  ])('%s', (_, bytes) => {
    expect(() => new FrameSplitter(1_000).push(bytes)).toThrow(MalformedReplyError);
    const slow = new FrameSplitter(1_000);
    expect(() => [...bytes].forEach(byte => slow.push(Buffer.from([byte])))).toThrow(MalformedReplyError);
  });
});

it('cuts random streams like a plain reference', () => {
  const random = seededRandom(42);
  for (let round = 0; round < 200; round++) {
    const parts = Array.from({ length: 1 + random.below(8) }, () => random.bytes(1 + random.below(90)));
    const bytes = Buffer.concat(parts.map(toFrame));
    const splitter = new FrameSplitter(60);
    const frames: Frame[] = [];
    for (let at = 0; at < bytes.length;) {
      const size = 1 + random.below(50);
      frames.push(...splitter.push(bytes.subarray(at, at + size)));
      at += size;
    }
    expect(frames.map(frame => frame.oversize ?? frame.body.toString('hex'))).toEqual(
      parts.map(part => (part.length > 60 ? part.length : part.toString('hex'))),
    );
  }
});

it('takes a reply of 32 MB in small chunks without copying it over and over (D23)', () => {
  const splitter = new FrameSplitter(64 * 1024 * 1024);
  const size = 32 * 1024 * 1024;
  const length = Buffer.alloc(4);
  length.writeInt32BE(size);
  const chunk = Buffer.alloc(16 * 1024);
  const start = performance.now();
  splitter.push(length);
  let frames: Frame[] = [];
  for (let sent = 0; sent < size; sent += chunk.length) frames = splitter.push(chunk);
  expect(frames[0]?.body.length).toBe(size);
  // Quadratic copying took 4.4 s.
  expect(performance.now() - start).toBeLessThan(1_000);
});

import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WatchRegistry } from '../../../src/zookeeper/watchRegistry.ts';
import { JuteReader } from '../../../src/zookeeper/wire/jute.ts';
import { Op } from '../../../src/zookeeper/wire/records.ts';

/** Bytes. */
const limit = 128 * 1024;

const ignore = (): void => undefined;

function decode(frame: Buffer) {
  const reader = new JuteReader(frame.subarray(4));
  const head = { xid: reader.int(), opcode: reader.int(), zxid: reader.long() };
  const count = head.opcode === Op.setWatches2 ? 5 : 3;
  return { ...head, lists: Array.from({ length: count }, () => reader.strings()) };
}

describe('which one-shot watches an event uses up', () => {
  it.each([
    ['created', ['data', 'exist']],
    ['dataChanged', ['data', 'exist']],
    ['deleted', ['data', 'exist', 'child']],
    ['childrenChanged', ['child']],
  ] as const)('%s', (type, used) => {
    const registry = new WatchRegistry();
    const called: string[] = [];
    for (const kind of ['data', 'exist', 'child'] as const) registry.addOneShot(kind, '/a', () => called.push(kind));
    registry.addOneShot('data', '/b', () => called.push('other path'));
    for (const listener of registry.take({ type, path: '/a' })) listener({ type, path: '/a' });
    expect(called).toEqual(used);
    expect(registry.take({ type, path: '/a' })).toEqual([]);
    expect(registry.hasOneShot('/b')).toBe(true);
  });

  it('calls a listener once that watches both the node and its children', () => {
    const registry = new WatchRegistry();
    registry.addOneShot('data', '/a', ignore);
    registry.addOneShot('child', '/a', ignore);
    expect(registry.take({ type: 'deleted', path: '/a' })).toEqual([ignore]);
  });
});

describe('a watch with a signal', () => {
  const paths = ['/a', '/b', '/c', '/d'];
  const armed = (registry: WatchRegistry, signal: AbortSignal) => {
    for (const path of paths) registry.addOneShot('data', path, ignore, signal);
    registry.addOneShot('child', '/a', ignore, signal);
  };

  it('is forgotten when the signal aborts, and not set on one that has', () => {
    const registry = new WatchRegistry();
    const attempt = new AbortController();
    armed(registry, attempt.signal);
    registry.addOneShot('data', '/a', () => undefined);
    expect(registry.oneShotCount).toBe(6);
    attempt.abort();
    expect(registry.oneShotCount).toBe(1);
    armed(registry, attempt.signal);
    expect(registry.oneShotCount).toBe(1);
  });

  it('leaves nothing on the signal once it has fired, however often it is set', () => {
    const registry = new WatchRegistry();
    const { signal } = new AbortController();
    for (let round = 0; round < 100; round++) {
      armed(registry, signal);
      armed(registry, signal);
      expect(getEventListeners(signal, 'abort')).toHaveLength(5);
      for (const path of paths) registry.take({ type: 'deleted', path });
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    }
    armed(registry, signal);
    registry.takeAll();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it('takes everything when the session ends', () => {
  const registry = new WatchRegistry();
  registry.addOneShot('data', '/a', ignore);
  registry.addOneShot('child', '/__proto__', ignore);
  expect(registry.takeAll().map(({ path }) => path)).toEqual(['/a', '/__proto__']);
  expect(registry.hasOneShot('/a')).toBe(false);
});

describe('frames after a reconnect', () => {
  it('are none without watches', () => {
    expect(new WatchRegistry().frames(7n, limit)).toEqual([]);
  });

  it('use setWatches for one-shot watches, setWatches2 only for recursive ones', () => {
    const registry = new WatchRegistry();
    registry.addOneShot('data', '/d', ignore);
    registry.addOneShot('exist', '/e', ignore);
    registry.addOneShot('child', '/c', ignore);
    expect(registry.frames(7n, limit).map(decode)).toEqual([
      { xid: -8, opcode: Op.setWatches, zxid: 7n, lists: [['/d'], ['/e'], ['/c']] },
    ]);
    registry.recursive.add('/r');
    expect(registry.frames(7n, limit).map(decode)[1]).toEqual({
      xid: -8,
      opcode: Op.setWatches2,
      zxid: 7n,
      lists: [[], [], [], [], ['/r']],
    });
    registry.recursive.delete('/r');
    expect(registry.frames(7n, limit)).toHaveLength(1);
  });

  it('stay within 128 kB each and lose no watch (D9)', () => {
    const registry = new WatchRegistry();
    const paths = Array.from({ length: 6_000 }, (_, index) => `/${'ä'.repeat(100)}/${index}`);
    for (const path of paths) registry.addOneShot('data', path, ignore);
    for (const path of paths.slice(0, 500)) registry.addOneShot('child', path, ignore);
    for (const path of paths.slice(0, 2_000)) registry.recursive.add(path);
    const frames = registry.frames(9n, limit);
    for (const frame of frames) expect(frame.length).toBeLessThanOrEqual(128 * 1024);
    const decoded = frames.map(decode);
    expect(decoded.flatMap(({ opcode, lists }) => (opcode === Op.setWatches ? lists[0]! : []))).toEqual(paths);
    expect(decoded.flatMap(({ opcode, lists }) => (opcode === Op.setWatches ? lists[2]! : []))).toHaveLength(500);
    expect(decoded.flatMap(({ opcode, lists }) => (opcode === Op.setWatches2 ? lists[4]! : []))).toHaveLength(2_000);
    // One path alone may be longer than the limit: then it goes alone.
    expect(decoded.length).toBeLessThan(20);
  });
});

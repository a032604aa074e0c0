import { expect, it, vi } from 'vitest';
import { monotonicNow } from '../../../src/base/deadline.ts';
import { nullLogger } from '../../../src/base/logger.ts';
import { openSocket } from '../../../src/zookeeper/openSocket.ts';
import { ZooKeeperSession } from '../../../src/zookeeper/zooKeeperSession.ts';
import { JuteReader } from '../../../src/zookeeper/wire/jute.ts';
import type { ServerEvent } from '../../../src/zookeeper/wire/records.ts';

/** A session that is answered at once, whatever it asks. */
function answeredSession(): ZooKeeperSession {
  const options = {
    servers: [{ host: 'localhost', port: 2181 }],
    sessionTimeoutMs: 10_000,
    handshakeTimeoutMs: 10_000,
    auth: [],
    tls: undefined,
    openSocket,
    clock: monotonicNow,
    logger: nullLogger,
    replyLimit: 1_000_000,
  };
  const ignore = (): void => undefined;
  const session = new ZooKeeperSession('', options, { attached: ignore, failed: ignore, ended: ignore });
  vi.spyOn(session, 'send').mockImplementation(() => Promise.resolve(new JuteReader(Buffer.alloc(0))));
  return session;
}

it.each(['childrenChanged', 'dataChanged'] as const)(
  'the watches of a tree before 3.6 leave nothing behind when they fire: %s',
  async type => {
    const session = answeredSession();
    const happens = (event: ServerEvent): number => {
      const listeners = session.watches.take(event);
      for (const listener of listeners) listener(event);
      return listeners.length;
    };
    let fired = 0;
    for (let change = 0; change < 100; change += 1) {
      await session.watchOnce('/q', () => (fired += 1));
      happens({ type, path: '/q' });
    }
    expect(fired).toBe(100);
    expect(session.watches.hasOneShot('/q')).toBe(false);
    await session.watchOnce('/q', () => (fired += 1));
    expect(happens({ type: 'deleted', path: '/q' })).toBe(1);
    expect(fired).toBe(101);
  },
);

import { expect, it } from 'vitest';
import { startObserver, type ObserverParts } from '../../../../src/app/recorder/lockObserver.ts';
import { nullLogger } from '../../../../src/base/logger.ts';
import type { ZooKeeperClient } from '../../../../src/zookeeper/client.ts';

const parts: ObserverParts = {
  roots: ['/locks', '/locks/below', '/locks'],
  maxNodes: 10,
  isWholeData: false,
  concerns: () => true,
  onEntries: () => undefined,
  onFailure: () => undefined,
  clocks: { now: () => 0, monotonicNow: () => 0 },
  logger: nullLogger,
  signal: new AbortController().signal,
};

it('refuses a server without recursive watches, and removes what it had set', async () => {
  const watched: string[] = [];
  const client: Partial<ZooKeeperClient> = {
    sessionId: 1n,
    watchTree: path => {
      watched.push(path);
      return Promise.resolve({ isOneShot: true, dispose: () => watched.push('disposed') });
    },
  };
  await expect(startObserver(client as ZooKeeperClient, parts)).rejects.toMatchObject({
    kind: 'old-server',
    path: '/locks',
  });
  expect(watched).toEqual(['/locks', 'disposed']);
});

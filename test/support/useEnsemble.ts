import { afterAll, beforeAll } from 'vitest';
import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import type { ConnectOptions } from '../../src/zookeeper/connect.ts';
import { eventually } from './eventually.ts';
import { connectInformed } from './informedSession.ts';
import { startZooKeeper, type ZooKeeperEnsemble, type ZooKeeperOptions } from './zookeeperServer.ts';

/** Three servers for all tests of a file or of a `describe`: started before them, ended after them. */
export function useEnsemble(options: Omit<ZooKeeperOptions, 'nodes'> = {}): () => ZooKeeperEnsemble {
  let ensemble: ZooKeeperEnsemble | undefined;
  beforeAll(async () => {
    ensemble = await startZooKeeper({ ...options, nodes: 3 });
  });
  afterAll(() => ensemble?.stop());
  return () => ensemble!;
}

/** A session that knows every member and is attached to the one with that index. */
export function connectAt(
  ensemble: Pick<ZooKeeperEnsemble, 'connectString' | 'ports'>,
  index: number,
  options: ConnectOptions,
): Promise<ZooKeeperClient> {
  return eventually(async () => {
    const client = await connectInformed(ensemble.connectString, options);
    if (client.server === `127.0.0.1:${ensemble.ports[index]!}`) return client;
    await client.close();
    throw new Error('It is attached to another member.');
  });
}

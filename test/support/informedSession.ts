import { inject } from 'vitest';
import type { ZooKeeperClient } from '../../src/zookeeper/client.ts';
import { connect, type ConnectOptions } from '../../src/zookeeper/connect.ts';
import { isZooKeeperError } from '../../src/zookeeper/errors.ts';
import { isBefore } from '../versions/limits.ts';

/**
 * Connects, and lets the session learn what an old server lacks. The refusal costs one reconnect, which a scene about
 * connections and states must not take for one of its own.
 */
export async function connectInformed(connectString: string, options?: ConnectOptions): Promise<ZooKeeperClient> {
  const client = await connect(connectString, options);
  if (isBefore(inject('zooKeeperVersion'), '3.7')) await learnAbilities(client);
  return client;
}

async function learnAbilities(client: ZooKeeperClient): Promise<void> {
  const path = '/no-such-parent/node';
  await client.create(path).catch((error: unknown) => {
    if (!isZooKeeperError(error, 'NO_NODE')) throw error;
  });
  await client.readMany([{ op: 'getData', path }]);
  await client.whoAmI();
}

import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { connect, type ConnectOptions } from '../../zookeeper/connect.ts';
import { explainDenials } from '../../zookeeper/accessDenied.ts';

/** A session whose denied requests say what is missing. Loaded with the first connection. @throws what `connect` throws */
export async function openSession(connectString: string, options: ConnectOptions): Promise<ZooKeeperClient> {
  return explainDenials(await connect(connectString, options));
}

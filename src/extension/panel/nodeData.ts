import type { Acl, Stat, ZooKeeperClient } from '../../zookeeper/client.ts';
import { isZooKeeperError } from '../../zookeeper/errors.ts';

/** A node as it was read. */
export interface NodeReading {
  path: string;
  stat: Stat;
  data: Uint8Array;
  /** `undefined`: it may not be read. */
  acl: Acl[] | undefined;
}

/** @throws what reading the node throws; an ACL that may not be read is missing */
export async function readNodeData(client: ZooKeeperClient, path: string): Promise<NodeReading> {
  const [{ data, stat }, acl] = await Promise.all([client.getData(path), aclOf(client, path)]);
  return { path, data, stat, acl };
}

async function aclOf(client: ZooKeeperClient, path: string): Promise<Acl[] | undefined> {
  try {
    return (await client.getAcl(path)).acl;
  } catch (error) {
    // Without the node the read of its data fails, and says so.
    if (isZooKeeperError(error, 'NO_AUTH') || isZooKeeperError(error, 'NO_NODE')) return undefined;
    throw error;
  }
}

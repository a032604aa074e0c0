import { readableAcl } from '../../zookeeper/accessDenied.ts';
import type { Acl, Stat, ZooKeeperClient } from '../../zookeeper/client.ts';

/** A node as it was read. */
export interface NodeReading {
  path: string;
  stat: Stat;
  data: Uint8Array;
  /** `undefined`: this session may not read it. */
  acl: Acl[] | undefined;
}

/** @throws the error of reading the data; an ACL that this session may not read is left out */
export async function readNodeData(client: ZooKeeperClient, path: string): Promise<NodeReading> {
  const [{ data, stat }, acl] = await Promise.all([client.getData(path), readableAcl(client, path)]);
  return { path, data, stat, acl };
}

import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findZooKeeper } from '../../scripts/zookeeper/locate.ts';
import type { ZooKeeperServer } from './zookeeperServer.ts';

/**
 * Sets the number that a server will give to the next sequential child of a node, by ZooKeeper's own classes: to count that far
 * would take it days.
 *
 * @param server must have been stopped
 * @param path of a node that exists; its counter can only be raised
 */
export function setSequence(server: ZooKeeperServer, path: string, next: number): void {
  const install = findZooKeeper(process.env);
  if (install === undefined) throw new Error('This needs a real ZooKeeper and Java.');
  const program = fileURLToPath(new URL('zookeeper/SetSequence.java', import.meta.url));
  const args = ['-cp', install.classPath.join(delimiter), program, join(server.folder, 'data'), path, String(next)];
  const { status, stderr } = spawnSync(install.java, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The counter could not be set:\n${stderr}`);
}

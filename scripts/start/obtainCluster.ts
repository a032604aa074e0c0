import { startSandbox } from '../../src/sandbox/startSandbox.ts';
import { findZooKeeper } from '../zookeeper/locate.ts';
import { startOwnCluster } from './ownCluster.ts';

/** A cluster to show. `stop` leaves nothing behind; for one that is not ours it does nothing. */
export interface Cluster {
  connectString: string;
  /** For people: where it comes from. */
  description: string;
  /** Started by us. */
  isOwn: boolean;
  stop(): Promise<void>;
}

async function startSandboxCluster(): Promise<Cluster> {
  const sandbox = await startSandbox();
  const { connectString } = sandbox;
  return { connectString, description: 'sandbox, docs/sandbox.md', isOwn: true, stop: () => sandbox.close() };
}

/**
 * A ZooKeeper to show: the one of `ZOOKEEPER_CONNECT`, else a server of `ZOOKEEPER_HOME`, else a sandbox, for which nothing needs to
 * be installed.
 *
 * @param folder temporary, for the data of a server that we start
 * @throws Error where `ZOOKEEPER_HOME` names none that can be started
 */
export async function obtainCluster(env: NodeJS.ProcessEnv, folder: string): Promise<Cluster> {
  const given = env['ZOOKEEPER_CONNECT'] ?? '';
  if (given !== '') {
    return { connectString: given, description: 'ZOOKEEPER_CONNECT', isOwn: false, stop: () => Promise.resolve() };
  }
  if ((env['ZOOKEEPER_HOME'] ?? '') === '') return startSandboxCluster();
  const install = findZooKeeper(env);
  if (install === undefined) throw new Error('ZOOKEEPER_HOME is set, but there is no Java to run it: set JAVA_HOME.');
  return startOwnCluster(install, folder);
}

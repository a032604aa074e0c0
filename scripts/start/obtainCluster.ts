import { canInstallPackages, installPackages } from '../system/debian.ts';
import { findZooKeeper } from '../zookeeper/locate.ts';
import { canUseDocker, startDockerCluster } from './dockerCluster.ts';
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

const whatToInstall = `No ZooKeeper was found, and none could be installed. One of these helps:
  - Debian, Ubuntu:   sudo apt-get install zookeeper libservlet-api-java
  - macOS:            brew install zookeeper
  - Docker:           install and start it; the image zookeeper is fetched by itself
  - by hand:          unpack a release of https://zookeeper.apache.org, install Java, set ZOOKEEPER_HOME to its folder
  - a running one:    set ZOOKEEPER_CONNECT to its address, e.g. ZOOKEEPER_CONNECT=localhost:2181`;

/**
 * A ZooKeeper to show: the one of `ZOOKEEPER_CONNECT`, else one of this machine (`ZOOKEEPER_HOME`, Debian, Homebrew), else
 * Docker, else what apt-get installs.
 *
 * @param folder temporary, for the data of a server that we start
 * @throws Error with a text that says what to install
 */
export async function obtainCluster(env: NodeJS.ProcessEnv, folder: string): Promise<Cluster> {
  const given = env['ZOOKEEPER_CONNECT'];
  if (given !== undefined && given !== '') {
    return { connectString: given, description: 'ZOOKEEPER_CONNECT', isOwn: false, stop: () => Promise.resolve() };
  }
  const install = findZooKeeper(env);
  if (install !== undefined) return startOwnCluster(install, folder);
  if (canUseDocker()) return startDockerCluster();
  if (canInstallPackages()) {
    await installPackages(['zookeeper', 'libservlet-api-java']);
    const installed = findZooKeeper(env);
    if (installed !== undefined) return startOwnCluster(installed, folder);
  }
  throw new Error(whatToInstall);
}

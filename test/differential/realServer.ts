import { rm } from 'node:fs/promises';
import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import { fillServerFolder, serverJars } from '../../scripts/zookeeper/serverFolder.ts';
import { temporaryFolder } from '../../scripts/zookeeper/temporaryFolder.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';

export interface RealServer {
  port: number;
  /** As `3.9.5`. */
  version: string;
  stop(): Promise<void>;
}

/**
 * Starts the newest real server that there is: of the folder `ZOOKEEPER_SERVERS`, otherwise the installed one. It makes TTL
 * nodes, and removes none while programs are played.
 *
 * @param version another one of the folder
 */
export async function startRealServer(version?: string): Promise<RealServer> {
  const folder = process.env['ZOOKEEPER_SERVERS'] ?? '';
  const jars = folder === '' ? [] : serverJars(folder);
  const jar = version === undefined ? jars.at(-1) : jars.find(each => each.version === version);
  if (jar === undefined) {
    const ensemble = await start();
    return { port: ensemble.ports[0]!, version: await versionOf(ensemble.ports[0]!), stop: () => ensemble.stop() };
  }
  const home = await temporaryFolder(`zookeeper-${jar.version}-`);
  await fillServerFolder(home, jar);
  const before = process.env['ZOOKEEPER_HOME'];
  process.env['ZOOKEEPER_HOME'] = home;
  try {
    const ensemble = await start();
    return {
      port: ensemble.ports[0]!,
      version: jar.version,
      stop: async () => {
        await ensemble.stop();
        await rm(home, { recursive: true, force: true });
      },
    };
  } finally {
    if (before === undefined) delete process.env['ZOOKEEPER_HOME'];
    else process.env['ZOOKEEPER_HOME'] = before;
  }
}

function start(): Promise<ZooKeeperEnsemble> {
  return startZooKeeper({
    systemProperties: {
      'zookeeper.extendedTypesEnabled': 'true',
      'znode.container.checkIntervalMs': '86400000',
    },
  });
}

async function versionOf(port: number): Promise<string> {
  const answer = await fourLetterWord('127.0.0.1', port, 'srvr');
  return /^Zookeeper version: (\d+\.\d+\.\d+)/m.exec(answer)?.[1] ?? 'unknown';
}

import { rm } from 'node:fs/promises';
import { fillServerFolder, serverJars } from '../../scripts/zookeeper/serverFolder.ts';
import { temporaryFolder } from '../../scripts/zookeeper/temporaryFolder.ts';
import { serverVersion } from '../support/serverVersion.ts';
import { sharedServerOptions, startRealServer, type TestServer } from '../support/testServer.ts';

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
export async function startNewestServer(version?: string): Promise<RealServer> {
  const folder = process.env['ZOOKEEPER_SERVERS'] ?? '';
  const jars = folder === '' ? [] : serverJars(folder);
  const jar = version === undefined ? jars.at(-1) : jars.find(each => each.version === version);
  if (jar === undefined) {
    const server = await start();
    return { port: server.port, version: await serverVersion(server.port), stop: () => server.stop() };
  }
  const home = await temporaryFolder(`zookeeper-${jar.version}-`);
  await fillServerFolder(home, jar);
  const before = process.env['ZOOKEEPER_HOME'];
  process.env['ZOOKEEPER_HOME'] = home;
  try {
    const server = await start();
    return {
      port: server.port,
      version: jar.version,
      stop: async () => {
        await server.stop();
        await rm(home, { recursive: true, force: true });
      },
    };
  } finally {
    if (before === undefined) delete process.env['ZOOKEEPER_HOME'];
    else process.env['ZOOKEEPER_HOME'] = before;
  }
}

function start(): Promise<TestServer> {
  return startRealServer({ ...sharedServerOptions, makesTtlNodes: true });
}

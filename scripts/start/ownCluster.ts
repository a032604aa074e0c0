import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launchServer, waitUntilServing } from '../zookeeper/launch.ts';
import type { ZooKeeperInstall } from '../zookeeper/locate.ts';
import { freePorts } from '../zookeeper/ports.ts';
import type { Cluster } from './obtainCluster.ts';

/** Starts a lone server of this machine's ZooKeeper, its data in `folder`. */
export async function startOwnCluster(install: ZooKeeperInstall, folder: string): Promise<Cluster> {
  const [port] = await freePorts(1);
  const ownFolder = join(folder, 'zookeeper');
  await mkdir(ownFolder, { recursive: true });
  const server = await launchServer({
    install,
    folder: ownFolder,
    port: port!,
    config: { tickTime: 1_000, '4lw.commands.whitelist': '*' },
    systemProperties: {},
    jvmFlags: [],
  });
  const stop = async () => {
    server.child.kill('SIGTERM');
    const timer = setTimeout(() => server.child.kill('SIGKILL'), 3_000);
    await server.exited;
    clearTimeout(timer);
  };
  try {
    await waitUntilServing(server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { connectString: `127.0.0.1:${port!}`, description: install.description, isOwn: true, stop };
}

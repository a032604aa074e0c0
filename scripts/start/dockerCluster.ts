import { spawnSync } from 'node:child_process';
import { findProgram, run } from '../system/run.ts';
import { isServing } from '../zookeeper/fourLetterWord.ts';
import { freePorts } from '../zookeeper/ports.ts';
import type { Cluster } from './obtainCluster.ts';

const image = 'zookeeper:3.9';

/** Whether Docker is there and its service answers us. */
export function canUseDocker(): boolean {
  return (
    findProgram('docker') !== undefined &&
    spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 }).status === 0
  );
}

/** Starts ZooKeeper in a container; the first time Docker fetches the image. */
export async function startDockerCluster(): Promise<Cluster> {
  const [port] = await freePorts(1);
  const name = `zookeeper-lock-inspector-${port!}`;
  const whitelist = 'ZOO_4LW_COMMANDS_WHITELIST=*';
  const args = ['run', '--rm', '-d', '--name', name, '-p', `127.0.0.1:${port!}:2181`, '-e', whitelist, image];
  if ((await run('docker', args)) !== 0)
    throw new Error(`docker could not start ${image}. Its messages above say why.`);
  const stop = async () => {
    await run('docker', ['rm', '-f', name]);
  };
  const end = performance.now() + 60_000;
  while (!(await isServing('127.0.0.1', port!))) {
    if (performance.now() > end) {
      await stop();
      throw new Error(`ZooKeeper in Docker (${image}) did not serve within 60 s.`);
    }
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  return { connectString: `127.0.0.1:${port!}`, description: `Docker image ${image}`, isOwn: true, stop };
}

import type { TestProject } from 'vitest/node';
import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import { startZooKeeper } from './zookeeperServer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connect string of the server that all integration tests share; each works below its own chroot. */
    zooKeeper: string;
    /** Of every server that the tests start, as `3.8.0`. */
    zooKeeperVersion: string;
  }
}

async function versionOf(port: number): Promise<string> {
  const answer = await fourLetterWord('127.0.0.1', port, 'srvr');
  const version = /^Zookeeper version: (\d+\.\d+\.\d+)/m.exec(answer)?.[1];
  if (version === undefined) throw new Error(`The server did not say its version: ${answer}`);
  return version;
}

/** Vitest's global set-up of the integration tests: one lone server for all files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A server deletes empty containers once a minute, which may fall between any two steps of a test.
  const ensemble = await startZooKeeper({ systemProperties: { 'znode.container.checkIntervalMs': '86400000' } });
  project.provide('zooKeeper', ensemble.connectString);
  project.provide('zooKeeperVersion', await versionOf(ensemble.ports[0]!));
  return () => ensemble.stop();
}

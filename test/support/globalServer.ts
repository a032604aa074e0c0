import type { TestProject } from 'vitest/node';
import { startZooKeeper } from './zookeeperServer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connect string of the server that all integration tests share; each works below its own chroot. */
    zooKeeper: string;
  }
}

/** Vitest's global set-up of the integration tests: one lone server for all files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ensemble = await startZooKeeper();
  project.provide('zooKeeper', ensemble.connectString);
  return () => ensemble.stop();
}

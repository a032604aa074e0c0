import type { TestProject } from 'vitest/node';
import { serverVersion } from './serverVersion.ts';
import { sharedServerOptions, startRealServer, type TestServer } from './testServer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connect string of the server that all integration tests share; each works below its own chroot. */
    zooKeeper: string;
    /** Of every server that the tests start, as `3.8.0`. */
    zooKeeperVersion: string;
  }
}

/** Gives all tests of a project the server that they share. @returns ends it */
export async function shareServer(project: TestProject, server: TestServer): Promise<() => Promise<void>> {
  project.provide('zooKeeper', server.connectString);
  project.provide('zooKeeperVersion', await serverVersion(server.port));
  return () => server.stop();
}

/** Vitest's global set-up of the integration tests: one lone server for all files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  return shareServer(project, await startRealServer(sharedServerOptions));
}

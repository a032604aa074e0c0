import type { TestProject } from 'vitest/node';
import { fourLetterWord } from '../../scripts/zookeeper/fourLetterWord.ts';
import { startRealServer, type TestServer } from './testServer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connect string of the server that all integration tests share; each works below its own chroot. */
    zooKeeper: string;
    /** Of every server that the tests start, as `3.8.0`. */
    zooKeeperVersion: string;
  }
}

/** A server deletes empty containers once a minute, which may fall between any two steps of a test: the shared one waits a day. */
export const sharedServerOptions = { containerCheckMs: 86_400_000 } as const;

async function versionOf(port: number): Promise<string> {
  const answer = await fourLetterWord('127.0.0.1', port, 'srvr');
  const version = /^Zookeeper version: (\d+\.\d+\.\d+)/m.exec(answer)?.[1];
  if (version === undefined) throw new Error(`The server did not say its version: ${answer}`);
  return version;
}

/** Gives all tests of a project the server that they share. @returns ends it */
export async function shareServer(project: TestProject, server: TestServer): Promise<() => Promise<void>> {
  project.provide('zooKeeper', server.connectString);
  project.provide('zooKeeperVersion', await versionOf(server.port));
  return () => server.stop();
}

/** Vitest's global set-up of the integration tests: one lone server for all files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  return shareServer(project, await startRealServer(sharedServerOptions));
}

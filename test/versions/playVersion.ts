import { rm } from 'node:fs/promises';
import { fillServerFolder, type ServerJar } from '../../scripts/zookeeper/serverFolder.ts';
import { temporaryFolder } from '../../scripts/zookeeper/temporaryFolder.ts';
import { playTests, type PlayOptions, type PlayResult } from './playTests.ts';

/** What came of the integration tests on one version. */
export interface VersionResult extends PlayResult {
  version: string;
}

/** Plays the integration tests on one server. @throws Error when no test ran */
export async function playVersion(jar: ServerJar, options: PlayOptions): Promise<VersionResult> {
  const { version } = jar;
  const folder = await temporaryFolder(`zookeeper-${version}-`);
  try {
    await fillServerFolder(folder, jar);
    const server = { engine: 'real', version } as const;
    const env = { ZOOKEEPER_HOME: folder };
    const report = `versions/${version}`;
    return { version, ...(await playTests({ project: 'integration', server, report, env }, options)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { runTool } from '../../scripts/system/tool.ts';
import { fillServerFolder, type ServerJar } from '../../scripts/zookeeper/serverFolder.ts';
import { temporaryFolder } from '../../scripts/zookeeper/temporaryFolder.ts';
import { listedTestsVariable, reasonToSkip } from './limits.ts';

/** What came of the integration tests on one version. */
export interface VersionResult {
  version: string;
  passed: number;
  /** Skipped tests by the reason of the list. */
  listed: Record<string, number>;
  /** `file: full name`; a file that could not be loaded without a name. */
  failed: string[];
  /** Skipped for another reason, for example without Go. */
  otherwiseSkipped: number;
  seconds: number;
}

export interface PlayOptions {
  /** Parts of file names; none means all files. */
  files: readonly string[];
  /** Plays only what the list names, to see that it fails. */
  onlyListed?: boolean;
}

/** The parts of vitest's JSON report that are used here. */
interface Report {
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/** Plays the integration tests on one server. @throws Error when no test ran */
export async function playVersion(jar: ServerJar, options: PlayOptions): Promise<VersionResult> {
  const { version } = jar;
  const folder = await temporaryFolder(`zookeeper-${version}-`);
  const results = join(repositoryRoot, 'test-results', 'versions');
  const file = join(results, `${version}.json`);
  const start = performance.now();
  try {
    await mkdir(results, { recursive: true });
    await rm(file, { force: true });
    await fillServerFolder(folder, jar);
    const code = await runTool('vitest', vitestArguments(file, options), undefined, {
      ZOOKEEPER_HOME: folder,
      [listedTestsVariable]: options.onlyListed === true ? 'play' : 'skip',
    });
    if (!existsSync(file)) throw new Error(`No test ran on ${version}.`);
    const report = JSON.parse(await readFile(file, 'utf8')) as Report;
    const result = sum(version, report, (performance.now() - start) / 1_000);
    // An error outside of the tests fails the run without a failed test.
    if (code !== 0 && result.failed.length === 0) result.failed.push(`vitest ended with code ${code}`);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function vitestArguments(file: string, { files }: PlayOptions): string[] {
  return [
    'run',
    '--project',
    'integration',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...files,
  ];
}

function sum(version: string, { testResults }: Report, seconds: number): VersionResult {
  const result: VersionResult = { version, passed: 0, listed: {}, failed: [], otherwiseSkipped: 0, seconds };
  for (const { name, status, assertionResults } of testResults) {
    const file = relative(repositoryRoot, name);
    if (status === 'failed' && assertionResults.every(test => test.status !== 'failed')) result.failed.push(file);
    for (const test of assertionResults) {
      if (test.status === 'passed') result.passed++;
      else if (test.status === 'failed') result.failed.push(`${file}: ${test.fullName}`);
      else countSkipped(result, reasonToSkip(version, name, test.fullName));
    }
  }
  return result;
}

function countSkipped(result: VersionResult, reason: string | undefined): void {
  if (reason === undefined) result.otherwiseSkipped++;
  else result.listed[reason] = (result.listed[reason] ?? 0) + 1;
}

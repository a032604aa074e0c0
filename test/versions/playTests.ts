import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { repositoryRoot } from '../../scripts/build/bundle.ts';
import { runTool } from '../../scripts/system/tool.ts';
import { deadEntries } from './deadEntries.ts';
import { listedTestsVariable, reasonToSkip, type PlayedServer } from './limits.ts';
import type { TestReport } from './testReport.ts';

/** What came of the integration tests on one server. */
export interface PlayResult {
  passed: number;
  /** Skipped tests by the reason of the list. */
  listed: Record<string, number>;
  /** `file: full name`; a file that could not be loaded without a name. */
  failed: string[];
  /** Skipped for another reason, for example without Go. */
  otherwiseSkipped: number;
  seconds: number;
  /** Entries of the lists that no test fits, as text; of a run of all files only. */
  deadEntries: string[];
}

export interface PlayOptions {
  /** Parts of file names; none means all files. */
  files: readonly string[];
  /** Plays only what the list names, to see that it fails. */
  onlyListed?: boolean;
}

/** Where and on what the tests are played. */
export interface Stage {
  /** Of vitest.config.ts. */
  project: 'integration' | 'sandbox';
  server: PlayedServer;
  /** Below `test-results`, without its ending. */
  report: string;
  env?: Record<string, string>;
}

/** Plays the integration tests on one server. @throws Error when no test ran */
export async function playTests(stage: Stage, options: PlayOptions): Promise<PlayResult> {
  const file = join(repositoryRoot, 'test-results', `${stage.report}.json`);
  const start = performance.now();
  await mkdir(dirname(file), { recursive: true });
  await rm(file, { force: true });
  const args = ['run', '--project', stage.project];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await runTool('vitest', [...args, ...reporters, ...options.files], undefined, {
    ...stage.env,
    [listedTestsVariable]: options.onlyListed === true ? 'play' : 'skip',
  });
  if (!existsSync(file)) throw new Error(`No test ran on ${stage.report}.`);
  const report = JSON.parse(await readFile(file, 'utf8')) as TestReport;
  const result = sum(stage.server, report, (performance.now() - start) / 1_000);
  // An error outside of the tests fails the run without a failed test.
  if (code !== 0 && result.failed.length === 0) result.failed.push(`vitest ended with code ${code}`);
  if (options.files.length === 0) result.deadEntries = deadEntries(report);
  return result;
}

function sum(server: PlayedServer, { testResults }: TestReport, seconds: number): PlayResult {
  const result: PlayResult = { passed: 0, listed: {}, failed: [], otherwiseSkipped: 0, seconds, deadEntries: [] };
  for (const { name, status, assertionResults } of testResults) {
    const file = relative(repositoryRoot, name);
    if (status === 'failed' && assertionResults.every(test => test.status !== 'failed')) result.failed.push(file);
    for (const test of assertionResults) {
      if (test.status === 'passed') result.passed++;
      else if (test.status === 'failed') result.failed.push(`${file}: ${test.fullName}`);
      else countSkipped(result, reasonToSkip(server, name, test.fullName));
    }
  }
  return result;
}

function countSkipped(result: PlayResult, reason: string | undefined): void {
  if (reason === undefined) result.otherwiseSkipped++;
  else result.listed[reason] = (result.listed[reason] ?? 0) + 1;
}

/** For people: a line, then the reasons, failures and dead entries. */
export function describePlay(title: string, result: PlayResult, onlyListed: boolean): string {
  const { passed, listed, failed, otherwiseSkipped, seconds } = result;
  const listedCount = Object.values(listed).reduce((total, count) => total + count, 0);
  const skipped = otherwiseSkipped > 0 && !onlyListed ? `, ${otherwiseSkipped} skipped for want of a program` : '';
  return [
    `${title}: ${passed} passed, ${listedCount} listed, ${failed.length} failed${skipped} (${Math.round(seconds)} s)`,
    ...Object.entries(listed).map(([reason, count]) => `  listed ${count}: ${reason}`),
    ...failed.map(name => `  FAILED ${name}`),
    ...result.deadEntries.map(entry => `  DEAD ${entry}`),
  ].join('\n');
}

/** Of a run of the listed tests alone, each that passes is bad: it does not belong on the list. */
export function isBadPlay({ passed, failed, deadEntries }: PlayResult, onlyListed: boolean): boolean {
  return onlyListed ? passed > 0 : failed.length > 0 || passed === 0 || deadEntries.length > 0;
}

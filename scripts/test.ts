import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { repositoryRoot } from './build/bundle.ts';
import { optionalTestParts, provide, provideIfPossible, testParts } from './system/requirements.ts';
import { run } from './system/run.ts';
import { runTool } from './system/tool.ts';
import { deadEntries } from '../test/versions/deadEntries.ts';
import type { TestReport } from '../test/versions/testReport.ts';
import { installWorkbench } from './system/workbenchPackage.ts';

interface Counts {
  passed: number;
  failed: number;
}

/** The parts of the result of one version that are used here. */
interface VersionCounts {
  passed: number;
  failed: string[];
}

interface Step {
  name: string;
  /** @throws Error when it fails */
  run(counts: Counts): Promise<void>;
}

const results = join(repositoryRoot, 'test-results');

async function script(...args: readonly string[]): Promise<void> {
  const code = await run(process.execPath, args);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with code ${code}.`);
}

async function tool(packageName: string, args: readonly string[], program?: string): Promise<void> {
  const code = await runTool(packageName, args, program);
  if (code !== 0) throw new Error(`${program ?? packageName} ended with code ${code}.`);
}

async function readReport(file: string): Promise<TestReport> {
  if (!existsSync(file)) return { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  return JSON.parse(await readFile(file, 'utf8')) as TestReport;
}

/** What failed and why, for the end of the output, where it is seen without scrolling. */
function describeFailures({ testResults }: TestReport): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const file = relative(repositoryRoot, name);
    if (failed.length === 0) return message === '' ? [] : [`${file}\n${indent(message)}`];
    return failed.map(test => `${file}: ${test.fullName}\n${indent(test.failureMessages.join('\n'))}`);
  });
}

function indent(text: string): string {
  // vitest prints this text in place of a message when a test ran out of time.
  const readable = text.replace('Error: STACK_TRACE_ERROR', 'Error: The time of the test was up.');
  const lines = stripVTControlCharacters(readable).split('\n').slice(0, 25);
  return lines.map(line => `    ${line.slice(0, 300)}`).join('\n');
}

/** @param check of the report of a run in which every test passed: throws Error where it is not what was meant to run */
function vitest(project: string, check: (report: TestReport) => void = () => undefined): Step {
  return {
    name: `${project} tests`,
    async run(counts) {
      const file = join(results, `${project}.json`);
      await rm(file, { force: true });
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
      const code = await runTool('vitest', ['run', '--project', project, ...reporters]);
      const report = await readReport(file);
      const { numPassedTests: passed, numFailedTests: failed } = report;
      counts.passed += passed;
      // A file that cannot even be loaded fails without a failed test.
      counts.failed += code === 0 ? failed : Math.max(1, failed);
      if (code !== 0) throw new Error([`vitest ended with code ${code}.`, ...describeFailures(report)].join('\n'));
      if (passed === 0) throw new Error('No test ran.');
      check(report);
    },
  };
}

/** The lists of tests that a server cannot pass name tests that there are. */
function listsAreAlive(report: TestReport): void {
  const dead = deadEntries(report);
  if (dead.length > 0) throw new Error(dead.join('\n'));
}

/** Types, lint, format and unused code, side by side: each keeps one core busy and prints nothing when all is well. */
async function staticChecks(): Promise<void> {
  const checks = [
    tool('eslint', ['.', '--max-warnings', '0']),
    tool('typescript', ['-b'], 'tsc').then(() => tool('knip', [])),
    tool('prettier', ['--check', '--log-level', 'warn', '.']),
  ];
  const failures = (await Promise.allSettled(checks)).filter(({ status }) => status === 'rejected');
  const [first] = failures as PromiseRejectedResult[];
  if (first !== undefined) throw first.reason;
}

/** Recipes, sessions and queues on the oldest and the newest server of `ZOOKEEPER_SERVERS`; `npm run test:versions` plays all. */
const otherVersions: Step = {
  name: 'other versions of ZooKeeper',
  async run(counts) {
    if ((process.env['ZOOKEEPER_SERVERS'] ?? '') === '') {
      console.log('Skipped: ZOOKEEPER_SERVERS names no folder with server jars.');
      return;
    }
    const file = join(results, 'versions.json');
    await rm(file, { force: true });
    try {
      await script('test/versions/run.ts', '--short');
    } finally {
      const played = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as VersionCounts[]) : [];
      for (const { passed, failed } of played) {
        counts.passed += passed;
        counts.failed += failed.length;
      }
    }
  },
};

async function provideAll(): Promise<void> {
  await provide(testParts);
  await provideIfPossible(optionalTestParts);
}

const steps: Step[] = [
  { name: 'parts of the system', run: provideAll },
  { name: 'workbench package', run: installWorkbench },
  { name: 'build', run: () => script('scripts/build.ts', '--production') },
  { name: 'static checks', run: staticChecks },
  vitest('unit'),
  vitest('sandbox', listsAreAlive),
  vitest('integration', listsAreAlive),
  otherVersions,
  vitest('workbench'),
];

async function runSteps(counts: Counts, summary: string[]): Promise<boolean> {
  for (const step of steps) {
    console.log(`\n=== ${step.name}`);
    const start = performance.now();
    const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
    try {
      await step.run(counts);
      summary.push(`ok      ${step.name} (${seconds()})`);
    } catch (error) {
      summary.push(`FAILED  ${step.name} (${seconds()}): ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }
  return true;
}

const counts: Counts = { passed: 0, failed: 0 };
const summary: string[] = [];
const passed = await runSteps(counts, summary);
console.log(`\n${summary.join('\n')}\n`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = passed ? 0 : 1;

import { writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { repositoryRoot } from './build/bundle.ts';
import { checkerName } from './mutation/sample.ts';
import { scoreTable } from './mutation/score.ts';

/** The code that decides whose turn it is, in which order, what is stale or deadlocked, and what may be deleted. */
const mutated = [
  'src/locks/**/*.ts',
  'src/inspector/{findStale,waitWatches,findDeadlocks,waitForGraph,queueRisks,turnsWithout}.ts',
  'src/inspector/{deleteGuards,deleteConsequences,forceDelete,removeNode,refusedDelete}.ts',
  'src/recipes/{queueAttempt,acquireExclusive,semaphoreAttempt,pathInUse,attemptLimits,ownNode}.ts',
];

const results = 'test-results/mutation';

/** Changes a sample of that code, one place at a time, and counts the changes that the unit tests notice. */
const stryker = new Stryker({
  mutate: mutated,
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner'), import.meta.resolve('./mutation/sample.ts')],
  checkers: [checkerName],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  // A mutant in code that runs when a module loads needs every test: such mutants took nine tenths of the time.
  ignoreStatic: true,
  concurrency: 2,
  // On a busy machine a mutant that survives must not look like one that hangs.
  timeoutMS: 20_000,
  timeoutFactor: 4,
  disableTypeChecks: false,
  tempDirName: `${results}/sandbox`,
  ignorePatterns: ['/dist', '/out', '/.cache', '/test-results'],
  reporters: ['json', 'clear-text', 'progress-append-only'],
  jsonReporter: { fileName: `${results}/mutation.json` },
  clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: false },
  allowConsoleColors: false,
});
const mutants = await stryker.runMutationTest();
const table = scoreTable(mutants, ({ fileName }) => relative(repositoryRoot, fileName).split(sep).join('/'));
await writeFile(join(repositoryRoot, results, 'score.txt'), `${table}\n`);
console.log(`\n${table}`);

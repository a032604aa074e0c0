import {
  inject,
  TestRunner,
  type RunnerTask,
  type RunnerTaskResult,
  type RunnerTestFile,
  type RunnerTestSuite,
} from 'vitest';
import { engine } from '../support/engine.ts';
import { listedTestsVariable, reasonToSkip, type PlayedServer } from './limits.ts';

/** Skips what the list says that the server under test cannot pass, with the reason; the set-up of such tests does not run either. */
export default class LimitedRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    const server: PlayedServer = { engine: engine(), version: inject('zooKeeperVersion') };
    const playsListed = process.env[listedTestsVariable] === 'play';
    const reasonOf = (file: string, name: string): string | undefined => {
      const reason = reasonToSkip(server, file, name);
      if (!playsListed) return reason;
      return reason === undefined ? 'not listed' : undefined;
    };
    for (const file of files) skipListed(file, name => reasonOf(file.filepath, name), '');
  }
}

/** @returns whether nothing is left to run */
function skipListed(suite: RunnerTestSuite, reasonOf: (name: string) => string | undefined, names: string): boolean {
  let isEmpty = true;
  for (const task of suite.tasks) if (!skipTask(task, reasonOf, `${names}${task.name}`)) isEmpty = false;
  if (isEmpty && suite.tasks.length > 0) suite.mode = 'skip';
  return isEmpty;
}

function skipTask(task: RunnerTask, reasonOf: (name: string) => string | undefined, name: string): boolean {
  if (task.type === 'suite') return skipListed(task, reasonOf, `${name} `);
  const note = reasonOf(name);
  if (note === undefined) return task.mode === 'skip';
  task.mode = 'skip';
  const result: RunnerTaskResult & { note: string } = { state: 'skip', note };
  task.result = result;
  return true;
}

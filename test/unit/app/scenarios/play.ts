import { expect } from 'vitest';
import { isPlayable, readScenario } from '../../../../src/scenario/readScenario.ts';
import { runScenario } from '../../../../src/scenario/runScenario.ts';
import { onSandbox } from '../../../../src/scenario/scenarioCluster.ts';

/** Plays a text on a sandbox, where it must pass. */
export async function playOnSandbox(text: string): Promise<void> {
  const read = readScenario(text);
  expect(read.problems, text).toEqual([]);
  expect(isPlayable(read)).toBe(true);
  const { failure, left } = await onSandbox(cluster => runScenario(read.scenario, read.paths, cluster));
  expect(failure, text).toBeUndefined();
  expect(left).toEqual([]);
}

import type { ReadScenario } from '../../scenario/readScenario.ts';
import { allSteps, type Step } from '../../scenario/scenario.ts';

/** What scenarios do to a cluster: for the question that is asked before. */
export interface ScenarioImpact {
  /** Of all locks, in the order of the files. Foreign text: a file is from a repository. */
  readonly paths: readonly string[];
  /** Nodes are created that no session owns. */
  readonly leaves: boolean;
  /** Sessions of the scenario end, or lose their connection. */
  readonly cuts: boolean;
  /** Most sessions of a herd; 0 without one. */
  readonly herd: number;
}

const cutting: ReadonlySet<Step['kind']> = new Set(['expire', 'disconnect', 'lose reply']);

/** @param read files that are played in one run */
export function impactOf(read: readonly ReadScenario[]): ScenarioImpact {
  const steps = read.flatMap(({ scenario }) => [...allSteps(scenario.steps)]);
  const has = (fits: (kind: Step['kind']) => boolean): boolean => steps.some(({ kind }) => fits(kind));
  return {
    paths: [...new Set(read.flatMap(({ paths }) => [...paths.values()].flat()))],
    leaves: has(kind => kind === 'leave'),
    cuts: has(kind => cutting.has(kind)),
    herd: steps.reduce((most, step) => (step.kind === 'herd' ? Math.max(most, step.contenders) : most), 0),
  };
}

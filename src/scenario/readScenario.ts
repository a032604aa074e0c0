import { dialectLabels } from '../locks/lockQueue.ts';
import { checkScenario, type PathsOf } from './checkScenario.ts';
import { mostProblems, parseScenario } from './parseScenario.ts';
import type { Problem } from './problem.ts';
import type { Scenario } from './scenario.ts';

/** Names of libraries and naming schemes, as `as` and `attach … to dialect` write them. */
export const dialectWords: ReadonlySet<string> = new Set(Object.keys(dialectLabels));

/** A file as it was read. It runs only without problems of severity `error`. */
export interface ReadScenario {
  readonly scenario: Scenario;
  readonly paths: PathsOf;
  /** In the order of the file, the first 500. */
  readonly problems: readonly Problem[];
}

/** Reads and checks a file; any text gives an answer. */
export function readScenario(text: string): ReadScenario {
  const parsed = parseScenario(text, dialectWords);
  const { paths, problems } = checkScenario(parsed.scenario);
  // What else is wrong with a line that could not be read follows from that, or would have been in its rest.
  const unread = new Set(parsed.problems.map(({ span }) => span.line));
  const others = problems.filter(({ span }) => !unread.has(span.line));
  const byPlace = [...parsed.problems, ...others].sort(
    ({ span: one }, { span: other }) => one.line - other.line || one.from - other.from,
  );
  return { scenario: parsed.scenario, paths, problems: byPlace.slice(0, mostProblems) };
}

/** What keeps a file from being played: the first of its errors. */
export function firstError({ problems }: ReadScenario): Problem | undefined {
  return problems.find(({ severity }) => severity === 'error');
}

/** Whether it can be played. */
export function isPlayable(read: ReadScenario): boolean {
  return firstError(read) === undefined;
}

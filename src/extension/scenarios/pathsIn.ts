import { allSteps, type Scenario, type Written } from '../../scenario/scenario.ts';

/** The paths that a file writes, each once, that of the header first. */
export function pathsIn({ path, steps }: Pick<Scenario, 'path' | 'steps'>): string[] {
  const found: (Written | undefined)[] = [path];
  for (const step of allSteps(steps)) {
    if ('paths' in step) found.push(...step.paths);
    if ('path' in step) found.push(step.path);
    if (step.kind === 'expect') found.push(...step.claims.map(claim => claim.path));
  }
  return [...new Set(found.flatMap(one => one?.text ?? []))];
}

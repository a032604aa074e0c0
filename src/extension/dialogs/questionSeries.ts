import type { StepResult, StepTitle } from './quickInput.ts';

/** One question of a series; it puts its answer into the draft. */
export interface SeriesStep<Draft> {
  /** Left out: always asked. */
  applies?(draft: Draft): boolean;
  /** @returns whether the person goes back */
  ask(draft: Draft, step: NonNullable<StepTitle['step']>): Promise<boolean>;
}

/** Uses a step's answer. @returns whether the person goes back */
export function take<T>(result: StepResult<T>, use: (value: T) => void): boolean {
  if (result.kind === 'back') return true;
  use(result.value);
  return false;
}

/**
 * Asks one question after the other, with a way back. Which ones there are may depend on former answers.
 *
 * @throws CancelledError when the person closes an input
 */
export async function runSeries<Draft>(steps: readonly SeriesStep<Draft>[], draft: Draft): Promise<void> {
  for (let number = 1; ;) {
    const asked = steps.filter(step => step.applies?.(draft) ?? true);
    const step = asked[number - 1];
    if (step === undefined) return;
    const goesBack = await step.ask(draft, { number, total: asked.length });
    number = goesBack ? Math.max(1, number - 1) : number + 1;
  }
}

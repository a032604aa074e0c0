import { DisposableSlot } from '../../base/disposable.ts';
import {
  askChoice,
  askText,
  type ChoiceQuestion,
  type StepResult,
  type StepTitle,
  type TextQuestion,
} from './quickInput.ts';

type StepNumber = NonNullable<StepTitle['step']>;

/** One question of a series; it puts its answer into the draft. */
export interface SeriesStep<Draft> {
  /** Left out: always asked. */
  applies?: ((draft: Draft) => boolean) | undefined;
  /** @returns whether the person goes back */
  ask(draft: Draft, step: StepNumber): Promise<boolean>;
}

/** What every draft has for the titles of its questions. */
type Titled = Omit<StepTitle, 'step'>;

/** A step that asks one question: what it asks, and where its answer goes. */
interface Step<Draft, Question extends StepTitle, Answer> {
  applies?: (draft: Draft) => boolean;
  question: (draft: Draft) => Omit<Question, keyof StepTitle> | Promise<Omit<Question, keyof StepTitle>>;
  save: (draft: Draft, answer: Answer) => unknown;
}

/** A question for a text. */
export function textStep<Draft extends Titled>(parts: Step<Draft, TextQuestion, string>): SeriesStep<Draft> {
  return stepThatAsks(parts, askText);
}

/** A question for one of a few. */
export function choiceStep<Draft extends Titled, T>(parts: Step<Draft, ChoiceQuestion<T>, T>): SeriesStep<Draft> {
  return stepThatAsks(parts, askChoice<T>);
}

/** A step whose question is asked by `ask`. */
export function stepThatAsks<Draft extends Titled, Question extends StepTitle, Answer>(
  { applies, question, save }: Step<Draft, Question, Answer>,
  ask: (question: Question) => Promise<StepResult<Answer>>,
): SeriesStep<Draft> {
  return {
    applies,
    async ask(draft, step) {
      const { title, signal } = draft;
      const asked = { title, signal, step, ...(await question(draft)) } as unknown as Question;
      return take(await ask(asked), answer => save(draft, answer));
    },
  };
}

/** Uses a step's answer. @returns whether the person goes back */
export function take<T>(result: StepResult<T>, use: (value: T) => unknown): boolean {
  if (result.kind === 'back') return true;
  use(result.value);
  return false;
}

/**
 * Asks one question after the other, with a way back. Earlier answers may decide which questions follow.
 *
 * @throws CancelledError when the person closes an input
 */
export async function runSeries<Draft>(steps: readonly SeriesStep<Draft>[], draft: Draft): Promise<void> {
  const onScreen = new DisposableSlot();
  try {
    for (let number = 1; ;) {
      const asked = steps.filter(step => step.applies?.(draft) ?? true);
      const step = asked[number - 1];
      if (step === undefined) return;
      const goesBack = await step.ask(draft, { number, total: asked.length, onScreen });
      number = goesBack ? Math.max(1, number - 1) : number + 1;
    }
  } finally {
    onScreen.dispose();
  }
}

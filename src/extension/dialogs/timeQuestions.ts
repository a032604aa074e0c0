import { l10n } from 'vscode';
import {
  autoReleaseChoices,
  parseDuration,
  waitChoices,
  type AutoReleaseChoice,
  type WaitChoice,
} from '../../app/testLocks/durations.ts';
import { spanText } from '../words/testLockText.ts';
import type { AcquireDraft } from './acquireDraft.ts';
import { askChoice, askText, type Choice, type StepResult, type StepTitle } from './quickInput.ts';
import { take, type SeriesStep } from './questionSeries.ts';

type Step = SeriesStep<AcquireDraft>;

async function askDuration(title: StepTitle, prompt: string): Promise<StepResult<number>> {
  const answer = await askText({
    ...title,
    value: '',
    prompt,
    placeholder: l10n.t('for example 90, 5 min or 2 h'),
    validate: text =>
      parseDuration(text) === undefined
        ? l10n.t('Type a time of at most 24 h: a number of seconds, or a number with s, min or h.')
        : undefined,
  });
  return answer.kind === 'back' ? answer : { kind: 'value', value: parseDuration(answer.value) ?? 0 };
}

/** The choices with the one that was typed when the question was asked before, beside the one that leads to typing. */
function withTyped<T extends { kind: string }>(choices: readonly T[], typed: T): T[] {
  return choices.flatMap(choice => (choice.kind === 'other' ? [typed, choice] : [choice]));
}

function waitLabel(choice: WaitChoice): string {
  if (choice.kind === 'other') return l10n.t('Other…');
  if (choice.timeoutMs === undefined) return l10n.t('Wait without limit');
  return choice.timeoutMs === 0 ? l10n.t('Try once') : l10n.t('Wait up to {0}', spanText(choice.timeoutMs));
}

function waitDescription(choice: WaitChoice): string {
  if (choice.kind === 'other') return '';
  if (choice.timeoutMs === undefined) return l10n.t('until it is acquired or cancelled');
  return choice.timeoutMs === 0 ? l10n.t('do not queue up if it is held') : '';
}

export const waitStep: Step = {
  async ask(draft, step) {
    const { title, timeoutMs } = draft;
    const isAnswer = (choice: WaitChoice): boolean => choice.kind === 'limit' && choice.timeoutMs === timeoutMs;
    const choices = waitChoices.some(isAnswer) ? waitChoices : withTyped(waitChoices, { kind: 'limit', timeoutMs });
    for (;;) {
      const answer = await askChoice<WaitChoice>({
        title,
        step,
        placeholder: l10n.t('How long to wait if somebody else holds it?'),
        choices: choices.map(value => ({ label: waitLabel(value), description: waitDescription(value), value })),
        active: choices.find(isAnswer),
      });
      if (answer.kind === 'back') return true;
      if (answer.value.kind === 'limit') {
        draft.timeoutMs = answer.value.timeoutMs;
        return false;
      }
      const other = await askDuration({ title, step }, l10n.t('How long to wait'));
      if (!take(other, ms => (draft.timeoutMs = ms))) return false;
    }
  },
};

function autoReleaseChoice(value: AutoReleaseChoice, defaultMs: number): Choice<AutoReleaseChoice> {
  switch (value.kind) {
    case 'after':
      return {
        label: l10n.t('After {0}', spanText(value.ms)),
        description: value.ms === defaultMs ? l10n.t('from the settings') : '',
        value,
      };
    case 'other':
      return { label: l10n.t('Other…'), description: '', value };
    case 'never':
      return { label: l10n.t('Never'), description: l10n.t('only when you release it or this window ends'), value };
  }
}

/** The choices, and the one that Enter takes: what was answered before, as long as it is offered. */
function autoReleaseOffer(
  { autoReleaseMs, browser }: AcquireDraft,
  defaultMs: number,
): { choices: AutoReleaseChoice[]; active: AutoReleaseChoice | undefined } {
  const answer = autoReleaseMs ?? defaultMs;
  const matching = (choices: AutoReleaseChoice[], wanted: number | 'never'): AutoReleaseChoice | undefined =>
    choices.find(choice => (choice.kind === 'after' ? choice.ms : choice.kind) === wanted);
  let choices = autoReleaseChoices(defaultMs, browser?.node.profile.environment === 'production');
  if (answer !== 'never' && matching(choices, answer) === undefined)
    choices = withTyped(choices, { kind: 'after', ms: answer });
  return { choices, active: matching(choices, answer) ?? matching(choices, defaultMs) };
}

/** @param defaultMs reads the setting */
export function autoReleaseStep(defaultMs: () => number): Step {
  return {
    async ask(draft, step) {
      const { title } = draft;
      const fallback = defaultMs();
      const { choices, active } = autoReleaseOffer(draft, fallback);
      for (;;) {
        const answer = await askChoice<AutoReleaseChoice>({
          title,
          step,
          placeholder: l10n.t('When to release it by itself?'),
          choices: choices.map(choice => autoReleaseChoice(choice, fallback)),
          active,
        });
        if (answer.kind === 'back') return true;
        if (answer.value.kind !== 'other') {
          draft.autoReleaseMs = answer.value.kind === 'after' ? answer.value.ms : 'never';
          return false;
        }
        const other = await askDuration({ title, step }, l10n.t('Release it by itself after'));
        if (!take(other, ms => (draft.autoReleaseMs = ms))) return false;
      }
    },
  };
}

import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { waiterCount } from '../../app/clusters/clusterModel.ts';
import { libraryPath, locksOf, lookAtPath, type AcquireDraft } from '../../app/testLocks/acquireDraft.ts';
import {
  autoReleaseOffer,
  withTyped,
  parseDuration,
  waitChoices,
  type AutoReleaseChoice,
  type WaitChoice,
} from '../../app/testLocks/durations.ts';
import { offeredDialects, queueRecipeOf, type OfferedDialect } from '../../app/testLocks/dialectChoice.ts';
import { dialectText } from '../words/contenderText.ts';
import { displayText } from '../../base/displayText.ts';
import { joined, l10n } from '../words/language.ts';
import { spanText } from '../words/testLockText.ts';
import { askLockPath, askLockPaths, type PathSuggestion } from './pathQuestion.ts';
import { askChoice, askText, type Choice, type ChoiceQuestion, type StepResult, type StepTitle } from './quickInput.ts';
import { choiceStep, take, textStep, type SeriesStep } from './questionSeries.ts';

function suggestionsOf(browser: ClusterBrowser | undefined): PathSuggestion[] {
  const suggestions = new Map<string, PathSuggestion>();
  for (const lock of locksOf(browser)) {
    const waiting = waiterCount(lock);
    const queue = waiting === 0 ? '' : ` · ${l10n.t('{0} waiting', waiting)}`;
    const path = libraryPath(lock);
    suggestions.set(path, { path, description: `${dialectText(lock.dialect)}${queue}` });
  }
  return [...suggestions.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

export const pathStep: SeriesStep<AcquireDraft> = {
  applies: draft => draft.asksPath,
  async ask(draft, step) {
    const { title, browser, paths: chosen } = draft;
    const common = { title, step, suggestions: suggestionsOf(browser), chosen };
    const goesBack =
      draft.recipe === 'several'
        ? take(
            await askLockPaths({
              ...common,
              placeholder: l10n.t('Check two or more locks, or type a path and press Enter to add it'),
            }),
            paths => (draft.paths = paths),
          )
        : take(
            await askLockPath({ ...common, placeholder: l10n.t('Which lock? Choose one, or type a path') }),
            path => (draft.paths = [path]),
          );
    if (!goesBack) await lookAtPath(draft);
    return goesBack;
  },
};

function dialectChoices(draft: AcquireDraft): Choice<OfferedDialect | undefined>[] {
  const recipe = queueRecipeOf(draft.recipe);
  if (recipe === undefined) return [];
  const choices = offeredDialects(recipe, draft.inUse).map(offered => ({
    label: offered.withHostName ? l10n.t('R-/W- names behind the host name') : dialectText(offered.dialect),
    description: offered.inUse ? l10n.t('in use at this path') : '',
    value: offered,
  }));
  if (draft.recipe !== 'several') return choices;
  const asInUse = {
    label: l10n.t('The one in use at each path'),
    description: l10n.t('Curator on an unused path'),
    value: undefined,
  };
  return [asInUse, ...choices];
}

function dialectPlaceholder({ recipe, inUse }: AcquireDraft): string {
  // Several paths may be in use in different ways.
  if (recipe === 'several') return l10n.t('Which naming scheme?');
  return inUse.length > 0
    ? l10n.t('Which naming scheme? It is refused if its locks and those in use there would not see each other')
    : l10n.t('Which naming scheme? The path is not in use now');
}

export const dialectStep = choiceStep<AcquireDraft, OfferedDialect | undefined>({
  applies: draft => draft.recipe !== 'exclusive',
  question(draft) {
    const choices = dialectChoices(draft);
    const active = choices.find(
      ({ value }) => value?.dialect === draft.dialect?.dialect && value?.withHostName === draft.dialect?.withHostName,
    );
    return { placeholder: dialectPlaceholder(draft), choices, active: active?.value };
  },
  save: (draft, dialect) => (draft.dialect = dialect),
});

/** What is taken if nothing is chosen: Enter takes it. */
function overviewText({ recipe, dialect, maxLeases, timeoutMs, autoReleaseMs, identifier }: AcquireDraft): string {
  return joined([
    dialect === undefined ? '' : dialectText(dialect.dialect),
    recipe === 'semaphore' ? l10n.t('at most {0} at once', maxLeases) : '',
    waitText(timeoutMs),
    autoReleaseMs === 'never'
      ? l10n.t('never released by itself')
      : l10n.t('released after {0}', spanText(autoReleaseMs)),
    displayText(identifier, 60),
  ]);
}

/** The last question, unless its answer is that the others are to be asked, too. */
export const overviewStep = choiceStep<AcquireDraft, boolean>({
  question: draft => ({
    placeholder: l10n.t('Acquire it like this?'),
    choices: [
      { label: l10n.t('Acquire'), description: '', detail: overviewText(draft), value: false },
      {
        label: l10n.t('Options…'),
        description: l10n.t('naming scheme, waiting time, release, identifier'),
        value: true,
      },
    ],
    active: draft.withOptions,
  }),
  save: (draft, withOptions) => (draft.withOptions = withOptions),
});

/** The same question, asked only of those who want to choose. */
export function optional(step: SeriesStep<AcquireDraft>): SeriesStep<AcquireDraft> {
  return { ...step, applies: draft => draft.withOptions && (step.applies?.(draft) ?? true) };
}

export const limitStep = textStep<AcquireDraft>({
  applies: draft => draft.recipe === 'semaphore',
  question: draft => ({
    value: String(draft.maxLeases),
    prompt: l10n.t('How many clients may hold it at once? Use the number that the services use'),
    validate: text =>
      /^[1-9]\d{0,5}$/.test(text.trim()) ? undefined : l10n.t('Type a whole number from 1 to 999999.'),
  }),
  save: (draft, text) => (draft.maxLeases = Number(text.trim())),
});

export const lockNameStep = textStep<AcquireDraft>({
  applies: draft => draft.dialect?.dialect === 'named-lock',
  question: draft => ({
    value: draft.lockName ?? 'lock',
    prompt: l10n.t('Which of the locks in this directory? Its nodes are called <name>_lock_<number>'),
    validate: text =>
      text.trim() === '' || text.includes('/') || text.includes('_lock_')
        ? l10n.t('A lock name is not empty and contains neither "/" nor "_lock_".')
        : undefined,
  }),
  save: (draft, text) => (draft.lockName = text.trim()),
});

export const identifierStep = textStep<AcquireDraft>({
  question: draft => ({
    value: draft.identifier,
    prompt: l10n.t('Your identifier. Everyone who reads the queue sees this text'),
    validate: text =>
      text.trim() === '' || text.trim().length > 200 ? l10n.t('Type 1 to 200 characters.') : undefined,
  }),
  save: (draft, text) => (draft.identifier = text.trim()),
});

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

type Fixed<T> = Exclude<T, { kind: 'other' }>;

/**
 * Asks for one of several times; *Other…* leads to typing one, from where *Back* leads here again.
 *
 * @param save takes the choice, or the typed time in ms
 * @returns whether the person goes back
 */
async function askTime<T extends { kind: string }>(
  title: StepTitle,
  question: Omit<ChoiceQuestion<T>, keyof StepTitle>,
  prompt: string,
  save: (answer: Fixed<T> | number) => void,
): Promise<boolean> {
  for (;;) {
    const answer = await askChoice<T>({ ...title, ...question });
    if (answer.kind === 'back') return true;
    if (answer.value.kind !== 'other') {
      save(answer.value as Fixed<T>);
      return false;
    }
    if (!take(await askDuration(title, prompt), save)) return false;
  }
}

/** How long to wait, among other facts. */
function waitText(timeoutMs: number | undefined): string {
  if (timeoutMs === undefined) return l10n.t('waits without limit');
  return timeoutMs === 0 ? l10n.t('tries once') : l10n.t('waits up to {0}', spanText(timeoutMs));
}

function waitChoice(value: WaitChoice): Choice<WaitChoice> {
  if (value.kind === 'other') return { label: l10n.t('Other…'), description: '', value };
  const { timeoutMs } = value;
  if (timeoutMs === undefined) {
    return { label: l10n.t('Wait without limit'), description: l10n.t('until it is acquired or cancelled'), value };
  }
  return timeoutMs === 0
    ? { label: l10n.t('Try once'), description: l10n.t('do not queue if it is held'), value }
    : { label: l10n.t('Wait up to {0}', spanText(timeoutMs)), description: '', value };
}

export const waitStep: SeriesStep<AcquireDraft> = {
  ask(draft, step) {
    const { title, timeoutMs } = draft;
    const isAnswer = (choice: WaitChoice): boolean => choice.kind === 'limit' && choice.timeoutMs === timeoutMs;
    const choices = waitChoices.some(isAnswer) ? waitChoices : withTyped(waitChoices, { kind: 'limit', timeoutMs });
    const question = {
      placeholder: l10n.t('How long to wait if another client holds it?'),
      choices: choices.map(value => waitChoice(value)),
      active: choices.find(isAnswer),
    };
    return askTime<WaitChoice>({ title, step }, question, l10n.t('How long to wait'), answer => {
      draft.timeoutMs = typeof answer === 'number' ? answer : answer.timeoutMs;
    });
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

/** @param defaultMs reads the setting */
export function autoReleaseStep(defaultMs: () => number): SeriesStep<AcquireDraft> {
  return {
    ask(draft, step) {
      const fallback = defaultMs();
      const isProduction = draft.browser?.node.profile.environment === 'production';
      const { choices, active } = autoReleaseOffer(draft.autoReleaseMs, fallback, isProduction);
      const question = {
        placeholder: l10n.t('When to release it automatically?'),
        choices: choices.map(choice => autoReleaseChoice(choice, fallback)),
        active,
      };
      const title = { title: draft.title, step };
      return askTime<AutoReleaseChoice>(title, question, l10n.t('Release it automatically after'), answer => {
        draft.autoReleaseMs = typeof answer === 'number' ? answer : answer.kind === 'after' ? answer.ms : 'never';
      });
    },
  };
}

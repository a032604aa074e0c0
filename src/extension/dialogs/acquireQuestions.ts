import { l10n } from 'vscode';
import { kazooLeaseDirectory } from '../../locks/furtherDirectories.ts';
import { WrongDialect } from '../../recipes/errors.ts';
import { joinFault } from '../../recipes/pathInUse.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { dialectText } from '../words/dialectText.ts';
import {
  dialectsInUse,
  freeSingleNodes,
  offeredDialects,
  queueRecipeOf,
  type OfferedDialect,
} from '../../app/testLocks/dialectChoice.ts';
import { type LockNode, waiterCount } from '../../app/clusters/clusterModel.ts';
import type { AcquireDraft } from './acquireDraft.ts';
import { askLockPath, askLockPaths, type PathSuggestion } from './pathQuestion.ts';
import { askChoice, askText, type Choice } from './quickInput.ts';
import { take, type SeriesStep } from './questionSeries.ts';

type Step = SeriesStep<AcquireDraft>;

/** The path that a library is given for the lock of a row. */
export function libraryPath({ path, dialect }: LockNode): string {
  return dialect === 'kazoo-semaphore' ? (kazooLeaseDirectory(path) ?? path) : path;
}

function suggestionsOf(browser: ClusterBrowser | undefined): PathSuggestion[] {
  const suggestions = new Map<string, PathSuggestion>();
  for (const lock of rowsOf(browser)) {
    const waiting = waiterCount(lock);
    const queue = waiting === 0 ? '' : ` · ${l10n.t('{0} waiting', waiting)}`;
    const path = libraryPath(lock);
    suggestions.set(path, { path, description: `${dialectText(lock.dialect)}${queue}` });
  }
  return [...suggestions.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Looks at what stands at the paths, since the next question and the recipe depend on it.
 *
 * @throws WrongDialect when the recipe cannot be taken there
 */
export async function lookAtPath(draft: AcquireDraft): Promise<void> {
  const recipe = queueRecipeOf(draft.recipe);
  const client = draft.browser?.connection.client;
  draft.inUse = [];
  draft.dialect = undefined;
  if (recipe === undefined || client === undefined) return;
  const inUse = await Promise.all(draft.paths.map(path => dialectsInUse(client, path)));
  for (const [at, path] of draft.paths.entries()) {
    const found = inUse[at] ?? [];
    const dialects = found.length > 0 ? found : freeSingleNodes(rowsOf(draft.browser), path);
    const fault = joinFault(path, dialects, recipe);
    if (fault !== undefined) throw new WrongDialect(path, fault);
  }
  // Each of several paths has its own.
  if (draft.recipe === 'several') return;
  draft.inUse = inUse[0] ?? [];
  draft.dialect = offeredDialects(recipe, draft.inUse)[0];
}

function rowsOf(browser: ClusterBrowser | undefined): Iterable<LockNode> {
  return browser?.node.locks.values() ?? [];
}

export const pathStep: Step = {
  applies: draft => draft.asksPath,
  async ask(draft, step) {
    const common = {
      title: draft.title,
      step,
      suggestions: suggestionsOf(draft.browser),
      chosen: draft.paths,
    };
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

function dialectLabel({ dialect, withHostName }: OfferedDialect): string {
  return withHostName ? l10n.t('R-/W- names behind the host name') : dialectText(dialect);
}

function dialectChoices(draft: AcquireDraft): Choice<OfferedDialect | undefined>[] {
  const recipe = queueRecipeOf(draft.recipe);
  if (recipe === undefined) return [];
  const choices = offeredDialects(recipe, draft.inUse).map(offered => ({
    label: dialectLabel(offered),
    description: offered.inUse ? l10n.t('in use at this path') : '',
    value: offered,
  }));
  if (draft.recipe !== 'several') return choices;
  const asInUse = {
    label: l10n.t('As in use at each path'),
    description: l10n.t('Curator where nothing is'),
    value: undefined,
  };
  return [asInUse, ...choices];
}

function dialectPlaceholder({ recipe, inUse }: AcquireDraft): string {
  // Several paths may be in use in different ways.
  if (recipe === 'several') return l10n.t('Whose naming scheme?');
  return inUse.length > 0
    ? l10n.t('Whose naming scheme? Another one than in use there is refused if the two would not see each other')
    : l10n.t('Whose naming scheme? Nothing uses this path now');
}

export const dialectStep: Step = {
  applies: draft => draft.recipe !== 'exclusive',
  async ask(draft, step) {
    const choices = dialectChoices(draft);
    const active = choices.find(
      ({ value }) => value?.dialect === draft.dialect?.dialect && value?.withHostName === draft.dialect?.withHostName,
    );
    const answer = await askChoice({
      title: draft.title,
      step,
      placeholder: dialectPlaceholder(draft),
      choices,
      active: active?.value,
    });
    return take(answer, dialect => (draft.dialect = dialect));
  },
};

export const limitStep: Step = {
  applies: draft => draft.recipe === 'semaphore',
  async ask(draft, step) {
    const answer = await askText({
      title: draft.title,
      step,
      value: String(draft.maxLeases),
      prompt: l10n.t('How many may hold it at once? Give the number that the services give'),
      validate: text =>
        /^[1-9]\d{0,5}$/.test(text.trim()) ? undefined : l10n.t('Type a whole number from 1 to 999999.'),
    });
    return take(answer, text => (draft.maxLeases = Number(text.trim())));
  },
};

export const lockNameStep: Step = {
  applies: draft => draft.dialect?.dialect === 'named-lock',
  async ask(draft, step) {
    const answer = await askText({
      title: draft.title,
      step,
      value: draft.lockName ?? 'lock',
      prompt: l10n.t('Which of the locks in this directory? Its nodes are called <name>_lock_<number>'),
      validate: text =>
        text.trim() === '' || text.includes('/') || text.includes('_lock_')
          ? l10n.t('A lock name is not empty and contains neither "/" nor "_lock_".')
          : undefined,
    });
    return take(answer, text => (draft.lockName = text.trim()));
  },
};

export const identifierStep: Step = {
  async ask(draft, step) {
    const answer = await askText({
      title: draft.title,
      step,
      value: draft.identifier,
      prompt: l10n.t('Who are you? Everybody who looks at the queue sees this text'),
      validate: text =>
        text.trim() === '' || text.trim().length > 200 ? l10n.t('Type 1 to 200 characters.') : undefined,
    });
    return take(answer, text => (draft.identifier = text.trim()));
  },
};

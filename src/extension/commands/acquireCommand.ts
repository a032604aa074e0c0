import { hostname, userInfo } from 'node:os';
import { l10n } from 'vscode';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { NoClusterError, ReadOnlyCluster } from '../../app/clusters/clusterErrors.ts';
import { sameClusterCheck } from '../../app/clusters/clusterRegistry.ts';
import { readSettings } from '../platform/settings.ts';
import { confirmProduction } from '../dialogs/confirmations.ts';
import type { TestRecipe } from '../../app/testLocks/testLock.ts';
import type { LockNode } from '../../app/clusters/clusterModel.ts';
import {
  type AcquireDraft,
  autoReleaseStep,
  dialectStep,
  identifierStep,
  libraryPath,
  limitStep,
  lockNameStep,
  lookAtPath,
  pathStep,
  requestOf,
  waitStep,
} from '../dialogs/acquireQuestions.ts';
import { showAcquiring } from './acquireProgress.ts';
import { askWhichCluster } from '../dialogs/clusterQuestions.ts';
import { runSeries, take, type SeriesStep } from '../dialogs/questionSeries.ts';
import type { TestLockCommandParts } from './testLockCommands.ts';

function titleOf(recipe: TestRecipe): string {
  switch (recipe) {
    case 'exclusive':
      return l10n.t('Acquire Exclusive Lock');
    case 'read':
      return l10n.t('Acquire Shared Lock (Read)');
    case 'write':
      return l10n.t('Acquire Shared Lock (Write)');
    case 'mutex':
      return l10n.t('Acquire Mutex');
    case 'semaphore':
      return l10n.t('Acquire Semaphore');
    case 'several':
      return l10n.t('Acquire Several Locks at Once');
  }
}

/** The name under which this window stands in queues, unless the person gives another. */
function defaultIdentifier(): string {
  try {
    return `${userInfo().username}@${hostname()} (VS Code)`;
  } catch {
    // The user has no entry in the system's list (containers).
    return `${hostname()} (VS Code)`;
  }
}

function refuseReadOnly(browser: ClusterBrowser): void {
  const { profile } = browser.node;
  if (profile.readOnly === true) throw new ReadOnlyCluster(profile.name);
}

async function connect({ targets }: TestLockCommandParts, browser: ClusterBrowser): Promise<ClusterBrowser> {
  refuseReadOnly(browser);
  return targets.connected(browser);
}

function takeCluster({ registry }: TestLockCommandParts, draft: AcquireDraft, browser: ClusterBrowser): void {
  draft.browser = browser;
  draft.requireSame = sameClusterCheck(registry, browser.node);
}

function clusterStep(parts: TestLockCommandParts): SeriesStep<AcquireDraft> {
  return {
    applies: draft => draft.asksCluster,
    async ask(draft, step) {
      const answer = await askWhichCluster({ title: draft.title, step }, parts.registry.all, draft.browser);
      const goesBack = take(answer, browser => takeCluster(parts, draft, browser));
      if (!goesBack && draft.browser !== undefined) await connect(parts, draft.browser);
      return goesBack;
    },
  };
}

/** The cluster that is clear from the row or the connections; `undefined`: ask. */
function givenBrowser({ targets, registry }: TestLockCommandParts, argument: unknown): ClusterBrowser | undefined {
  const row = targets.row(argument);
  if (row !== undefined) return targets.browserOf(row);
  const connected = registry.all.filter(({ connection }) => connection.client !== undefined);
  if (connected.length === 1) return connected[0];
  return registry.all.length === 1 ? registry.all[0] : undefined;
}

function emptyDraft(recipe: TestRecipe, browser: ClusterBrowser | undefined, lock: LockNode | undefined): AcquireDraft {
  const base = {
    title: titleOf(recipe),
    recipe,
    browser,
    asksCluster: browser === undefined,
    inUse: [],
    dialect: undefined,
    timeoutMs: 60_000,
    autoReleaseMs: undefined,
    identifier: defaultIdentifier(),
  };
  if (lock === undefined) return { ...base, paths: [], asksPath: true, maxLeases: 1, lockName: undefined };
  return {
    ...base,
    paths: [libraryPath(lock)],
    asksPath: recipe === 'several',
    maxLeases: lock.queue?.maxLeases ?? 1,
    lockName: lock.lockName,
  };
}

async function newDraft(parts: TestLockCommandParts, recipe: TestRecipe, argument: unknown): Promise<AcquireDraft> {
  const row = parts.targets.row(argument);
  const browser = givenBrowser(parts, argument);
  const draft = emptyDraft(recipe, browser, row?.type === 'lock' ? row : undefined);
  if (browser === undefined) return draft;
  takeCluster(parts, draft, browser);
  await connect(parts, browser);
  if (!draft.asksPath) await lookAtPath(draft);
  return draft;
}

/**
 * Asks what is not clear yet, and takes the lock.
 *
 * @param argument the row that the command was called for, if any
 * @throws NoClusterError when there is none yet
 */
export async function acquireCommand(
  parts: TestLockCommandParts,
  recipe: TestRecipe,
  argument: unknown,
): Promise<void> {
  const { registry, reporter } = parts;
  if (registry.all.length === 0) throw new NoClusterError();
  const draft = await newDraft(parts, recipe, argument);
  await runSeries(
    [
      clusterStep(parts),
      pathStep,
      dialectStep,
      limitStep,
      lockNameStep,
      waitStep,
      autoReleaseStep(() => readSettings().autoReleaseMs),
      identifierStep,
    ],
    draft,
  );
  if (draft.browser === undefined || draft.requireSame === undefined) return;
  const request = requestOf(draft, draft.browser, hostname());
  parts.testLocks.check(request);
  await confirmProduction(reporter, request);
  draft.requireSame();
  await showAcquiring(parts, draft.browser, request);
}

import { hostname } from 'node:os';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { ReadOnlyCluster } from '../../app/clusters/clusterErrors.ts';
import { sameClusterCheck } from '../../app/clusters/clusterRegistry.ts';
import type { TestLockRequest, TestRecipe } from '../../app/testLocks/testLock.ts';
import { holderInTheWay } from '../../app/testLocks/holderInTheWay.ts';
import { LockCancelled, LockTimeout } from '../../recipes/errors.ts';
import {
  type AcquireDraft,
  emptyDraft,
  lookAtPath,
  onlyCandidate,
  requestOf,
} from '../../app/testLocks/acquireDraft.ts';
import {
  autoReleaseStep,
  dialectStep,
  identifierStep,
  limitStep,
  lockNameStep,
  optional,
  overviewStep,
  pathStep,
  waitStep,
} from '../dialogs/acquireQuestions.ts';
import { askWhichCluster } from '../dialogs/whichCluster.ts';
import { confirmProduction } from '../dialogs/confirmations.ts';
import { runSeries, type SeriesStep } from '../dialogs/questionSeries.ts';
import { readSettings } from '../platform/settings.ts';
import { withProgress } from '../platform/withProgress.ts';
import { l10n, sentences } from '../words/language.ts';
import { pathsText, recipeText, spanText, standingText } from '../words/testLockText.ts';
import { whoText } from '../words/contenderText.ts';
import { writable } from './targets.ts';
import type { TestLockCommandParts } from './testLockCommands.ts';

function titleOf(recipe: TestRecipe): string {
  const titles: Record<TestRecipe, string> = {
    exclusive: l10n.t('Acquire Exclusive Lock'),
    read: l10n.t('Acquire Shared Lock (Read)'),
    write: l10n.t('Acquire Shared Lock (Write)'),
    mutex: l10n.t('Acquire Mutex'),
    semaphore: l10n.t('Acquire Semaphore'),
    several: l10n.t('Acquire Several Locks at Once'),
  };
  return titles[recipe];
}

/** Sets the cluster of the draft and connects to it. @throws ReadOnlyCluster; what connecting throws */
async function useCluster(
  { registry, targets }: TestLockCommandParts,
  draft: AcquireDraft,
  browser: ClusterBrowser,
): Promise<void> {
  const { profile } = browser.node;
  draft.browser = browser;
  draft.requireSame = sameClusterCheck(registry, browser.node);
  if (profile.readOnly === true) throw new ReadOnlyCluster(profile);
  await targets.connected(browser);
}

function writableClusters({ targets }: TestLockCommandParts): readonly ClusterBrowser[] {
  return targets.fitting(writable(l10n.t('Every cluster is marked read-only: no test locks are taken there.')));
}

function clusterStep(parts: TestLockCommandParts): SeriesStep<AcquireDraft> {
  return {
    applies: draft => draft.asksCluster,
    async ask(draft, step) {
      const answer = await askWhichCluster({ title: draft.title, step }, writableClusters(parts), draft.browser);
      if (answer.kind === 'value') await useCluster(parts, draft, answer.value);
      return answer.kind === 'back';
    },
  };
}

/**
 * Asks what the row and the connections leave open, and takes the lock.
 *
 * @param argument the row that the command was called for, if any
 * @throws NoClusterError when no cluster is saved; ReadOnlyCluster; SelfBlocked; ClusterChanged before anything is sent;
 *   what the recipe throws
 */
export async function acquireCommand(
  parts: TestLockCommandParts,
  recipe: TestRecipe,
  argument: unknown,
): Promise<void> {
  const { reporter, targets } = parts;
  const row = targets.row(argument);
  const browser = row === undefined ? onlyCandidate(writableClusters(parts)) : targets.browserOf(row);
  const lock = row?.type === 'lock' ? row : undefined;
  const draft = emptyDraft(
    { title: titleOf(recipe), recipe, autoReleaseMs: readSettings().autoReleaseMs },
    browser,
    lock,
  );
  if (browser !== undefined) {
    await useCluster(parts, draft, browser);
    if (!draft.asksPath) await lookAtPath(draft);
  }
  const releaseStep = autoReleaseStep(() => readSettings().autoReleaseMs);
  const naming = [optional(dialectStep), optional(limitStep), lockNameStep];
  const options = [waitStep, releaseStep, identifierStep].map(optional);
  await runSeries([clusterStep(parts), pathStep, overviewStep, ...naming, ...options], draft);
  if (draft.browser === undefined || draft.requireSame === undefined) return;
  const request = requestOf(draft, draft.browser, hostname());
  // Before the confirmation: a request that is refused anyway is not worth a question.
  parts.testLocks.check(request);
  await confirmProduction(reporter, request);
  draft.requireSame();
  await acquire(parts, draft.browser, request);
}

/** Acquires, with a row at once, and with a progress that can be cancelled if it takes longer. */
async function acquire(
  { testLocks, testLocksView, reporter }: TestLockCommandParts,
  browser: ClusterBrowser,
  request: TestLockRequest,
): Promise<void> {
  const { lock, outcome } = testLocks.acquire(request);
  const wait = async (signal: AbortSignal, report: (message: string) => void): Promise<void> => {
    const show = (): void => {
      const { state } = lock;
      report(state.kind === 'waiting' ? standingText(state.standing) : l10n.t('connecting…'));
    };
    signal.addEventListener('abort', () => testLocks.cancel(lock));
    const changes = testLocks.onChange(changed => {
      if (changed === lock) show();
    });
    show();
    try {
      await outcome;
    } finally {
      changes.dispose();
    }
  };
  const progress = { isShown: false };
  try {
    await withProgress(l10n.t('Waiting for {0} ({1})', pathsText(request), recipeText(request.recipe)), wait, () => {
      progress.isShown = true;
      void testLocksView.reveal(lock);
    });
    void testLocksView.reveal(lock);
    if (progress.isShown) reporter.inform(acquiredText(request));
  } catch (error) {
    if (error instanceof LockCancelled) return;
    if (!(error instanceof LockTimeout)) throw error;
    reporter.warn(await timeoutText(browser, request, error.hasLeft));
  }
}

function acquiredText({ autoReleaseMs, ...request }: TestLockRequest): string {
  return autoReleaseMs === undefined
    ? l10n.t('{0} is held until you release it.', pathsText(request))
    : l10n.t('{0} is held for {1}.', pathsText(request), spanText(autoReleaseMs));
}

async function timeoutText(browser: ClusterBrowser, request: TestLockRequest, hasLeft: boolean): Promise<string> {
  const holder = await holderInTheWay(browser.connection.client, request);
  const path = pathsText(request);
  const { timeoutMs = 0 } = request;
  const what =
    timeoutMs === 0
      ? l10n.t('{0} is not free, so it was not acquired.', path)
      : limitText(path, spanText(timeoutMs), hasLeft);
  return sentences(what, holder === undefined ? '' : l10n.t('Held by {0}.', whoText(holder)));
}

function limitText(path: string, span: string, hasLeft: boolean): string {
  return hasLeft
    ? l10n.t('{0} was not free within {1}. The attempt has left the queue.', path, span)
    : l10n.t(
        '{0} was not free within {1}. The server has not yet confirmed that the attempt has left the queue: the request is repeated until it does, or until the session ends.',
        path,
        span,
      );
}

import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { readQueues } from '../../inspector/readQueues.ts';
import { LockCancelled, LockTimeout } from '../../recipes/errors.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { callLater } from '../../base/timer.ts';
import { sentences } from '../words/language.ts';
import { whoText } from '../words/whoText.ts';
import type { TestLock, TestLockRequest } from '../../app/testLocks/testLock.ts';
import { pathsText, recipeText, spanText, standingText } from '../words/testLockText.ts';
import type { TestLockCommandParts } from './testLockCommands.ts';

/** A free lock is acquired sooner than a notification could be read. */
const showProgressAfterMs = 400;

/** Acquires, with a row at once and a progress that can be cancelled if it takes a while. */
export async function showAcquiring(
  parts: TestLockCommandParts,
  browser: ClusterBrowser,
  request: TestLockRequest,
): Promise<void> {
  const { testLocks, testLocksView, reporter } = parts;
  const { lock, outcome } = testLocks.acquire(request);
  const settled = outcome.then(
    () => undefined,
    () => undefined,
  );
  const progress = { isShown: false };
  const timer = callLater(() => {
    progress.isShown = true;
    void testLocksView.reveal(lock);
    void showProgress(parts, lock, settled);
  }, showProgressAfterMs);
  try {
    await outcome;
    void testLocksView.reveal(lock);
    if (progress.isShown) reporter.inform(acquiredText(request));
  } catch (error) {
    if (error instanceof LockCancelled) return;
    if (!(error instanceof LockTimeout)) throw error;
    reporter.warn(await timeoutText(browser, request, error.hasLeft));
  } finally {
    timer.dispose();
  }
}

async function showProgress(
  { testLocks }: TestLockCommandParts,
  lock: TestLock,
  settled: Promise<undefined>,
): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: l10n.t('Waiting for {0} ({1})', pathsText(lock.request), recipeText(lock.request.recipe)),
    cancellable: true,
  };
  await vscode.window.withProgress(options, async (progress, token) => {
    const say = (): void => {
      const { state } = lock;
      const message = state.kind === 'waiting' ? standingText(state.standing) : l10n.t('connecting…');
      progress.report({ message });
    };
    const cancel = token.onCancellationRequested(() => testLocks.cancel(lock));
    const changes = testLocks.onChange(changed => {
      if (changed === lock) say();
    });
    say();
    try {
      await settled;
    } finally {
      changes.dispose();
      cancel.dispose();
    }
  });
}

function acquiredText({ autoReleaseMs, ...request }: TestLockRequest): string {
  return autoReleaseMs === undefined
    ? l10n.t('{0} is held now, until you release it.', pathsText(request))
    : l10n.t('{0} is held now, for {1}.', pathsText(request), spanText(autoReleaseMs));
}

/** Who was in the way; as far as it can be read now. */
async function holderText(browser: ClusterBrowser, { paths, lockName }: TestLockRequest): Promise<string> {
  const { client } = browser.connection;
  const [path] = paths;
  if (client === undefined || path === undefined || paths.length > 1) return '';
  try {
    const queues = (await readQueues(client, path)).filter(
      // A directory may hold several locks that their names tell apart.
      queue => lockName === undefined || queue.lockName === lockName,
    );
    const holder = queues.flatMap(({ contenders }) => contenders).find(({ role }) => role === 'holder');
    return holder === undefined ? '' : whoText(holder);
  } catch {
    // The message says as much as it can without: the lock's own row in the tree shows the failure.
    return '';
  }
}

async function timeoutText(browser: ClusterBrowser, request: TestLockRequest, hasLeft: boolean): Promise<string> {
  const holder = await holderText(browser, request);
  const path = pathsText(request);
  const { timeoutMs = 0 } = request;
  const what =
    timeoutMs === 0
      ? l10n.t('{0} is not free, so it was not acquired.', path)
      : limitText(path, spanText(timeoutMs), hasLeft);
  return sentences(what, holder === '' ? '' : l10n.t('Held by {0}.', holder));
}

function limitText(path: string, span: string, hasLeft: boolean): string {
  return hasLeft
    ? l10n.t('{0} was not free within {1}. The attempt has left the queue.', path, span)
    : l10n.t(
        '{0} was not free within {1}. The server has not confirmed yet that the attempt has left the queue: it is asked until it does, or until the session ends.',
        path,
        span,
      );
}

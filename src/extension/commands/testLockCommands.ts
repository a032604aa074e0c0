import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { commandIds } from '../platform/contributions.ts';
import { type ErrorReporter, NothingToDo } from '../platform/errorReporting.ts';
import { isActive, isTimed, isWaiting, mayHold, type TestLock } from '../../app/testLocks/testLock.ts';
import type { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import { pathsText, tokenText } from '../words/testLockText.ts';
import type { TestLocksView } from '../views/testLocksView.ts';
import type { ClustersView } from '../views/clustersView.ts';
import type { RegisterCommand } from '../platform/commands.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import type { Targets } from './targets.ts';

/** What the commands of the Test Locks view work with. */
export interface TestLockCommandParts {
  register: RegisterCommand;
  registry: ClusterRegistry;
  reporter: ErrorReporter;
  targets: Targets;
  view: ClustersView;
  testLocks: TestLockRegistry;
  testLocksView: TestLocksView;
}

/** The row that was passed, if it is one of ours: anybody may call a command with anything. */
function rowOf({ testLocks }: TestLockCommandParts, argument: unknown): TestLock | undefined {
  return testLocks.all.find(lock => lock === argument);
}

function rowOrSelected(parts: TestLockCommandParts, argument: unknown): TestLock | undefined {
  return rowOf(parts, argument === undefined ? parts.testLocksView.selected : argument);
}

/** What a command can be about. */
interface Wanted {
  title: string;
  fits: (lock: TestLock) => boolean;
  /** What to say when no lock fits. */
  none: string;
}

/** The row that was passed, the only lock that fits, or the one that the person picks. @throws NothingToDo when none fits */
async function chosen(
  parts: TestLockCommandParts,
  argument: unknown,
  { title, fits, none }: Wanted,
): Promise<TestLock> {
  const row = rowOf(parts, argument);
  if (row !== undefined) return row;
  const fitting = parts.testLocks.all.filter(fits);
  const [first] = fitting;
  if (first === undefined) throw new NothingToDo(none);
  if (fitting.length === 1) return first;
  const choices = fitting.map(lock => ({ label: pathsText(lock.request), description: '', value: lock }));
  return valueOf(await askChoice({ title, placeholder: l10n.t('Which lock?'), choices }));
}

async function release(parts: TestLockCommandParts, argument: unknown): Promise<void> {
  const wanted = { title: l10n.t('Release'), fits: mayHold, none: l10n.t('No test lock is held.') };
  await parts.testLocks.release(await chosen(parts, argument, wanted));
}

async function keepLonger(parts: TestLockCommandParts, argument: unknown): Promise<void> {
  const none = l10n.t('No test lock is held for a limited time.');
  parts.testLocks.keepLonger(await chosen(parts, argument, { title: l10n.t('Keep Longer'), fits: isTimed, none }));
}

async function cancelWait(parts: TestLockCommandParts, argument: unknown): Promise<void> {
  const none = l10n.t('No test lock is waited for.');
  parts.testLocks.cancel(await chosen(parts, argument, { title: l10n.t('Stop Waiting'), fits: isWaiting, none }));
}

async function releaseAll({ testLocks, reporter }: TestLockCommandParts): Promise<void> {
  const locks = testLocks.all.filter(isActive);
  if (locks.length === 0) throw new NothingToDo(l10n.t('No test lock is held or waited for.'));
  if (locks.length > 1) {
    const isSure = await reporter.confirm(
      l10n.t('Release all {0} test locks?', locks.length),
      locks.map(({ request }) => pathsText(request)).join('\n'),
      l10n.t('Release All'),
    );
    if (!isSure) return;
  }
  const outcomes = await Promise.allSettled(locks.map(lock => testLocks.release(lock)));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') reporter.report(outcome.reason);
  }
}

async function reveal(parts: TestLockCommandParts, lock: TestLock | undefined): Promise<void> {
  if (lock === undefined) return;
  const { registry, targets, view } = parts;
  const browser = registry.get(lock.request.cluster.id);
  if (browser === undefined) return;
  // A kazoo semaphore is shown by its queue, which stands beside its path.
  const { state, request } = lock;
  const [path = '/'] = request.paths;
  const node = 'hold' in state ? (state.hold.paths[0] ?? '') : '';
  const shown = node.startsWith(`${path}-__lock__/`) ? `${path}-__lock__` : path;
  await targets.connected(browser);
  const row = await browser.open(shown);
  if (row !== undefined) await view.revealLock(browser, row);
}

async function copyToken(lock: TestLock | undefined): Promise<void> {
  if (lock === undefined || !('hold' in lock.state)) return;
  await vscode.env.clipboard.writeText(tokenText(lock.state.hold.token));
}

/** Release, keep, cancel, dismiss, copy, reveal. */
export function registerTestLockCommands(parts: TestLockCommandParts): Disposable[] {
  const { register, testLocks } = parts;
  return [
    register(commandIds.releaseTestLock, argument => release(parts, argument)),
    register(commandIds.releaseAllTestLocks, () => releaseAll(parts)),
    register(commandIds.keepLonger, argument => keepLonger(parts, argument)),
    register(commandIds.cancelWait, argument => cancelWait(parts, argument)),
    register(commandIds.dismissTestLock, async argument => {
      const lock = rowOrSelected(parts, argument);
      if (lock !== undefined) await testLocks.dismiss(lock);
    }),
    register(commandIds.revealTestLock, argument => reveal(parts, rowOrSelected(parts, argument))),
    register(commandIds.copyTestLockPath, async argument => {
      const lock = rowOrSelected(parts, argument);
      // The foreign text itself, byte for byte.
      if (lock !== undefined) await vscode.env.clipboard.writeText(lock.request.paths.join('\n'));
    }),
    register(commandIds.copyFencingToken, argument => copyToken(rowOrSelected(parts, argument))),
  ];
}

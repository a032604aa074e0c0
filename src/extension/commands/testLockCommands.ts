import { monotonicNow } from '../../base/deadline.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { NotConnectedError } from '../../zookeeper/errors.ts';
import type { ClusterProfile } from '../../app/clusters/clusterProfile.ts';
import type { watchQueues } from '../../inspector/watchQueues.ts';
import { type ErrorReporter, NothingToDo } from '../platform/errorReporting.ts';
import { callLater } from '../../base/timer.ts';
import type { ClusterNode } from '../../app/clusters/clusterModel.ts';
import type { CommandParts } from './clusterCommands.ts';
import type { OwnLocks } from './diagnosisParts.ts';
import { followClusters } from '../../app/testLocks/followClusters.ts';
import { LockSessions } from '../../app/testLocks/lockSessions.ts';
import type { openLock } from '../../app/testLocks/openLock.ts';
import { isActive, isTimed, isWaiting, mayHold, type TestLock, type TestRecipe } from '../../app/testLocks/testLock.ts';
import { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import { askWhetherToEnd } from '../dialogs/confirmations.ts';
import { registerTestLocksStatusBar } from '../views/testLocksStatusBar.ts';
import { TestLocksView } from '../views/testLocksView.ts';
import { lossText, silenceText } from '../words/lossText.ts';
import type { WatchQueue } from '../../app/testLocks/standing.ts';
import { giveUpWithWindow } from '../../app/testLocks/windowLife.ts';
import { directoryOfNode } from '../../locks/libraries/queueBeside.ts';
import * as vscode from 'vscode';
import { windowRoundTrip } from '../platform/commands.ts';
import { commandIds, type CommandId } from '../platform/contributions.ts';
import { pathsText, tokenText } from '../words/testLockText.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';
import { l10n } from '../words/language.ts';

/** What the commands for test locks work with. */
export interface TestLockCommandParts extends CommandParts {
  testLocks: TestLockRegistry;
  testLocksView: TestLocksView;
}

/** The row that was passed, if it is a row of the Test Locks view: other extensions may pass any argument. */
function rowOf({ testLocks }: TestLockCommandParts, argument: unknown): TestLock | undefined {
  return testLocks.all.find(lock => lock === argument);
}

function rowOrSelected(parts: TestLockCommandParts, argument: unknown): TestLock | undefined {
  return rowOf(parts, argument === undefined ? parts.testLocksView.selected : argument);
}

/** Which test locks fit a command. */
interface Wanted {
  title: string;
  fits: (lock: TestLock) => boolean;
  /** The message when no lock fits. */
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
  const { state, request } = lock;
  const [path = '/'] = request.paths;
  const node = 'hold' in state ? (state.hold.paths[0] ?? '') : '';
  const shown = directoryOfNode(path, node) ?? path;
  await targets.connected(browser);
  const row = await browser.open(shown);
  if (row !== undefined) await view.revealLock(browser, row);
}

async function copyToken(lock: TestLock | undefined): Promise<void> {
  if (lock === undefined || !('hold' in lock.state)) return;
  await vscode.env.clipboard.writeText(tokenText(lock.state.hold.token));
}

const commandOf: Record<TestRecipe, CommandId> = {
  exclusive: commandIds.acquireExclusive,
  read: commandIds.acquireRead,
  write: commandIds.acquireWrite,
  mutex: commandIds.acquireMutex,
  semaphore: commandIds.acquireSemaphore,
  several: commandIds.acquireSeveral,
};

/** What is loaded when one of these commands runs for the first time, or a test lock is acquired. */
interface LoadedParts {
  acquireCommand: (parts: TestLockCommandParts, recipe: TestRecipe, argument: unknown) => Promise<void>;
  openLock: typeof openLock;
}

/** Acquire with each recipe, release, keep, cancel, dismiss, copy, reveal. */
export function registerTestLockCommands(
  parts: TestLockCommandParts & { load: () => Promise<Pick<LoadedParts, 'acquireCommand'>> },
): Disposable[] {
  const { register, testLocks, load } = parts;
  const acquireCommands = Object.entries(commandOf).map(([recipe, id]) =>
    register(id, async argument => (await load()).acquireCommand(parts, recipe as TestRecipe, argument ?? undefined)),
  );
  return [
    ...acquireCommands,
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

interface TestLocksParts extends CommandParts {
  /** Opens a session with the log-in and TLS of the profile. */
  openSession: (profile: ClusterProfile, signal: AbortSignal) => Promise<ZooKeeperClient>;
  loadFirst: () => Promise<{ watchQueues: typeof watchQueues }>;
  load: () => Promise<LoadedParts>;
}

function watchWith({ registry, loadFirst, logger }: TestLocksParts): (cluster: ClusterNode) => WatchQueue {
  return cluster => async (path, listener) => {
    const { watchQueues } = await loadFirst();
    const client = registry.get(cluster.id)?.connection.client;
    if (client === undefined) throw new NotConnectedError('watchQueues', path, 'there is no session');
    return watchQueues(client, path, listener, { logger });
  };
}

function reportLosses(reporter: ErrorReporter, locks: readonly TestLock[]): void {
  const clusters = new Set(locks.map(({ request }) => request.cluster));
  for (const cluster of clusters) reporter.warn(lossText(locks.filter(lock => lock.request.cluster === cluster)));
}

/**
 * The test locks of this window: their view, status bar entry and commands. Nothing is connected before the first lock is asked for.
 *
 * @returns `close` deletes own nodes and ends their sessions, within 5 s
 */
export function registerTestLocks(
  parts: TestLocksParts,
): Disposable & OwnLocks & { testLocks: TestLockRegistry; close(): Promise<void> } {
  const { reporter, logger } = parts;
  const sessions = new LockSessions({
    open: parts.openSession,
    listed: id => parts.registry.get(id)?.node,
    schedule: callLater,
    now: monotonicNow,
    logger,
  });
  const testLocks = new TestLockRegistry({
    sessions,
    openLock: async (client, request) => (await parts.load()).openLock(client, request),
    watch: watchWith(parts),
    onLost: locks => reportLosses(reporter, locks),
    onFailure: error => reporter.report(error),
    now: monotonicNow,
    schedule: callLater,
    logger,
  });
  const owned = new DisposableStore();
  const testLocksView = owned.add(new TestLocksView(testLocks));
  owned.add(registerTestLocksStatusBar(testLocks));
  owned.add(followClusters(parts.registry, sessions, testLocks, locks => askWhetherToEnd(reporter, locks)));
  const life = { ping: windowRoundTrip, schedule: callLater, logger };
  owned.add(giveUpWithWindow(testLocks, life, locks => reporter.warn(silenceText(locks))));
  const commandParts = { ...parts, testLocks, testLocksView };
  for (const command of registerTestLockCommands(commandParts)) owned.add(command);
  return {
    dispose: () => owned.dispose(),
    testLocks,
    close: () => testLocks.close(),
    clientOf: cluster => sessions.clientOf(cluster),
    sessionOf: clusterId => sessions.sessionIdOf(clusterId),
    releaserOf: (clusterId, path) => testLocks.releaserOf(clusterId, path),
  };
}

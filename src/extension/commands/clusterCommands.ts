import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { isOpen } from '../../app/clusters/clusterConnection.ts';
import { connectionKey, isOfWindow } from '../../app/clusters/clusterProfile.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import type { ClusterStore } from '../../app/clusters/clusterStore.ts';
import type { Recorders } from '../../app/recorder/recorders.ts';
import type { SandboxCluster } from '../../app/sandbox/sandboxCluster.ts';
import { commandIds, contextKeys } from '../platform/contributions.ts';
import { type ErrorReporter, NothingToDo } from '../platform/errorReporting.ts';
import { withProgress } from '../platform/withProgress.ts';
import { purposesOf, secretKey } from '../../app/security/clusterSecrets.ts';
import type { Security } from './registerSecurity.ts';
import type { TypedSecret } from '../../app/security/securityDraft.ts';
import type { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import type { ClustersView } from '../views/clustersView.ts';
import type { askCluster } from '../dialogs/clusterQuestions.ts';
import { confirmEdit, confirmRemoval, confirmStop } from '../dialogs/confirmations.ts';
import { setContextKey, type RegisterCommand } from '../platform/commands.ts';
import type { Targets, WantedCluster } from './targets.ts';
import { l10n } from '../words/language.ts';

/** What extension.ts makes once and most commands work with. */
export interface CommandParts {
  register: RegisterCommand;
  registry: ClusterRegistry;
  reporter: ErrorReporter;
  security: Pick<Security, 'secrets' | 'opener'>;
  store: ClusterStore;
  targets: Targets;
  view: ClustersView;
  logger: Logger;
}

export interface ClusterCommandParts extends CommandParts {
  testLocks: Pick<TestLockRegistry, 'all' | 'endCluster'>;
  sandbox: SandboxCluster;
  recorders: Pick<Recorders, 'bytes' | 'stop' | 'delete'>;
  /** The questions about a cluster are loaded when they are asked. */
  load: () => Promise<{ askCluster: typeof askCluster }>;
}

function isUnopened(browser: ClusterBrowser): boolean {
  return browser.connection.state.kind === 'disconnected';
}

/** Why a recording is neither edited nor removed. */
function recordingOnly(): string {
  return l10n.t('A recording is in no setting. Close Recording takes it from the list.');
}

/** Clusters of the settings. @param none what to say when there is none */
function saved(none: string): WantedCluster {
  return { fits: ({ node }) => !isOfWindow(node.profile), none };
}

/** Keeps what was typed, in place of what servers may have refused. */
async function keepSecrets({ security }: CommandParts, id: string, typed: readonly TypedSecret[]): Promise<void> {
  for (const { purpose, secret } of typed) await security.secrets.keep(id, purpose, secret, true);
  const purposes = typed.map(({ purpose }) => purpose);
  security.opener.trust(id, purposes);
}

async function addCluster(parts: ClusterCommandParts): Promise<void> {
  const { load, registry, store, view } = parts;
  const { askCluster } = await load();
  const { answers, secrets } = await askCluster({
    title: l10n.t('Add Cluster'),
    initial: { name: '', connectString: '', environment: 'development' },
    taken: store.profiles.map(profile => profile.name),
    isKept: () => Promise.resolve(false),
  });
  const id = randomUUID();
  await store.add({ ...answers, id, lockRoots: ['/'] });
  await keepSecrets(parts, id, secrets);
  const browser = registry.get(id);
  if (browser !== undefined) await view.revealCluster(browser, false);
}

async function editCluster(parts: ClusterCommandParts, argument: unknown): Promise<void> {
  const { load, reporter, security, store, targets, testLocks } = parts;
  const title = l10n.t('Edit Cluster');
  const none = l10n.t('The sandbox has nothing to edit: it is in no setting, and ends with this window.');
  const browser = await targets.browser(argument, title, saved(none));
  const { profile } = browser.node;
  if (profile.isRecording === true) throw new NothingToDo(recordingOnly());
  if (profile.isSandbox === true) throw new NothingToDo(none);
  const wasOpened = !isUnopened(browser);
  const { id, lockRoots } = profile;
  const { askCluster } = await load();
  const { answers, secrets } = await askCluster({
    title,
    initial: profile,
    taken: store.profiles.filter(other => other.id !== id).map(other => other.name),
    isKept: async purpose => (await security.secrets.get(id, purpose)) !== undefined,
  });
  const edited = { ...answers, id, lockRoots };
  if (!(await confirmEdit(reporter, testLocks.all, profile, edited))) return;
  if (connectionKey(profile) !== connectionKey(edited)) await testLocks.endCluster(id);
  await store.replace(edited);
  const present = new Set(purposesOf(edited).map(purpose => secretKey(id, purpose)));
  await security.secrets.forget(
    id,
    purposesOf(profile).filter(purpose => !present.has(secretKey(id, purpose))),
  );
  await keepSecrets(parts, id, secrets);
  // The session that is open was made with the former secret.
  if (secrets.length > 0) await browser.disconnect();
  // After an edit of a cluster in use the person wants to see whether it connects.
  if (wasOpened && isUnopened(browser)) await openCluster(parts, browser);
}

async function removeCluster(parts: ClusterCommandParts, argument: unknown): Promise<void> {
  const { reporter, security, store, targets, testLocks } = parts;
  const none = l10n.t('The sandbox is in no setting: stop it instead.');
  const { profile } = (await targets.browser(argument, l10n.t('Remove Cluster'), saved(none))).node;
  if (profile.isRecording === true) throw new NothingToDo(recordingOnly());
  if (profile.isSandbox === true) return stopSandbox(parts);
  const recorded = await recordedBytes(parts, profile.id);
  if (!(await confirmRemoval(reporter, testLocks.all, profile, recorded))) return;
  await testLocks.endCluster(profile.id);
  if (recorded > 0) await deleteRecordings(parts, profile.id);
  await store.remove(profile.id);
  await security.secrets.forget(profile.id, purposesOf(profile));
}

/** Of its recordings. What cannot be read does not keep a cluster in the list. */
async function recordedBytes({ recorders, reporter }: ClusterCommandParts, id: string): Promise<number> {
  try {
    return await recorders.bytes(id);
  } catch (error) {
    reporter.report(error);
    return 0;
  }
}

/** Without the cluster no command would find them. */
async function deleteRecordings({ recorders, reporter }: ClusterCommandParts, id: string): Promise<void> {
  try {
    await recorders.stop(id);
    await recorders.delete(id);
  } catch (error) {
    reporter.report(error);
  }
}

async function connectCluster(parts: CommandParts, argument: unknown): Promise<void> {
  const closed = {
    fits: ({ node, connection }: ClusterBrowser) => node.time === undefined && !isOpen(connection.state),
    none: l10n.t('There is no cluster to connect: each is connected or connecting.'),
  };
  await openCluster(parts, await parts.targets.browser(argument, l10n.t('Connect'), closed));
}

async function openCluster({ targets, view }: CommandParts, browser: ClusterBrowser): Promise<void> {
  await view.revealCluster(browser, true);
  try {
    await targets.connected(browser);
  } catch (error) {
    // A failure to connect is a row of the cluster, with a retry: nothing to add.
    if (browser.connection.state.kind !== 'failed') throw error;
  }
}

async function disconnectCluster({ targets }: CommandParts, argument: unknown): Promise<void> {
  const open = {
    fits: ({ node, connection }: ClusterBrowser) => node.time === undefined && isOpen(connection.state),
    none: l10n.t('No cluster is connected.'),
  };
  await (await targets.browser(argument, l10n.t('Disconnect'), open)).disconnect();
}

/** Starts the sandbox, or finds the one that runs, and shows its locks. No question, and nothing is saved. */
async function trySandbox(parts: ClusterCommandParts): Promise<void> {
  const { registry, sandbox, targets } = parts;
  targets.requireTrust();
  const id = await withProgress(l10n.t('Starting the sandbox'), signal => {
    signal.addEventListener('abort', () => void sandbox.stop());
    return sandbox.start();
  });
  const browser = registry.get(id);
  // It may have been stopped meanwhile.
  if (browser !== undefined) await openCluster(parts, browser);
}

/** Ends the sandbox, and the test locks that are taken on it. */
async function stopSandbox({ reporter, sandbox, testLocks }: ClusterCommandParts): Promise<void> {
  if (sandbox.isOff) throw new NothingToDo(l10n.t('No sandbox is running.'));
  for (const profile of sandbox.profiles) {
    if (!(await confirmStop(reporter, testLocks.all, profile))) return;
  }
  await sandbox.stop();
}

async function copyConnectString({ targets }: CommandParts, argument: unknown): Promise<void> {
  const none = l10n.t('A recording has no connect string.');
  const live = { fits: ({ node }: ClusterBrowser) => node.time === undefined, none };
  const { profile } = (await targets.browser(argument, l10n.t('Copy Connect String'), live)).node;
  if (profile.isRecording === true) throw new NothingToDo(none);
  await vscode.env.clipboard.writeText(profile.connectString);
}

/** Add, edit, remove, connect, disconnect; the sandbox of this window. */
export function registerClusterCommands(parts: ClusterCommandParts): Disposable[] {
  const { register, sandbox } = parts;
  const publish = (): void => setContextKey(contextKeys.hasSandbox, sandbox.profiles.length > 0);
  publish();
  return [
    sandbox.onChange(publish),
    register(commandIds.trySandbox, () => trySandbox(parts)),
    register(commandIds.stopSandbox, () => stopSandbox(parts)),
    register(commandIds.copyConnectString, argument => copyConnectString(parts, argument)),
    register(commandIds.addCluster, () => addCluster(parts)),
    register(commandIds.editCluster, argument => editCluster(parts, argument)),
    register(commandIds.removeCluster, argument => removeCluster(parts, argument)),
    register(commandIds.connect, argument => connectCluster(parts, argument)),
    register(commandIds.disconnect, argument => disconnectCluster(parts, argument)),
  ];
}

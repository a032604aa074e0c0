import { randomUUID } from 'node:crypto';
import { l10n } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ClusterBrowser } from '../clusters/clusterBrowser.ts';
import type { ClusterRegistry } from '../clusters/clusterRegistry.ts';
import type { ClusterStore } from '../clusters/clusterStore.ts';
import { commandIds } from '../contributions.ts';
import type { ErrorReporter } from '../errorReporting.ts';
import { displayText } from '../text/displayText.ts';
import type { ClustersView } from '../tree/clustersView.ts';
import { askCluster } from './clusterQuestions.ts';
import type { RegisterCommand } from './registerCommand.ts';
import type { Targets } from './targets.ts';

/** What the commands of the Clusters view work with. */
export interface CommandParts {
  register: RegisterCommand;
  registry: ClusterRegistry;
  reporter: ErrorReporter;
  store: ClusterStore;
  targets: Targets;
  view: ClustersView;
}

function isClosed(browser: ClusterBrowser): boolean {
  const { kind } = browser.connection.state;
  return kind === 'disconnected' || kind === 'failed';
}

async function addCluster({ registry, store, view }: CommandParts): Promise<void> {
  const taken = store.profiles.map(profile => profile.name);
  const empty = { name: '', connectString: '', environment: 'development' as const };
  const answers = await askCluster(l10n.t('Add Cluster'), empty, taken);
  const id = randomUUID();
  await store.add({ ...answers, id, lockRoots: ['/'] });
  const browser = registry.get(id);
  if (browser !== undefined) await view.revealCluster(browser, false);
}

async function editCluster({ store, targets }: CommandParts, argument: unknown): Promise<void> {
  const title = l10n.t('Edit Cluster');
  const { profile } = (await targets.browser(argument, title)).node;
  const taken = store.profiles.filter(other => other.id !== profile.id).map(other => other.name);
  await store.replace({ ...profile, ...(await askCluster(title, profile, taken)) });
}

async function removeCluster({ reporter, store, targets }: CommandParts, argument: unknown): Promise<void> {
  const { profile } = (await targets.browser(argument, l10n.t('Remove Cluster'))).node;
  const isSure = await reporter.confirm(
    l10n.t('Remove the cluster "{0}" from the list?', displayText(profile.name)),
    l10n.t('Nothing is changed in ZooKeeper.'),
    l10n.t('Remove'),
  );
  if (isSure) await store.remove(profile.id);
}

async function connectCluster({ reporter, targets, view }: CommandParts, argument: unknown): Promise<void> {
  const browser = await targets.browser(argument, l10n.t('Connect'), isClosed);
  await view.revealCluster(browser, true);
  try {
    await targets.connected(browser, text => reporter.inform(text));
  } catch (error) {
    // A failure to connect is a row of the cluster, with a retry: nothing to add.
    if (browser.connection.state.kind !== 'failed') throw error;
  }
}

async function disconnectCluster({ targets }: CommandParts, argument: unknown): Promise<void> {
  const browser = await targets.browser(argument, l10n.t('Disconnect'), candidate => !isClosed(candidate));
  await browser.disconnect();
}

/** Add, edit, remove, connect, disconnect. */
export function registerClusterCommands(parts: CommandParts): Disposable[] {
  const { register } = parts;
  return [
    register(commandIds.addCluster, () => addCluster(parts)),
    register(commandIds.editCluster, argument => editCluster(parts, argument)),
    register(commandIds.removeCluster, argument => removeCluster(parts, argument)),
    register(commandIds.connect, argument => connectCluster(parts, argument)),
    register(commandIds.disconnect, argument => disconnectCluster(parts, argument)),
  ];
}

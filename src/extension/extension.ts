import * as vscode from 'vscode';
import { DisposableStore, toDisposable } from '../base/disposable.ts';
import type { ZooKeeperLocksApi } from '../app/api/api.ts';
import { ClusterStore } from '../app/clusters/clusterStore.ts';
import { registerApi } from './commands/registerApi.ts';
import { registerBlockers } from './commands/registerBlockers.ts';
import { ClusterList } from './commands/clusterList.ts';
import { registerClusterCommands } from './commands/clusterCommands.ts';
import { registerCopyCommands } from './commands/copyCommands.ts';
import { registerLockCommands } from './commands/lockCommands.ts';
import { commandRegistrar } from './platform/commands.ts';
import { Targets } from './commands/targets.ts';
import { registerPanels, registerViewCommands } from './commands/viewCommands.ts';
import { registerDiagnosis } from './commands/registerDiagnosis.ts';
import { channelLogger, ErrorReporter } from './platform/errorReporting.ts';
import { registerIncidents, versionOf } from './commands/registerIncidents.ts';
import { registerRecorder } from './commands/registerRecorder.ts';
import { registerRecordings } from './commands/registerRecordings.ts';
import { registerTools } from './commands/registerTools.ts';
import { registerLanguage } from './scenarios/registerLanguage.ts';
import { registerScenarios } from './scenarios/registerScenarios.ts';
import { ReadOnlyTexts } from './platform/readOnlyTexts.ts';
import type { SessionOpenerParts } from '../app/security/sessionOpener.ts';
import { registerClusterFileCommands } from './commands/clusterFileCommands.ts';
import { registerReconnect } from './commands/reconnectCommands.ts';
import { registerSecurity } from './commands/registerSecurity.ts';
import { onSettingsChange, readSettings, writeClusters } from './platform/settings.ts';
import { ClustersView } from './views/clustersView.ts';
import { registerTestLocks } from './commands/testLockCommands.ts';
import { registerRowDecorations } from './views/row.ts';
import { ViewState } from '../app/clusters/viewState.ts';

/** What `deactivate` has to end, and what must outlive `activate` for it: VS Code does not wait for `context.subscriptions`. */
const closers = new Set<() => Promise<void>>();

/** Wires the parts together. Nothing is connected here. @returns what other extensions may use */
export function activate(context: vscode.ExtensionContext): ZooKeeperLocksApi {
  const owned = new DisposableStore();
  context.subscriptions.push(toDisposable(() => owned.dispose()));
  const log = owned.add(vscode.window.createOutputChannel(vscode.l10n.t('ZooKeeper Locks'), { log: true }));
  const logger = channelLogger(log);
  const reporter = new ErrorReporter(logger);

  const setting = { read: () => readSettings().clusters, write: writeClusters, onChange: onSettingsChange };
  const store = owned.add(new ClusterStore(setting, logger));
  const state = owned.add(new ViewState(logger));
  const loadFirst = async () => (await import('./firstLook.ts')).firstLook;
  const load = async () => (await import('./onDemand.ts')).onDemand;
  const connect: SessionOpenerParts['connect'] = async (...request) => (await loadFirst()).openSession(...request);
  const security = owned.add(registerSecurity(context.secrets, connect, { store, reporter, logger }));
  const endLocks = (id: string): Promise<void> => testLocks.endCluster(id);
  const list = owned.add(new ClusterList({ store, state, opener: security.opener, endLocks, loadFirst, load, logger }));
  const { registry, sandbox, recordings, recorders: deferred, marks, openSession } = list;
  const view = owned.add(new ClustersView(registry, store, state, marks));
  owned.add(registerRowDecorations());

  const targets = new Targets(registry, view, reporter);
  view.onSelect(() => targets.look(() => undefined));
  const register = commandRegistrar(reporter);
  const { extensionUri, globalState: storage, globalStorageUri: storageUri, workspaceState: memory } = context;
  const texts = owned.add(new ReadOnlyTexts());
  const shared = { register, registry, reporter, security, store, targets, view, state, marks, recordings };
  const parts = { ...shared, extensionUri, storage, storageUri, memory, loadFirst, load, logger };
  const ownLocks = owned.add(registerTestLocks({ ...parts, openSession }));
  const { testLocks } = ownLocks;
  const { recorders } = owned.add(registerRecorder({ ...parts, deferred }));
  const closeSessions = (): Promise<unknown> => Promise.all([testLocks.close(), registry.close()]);
  closers.add(() =>
    recorders
      .close()
      .then(closeSessions)
      .then(() => list.close()),
  );
  const { rankings } = owned.add(registerBlockers(parts));
  const commands = [
    ...registerClusterCommands({ ...parts, testLocks, sandbox, recorders }),
    ...registerLockCommands(parts),
    ...registerCopyCommands(parts),
    ...registerViewCommands(register, state, log),
    ...registerClusterFileCommands(parts),
    registerReconnect(parts),
    registerDiagnosis({ ...parts, ownLocks, texts }),
    registerTools({ ...parts, rankings }),
    registerScenarios({ ...parts, testLocks }),
    registerRecordings({ ...parts, recorders, texts }),
    registerIncidents({ ...parts, recorders, texts, version: versionOf(context.extension) }),
    registerLanguage(parts),
    ...registerPanels({ ...parts, recorders, ownLocks, rankings }),
  ];
  for (const command of commands) owned.add(command);
  return owned.add(registerApi({ ...parts, testLocks })).api;
}

/** Ends watches and sessions in order, so that the servers need not wait for them to expire. */
export async function deactivate(): Promise<void> {
  const closing = [...closers].map(close => close());
  closers.clear();
  await Promise.all(closing);
}

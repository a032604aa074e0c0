import * as vscode from 'vscode';
import { DisposableStore, toDisposable } from '../base/disposable.ts';
import type { ZooKeeperLocksApi } from '../app/api/api.ts';
import { ClusterStore } from '../app/clusters/clusterStore.ts';
import { ClusterRegistry } from '../app/clusters/clusterRegistry.ts';
import { monotonicNow } from '../base/deadline.ts';
import { callLater } from '../base/timer.ts';
import { registerApi } from './commands/registerApi.ts';
import { registerClusterCommands } from './commands/clusterCommands.ts';
import { registerCopyCommands } from './commands/copyCommands.ts';
import { registerLockCommands } from './commands/lockCommands.ts';
import { commandRegistrar } from './platform/commands.ts';
import { Targets } from './commands/targets.ts';
import { registerPanels, registerViewCommands } from './commands/viewCommands.ts';
import { DeferredMarks } from '../app/clusters/marks.ts';
import { registerDiagnosis } from './commands/registerDiagnosis.ts';
import { channelLogger, ErrorReporter } from './platform/errorReporting.ts';
import { SandboxCluster } from '../app/sandbox/sandboxCluster.ts';
import type { SessionOpenerParts } from '../app/security/sessionOpener.ts';
import type { ClusterProfile } from '../app/clusters/clusterProfile.ts';
import { registerClusterFileCommands } from './commands/clusterFileCommands.ts';
import { registerReconnect } from './commands/reconnectCommands.ts';
import { registerSecurity } from './commands/registerSecurity.ts';
import { CurrentSettings, onSettingsChange, readSettings, writeClusters } from './platform/settings.ts';
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
  const load = async () => (await import('./onDemand.ts')).onDemand;
  const connect: SessionOpenerParts['connect'] = async (...request) => (await load()).openSession(...request);
  const security = owned.add(registerSecurity(context.secrets, connect, { store, reporter, logger }));
  const openSession = (profile: ClusterProfile, signal: AbortSignal) => security.opener.open(profile, signal);
  const marks = new DeferredMarks();
  const settings = owned.add(new CurrentSettings());
  const run = async (signal: AbortSignal) => (await load()).runSandbox(logger, signal);
  const endLocks = (id: string): Promise<void> => testLocks.endCluster(id);
  const sandbox = owned.add(new SandboxCluster({ name: vscode.l10n.t('Sandbox'), run, endLocks, logger }));
  const registry = new ClusterRegistry([store, sandbox], {
    openSession,
    loadInspector: async () => {
      const parts = await load();
      marks.follow(new parts.QueueMarks(() => settings.value, monotonicNow));
      return parts;
    },
    maxSearchedNodes: () => readSettings().maxSearchedNodes,
    budget: { used: 0, limit: () => readSettings().maxWatchedLocks },
    filter: () => state.filter,
    schedule: callLater,
    now: monotonicNow,
    wallNow: () => Date.now(),
    logger,
  });
  const view = owned.add(new ClustersView(registry, store, state, marks));
  owned.add(registerRowDecorations());

  const targets = new Targets(registry, view, reporter);
  view.onSelect(() => targets.look(() => undefined));
  const register = commandRegistrar(reporter);
  const { extensionUri, globalState: storage, globalStorageUri: storageUri, workspaceState: memory } = context;
  const shared = { register, registry, reporter, security, store, targets, view, state, marks };
  const parts = { ...shared, extensionUri, storage, storageUri, memory, load, logger };
  const ownLocks = owned.add(registerTestLocks({ ...parts, openSession }));
  const { testLocks } = ownLocks;
  closers.add(() => Promise.all([testLocks.close(), registry.close()]).then(() => sandbox.stop()));
  const commands = [
    ...registerClusterCommands({ ...parts, testLocks, sandbox }),
    ...registerLockCommands(parts),
    ...registerCopyCommands(parts),
    ...registerViewCommands(register, state, log),
    ...registerClusterFileCommands(parts),
    registerReconnect(parts),
    registerDiagnosis({ ...parts, ownLocks }),
    ...registerPanels({ ...parts, ownLocks }),
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

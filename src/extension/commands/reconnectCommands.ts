import { workspace } from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { FormerConnections, type ConnectionMemory } from '../../app/clusters/formerConnections.ts';
import { purposesOf } from '../../app/security/clusterSecrets.ts';
import { commandIds, contextKeys } from '../platform/contributions.ts';
import { setContextKey } from '../platform/commands.ts';
import { NothingToDo } from '../platform/errorReporting.ts';
import { readSettings } from '../platform/settings.ts';
import type { CommandParts } from './clusterCommands.ts';
import { l10n } from '../words/language.ts';

/** *Reconnect All*, and the setting that does it at the start. Nothing is connected before the workspace is trusted. */
export function registerReconnect({
  register,
  registry,
  view,
  memory,
}: Pick<CommandParts, 'register' | 'registry' | 'view'> & { memory: ConnectionMemory }): Disposable {
  const owned = new DisposableStore();
  const former = owned.add(new FormerConnections(registry, memory, () => publish()));
  const publish = (): void => {
    const { length } = former.waiting;
    setContextKey(contextKeys.canReconnect, length > 0);
    // Buttons of a view are seen only by those who point at its title.
    view.remark = length === 0 ? '' : l10n.t('connected before: {0}', length);
  };
  publish();
  const open = async (browser: ClusterBrowser): Promise<void> => {
    view.expandCluster(browser);
    await browser.connect();
  };
  /** Clusters that may ask for a password are connected one after the other. */
  const reconnect = async (browsers: readonly ClusterBrowser[]): Promise<void> => {
    const asks = ({ node }: ClusterBrowser): boolean => purposesOf(node.profile).length > 0;
    const silent = browsers.filter(browser => !asks(browser)).map(open);
    for (const browser of browsers.filter(asks)) await open(browser);
    await Promise.all(silent);
  };
  owned.add(
    register(commandIds.reconnectAll, async () => {
      if (former.waiting.length === 0) throw new NothingToDo(l10n.t('No cluster waits to be connected again.'));
      await reconnect(former.waiting);
    }),
  );
  const atStart = (): void => {
    if (readSettings().reconnectOnStartup && workspace.isTrusted) void reconnect(former.waiting);
  };
  const trusted = workspace.onDidGrantWorkspaceTrust(atStart);
  owned.add(toDisposable(() => void trusted.dispose()));
  atStart();
  return owned;
}

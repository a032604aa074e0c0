import * as vscode from 'vscode';
import { RowGone } from '../../app/clusters/clusterErrors.ts';
import type { ViewState } from '../../app/clusters/viewState.ts';
import { gatherOwners, gatherOwnersAndWatches } from '../../app/owners/gatherFacts.ts';
import { rowOfQueue } from '../../app/panel/savedLock.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { SessionActions } from '../panel/sessionPanel.ts';
import { commandIds } from '../platform/contributions.ts';
import { withProgress } from '../platform/withProgress.ts';
import { l10n } from '../words/language.ts';
import type { CommandParts } from './clusterCommands.ts';
import { ownerQueryOptions } from './ownerQuery.ts';

interface SessionActionParts extends Pick<CommandParts, 'registry' | 'targets' | 'reporter' | 'security' | 'view'> {
  state: ViewState;
}

/** What session pages do by means of VS Code and the cluster's browsing session. */
export function sessionActions(parts: SessionActionParts): Omit<SessionActions, 'showSession'> {
  const { registry, targets, reporter, state, view } = parts;
  return {
    copy: async text => vscode.env.clipboard.writeText(text),
    showQueue: async (cluster, lock) => {
      const row = rowOfQueue(registry, cluster, { ...lock, dialect: 'generic' });
      await vscode.commands.executeCommand(commandIds.showQueue, row);
    },
    lookForOwners: cluster => {
      const client = registry.get(cluster.id)?.connection.client;
      return client && gatherOwners(cluster, client, ownerQueryOptions(parts)).then(owners => ({ owners }));
    },
    askServers: async cluster => {
      const client = await targets.client(targets.browserOf(cluster));
      return withProgress(l10n.t('Asking the servers'), async signal => {
        const found = await gatherOwnersAndWatches(cluster, client, ownerQueryOptions(parts), signal);
        if (signal.aborted) throw new CancelledError('Asking the servers');
        return found;
      });
    },
    connect: async id => {
      const browser = registry.get(id);
      if (browser === undefined) throw new RowGone();
      state.paused = false;
      view.expandCluster(browser);
      await targets.connected(browser);
    },
    openRow: id => {
      const browser = registry.get(id);
      if (browser !== undefined) view.expandCluster(browser);
    },
    report: error => reporter.report(error),
  };
}

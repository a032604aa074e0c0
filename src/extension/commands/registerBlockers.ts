import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { onceDone } from '../../base/onceDone.ts';
import type { BlockerRow } from '../../app/blockers/blockerRows.ts';
import type { ClusterRankings } from '../../app/blockers/rankedCluster.ts';
import { commandIds, viewIds } from '../platform/contributions.ts';
import type { BlockersView, BlockersViewParts } from '../views/blockersView.ts';
import type { CommandParts } from './clusterCommands.ts';

interface BlockersCode {
  BlockersView: typeof BlockersView;
  ClusterRankings: typeof ClusterRankings;
}

type BlockersParts = Pick<CommandParts, 'register' | 'targets'> &
  Pick<BlockersViewParts, 'registry' | 'marks' | 'state' | 'logger'> & { loadFirst: () => Promise<BlockersCode> };

/** The Blockers view. VS Code asks for its rows once a cluster was connected; its code is loaded then. */
export function registerBlockers(parts: BlockersParts): Disposable & { rankings: () => Promise<ClusterRankings> } {
  const { register, targets, loadFirst } = parts;
  const owned = new DisposableStore();
  const changed = owned.add(new vscode.EventEmitter<BlockerRow[] | undefined>());
  const rankings = onceDone(async () => new (await loadFirst()).ClusterRankings());
  const rows = onceDone(async (): Promise<BlockersView> => {
    const { BlockersView: Rows } = await loadFirst();
    return owned.add(new Rows({ ...parts, view, rankings: await rankings(), redraw: rows => changed.fire(rows) }));
  });
  const view = owned.add(
    vscode.window.createTreeView<BlockerRow>(viewIds.blockers, {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: async row => (await rows()).getChildren(row),
        getTreeItem: async row => (await rows()).getTreeItem(row),
        getParent: async row => (await rows()).getParent(row),
      },
    }),
  );
  // A row stands for the one lock that it names, and for no node: commands on nodes do not take it.
  targets.alsoTake(row => ('lock' in row && String(row.type).startsWith('blocker') ? row.lock : undefined));
  owned.add(register(commandIds.showMoreBlockers, async row => (await rows()).showMore(row)));
  return { rankings, dispose: () => owned.dispose() };
}

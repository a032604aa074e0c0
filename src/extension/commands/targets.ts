import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { unlessAborted } from '../../base/unlessAborted.ts';
import { CancelledError } from '../../zookeeper/errors.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { NoClusterError, RowGone } from '../../app/clusters/clusterErrors.ts';
import { withProgress } from '../platform/withProgress.ts';
import { NothingToDo } from '../platform/nothingToDo.ts';
import { displayText } from '../../base/displayText.ts';
import { useText } from '../words/clusterUseText.ts';
import type { ClustersView } from '../views/clustersView.ts';
import { clusterOf, type TreeNode } from '../../app/clusters/clusterModel.ts';
import { askChoice, valueOf } from '../dialogs/quickInput.ts';

const nodeTypes: ReadonlySet<unknown> = new Set<TreeNode['type']>([
  'cluster',
  'lock',
  'contender',
  'stranger',
  'hazard',
  'more',
  'message',
]);

/** Finds out what a command is about: the row it was called on, the selected row, or what the person picks. */
export class Targets {
  private readonly registry: ClusterRegistry;
  private readonly view: ClustersView;

  constructor(registry: ClusterRegistry, view: ClustersView) {
    this.registry = registry;
    this.view = view;
  }

  /**
   * The row that was passed, if it is one of ours: anybody may call a command with anything.
   *
   * @throws RowGone when its cluster was removed, even if it was added again
   */
  row(argument: unknown): TreeNode | undefined {
    if (typeof argument !== 'object' || argument === null) return undefined;
    if (!nodeTypes.has((argument as { type?: unknown }).type)) return undefined;
    const node = argument as TreeNode;
    const cluster = clusterOf(node);
    if (this.registry.get(cluster.id)?.node !== cluster) throw new RowGone();
    return node;
  }

  /** The row that was passed; the selected one only if none was. @throws RowGone */
  rowOrSelected(argument: unknown): TreeNode | undefined {
    return this.row(argument === undefined ? this.view.selected : argument);
  }

  browserOf(node: TreeNode): ClusterBrowser | undefined {
    return this.registry.get(clusterOf(node).id);
  }

  /**
   * The cluster of the row that was passed, else the one the person picks among those that fit; a single one is not asked
   * for.
   *
   * @param wanted which ones fit, and what to say when none does
   * @throws NoClusterError when there is none yet; NothingToDo when none fits; CancelledError when none is picked;
   * RowGone
   */
  async browser(
    argument: unknown,
    title: string,
    wanted?: { fits: (browser: ClusterBrowser) => boolean; none: string },
  ): Promise<ClusterBrowser> {
    const node = this.row(argument);
    const given = node === undefined ? undefined : this.browserOf(node);
    if (given !== undefined) return given;
    const fitting = this.registry.all.filter(browser => wanted?.fits(browser) ?? true);
    const [first] = fitting;
    if (this.registry.all.length === 0) throw new NoClusterError();
    if (first === undefined) throw new NothingToDo(wanted?.none ?? '');
    if (fitting.length === 1) return first;
    return valueOf(
      await askChoice({
        title,
        placeholder: l10n.t('Which cluster?'),
        choices: fitting.map(browser => ({
          label: displayText(browser.node.profile.name),
          description: useText(browser.node.profile),
          value: browser,
        })),
      }),
    );
  }

  /**
   * Connects if needed, since the person asked for something that needs it. Shows progress that can be cancelled: the view
   * with the cluster's row may be closed.
   *
   * @throws the cause when that fails; CancelledError when it is stopped, and in an untrusted workspace, after saying why
   */
  async connected(browser: ClusterBrowser, sayUntrusted: (text: string) => void): Promise<ClusterBrowser> {
    if (!vscode.workspace.isTrusted) {
      sayUntrusted(l10n.t('Trust this workspace first: no connection is made in restricted mode.'));
      throw new CancelledError('Connecting');
    }
    const name = displayText(browser.node.profile.name);
    await withProgress(l10n.t('Connecting to {0}', name), signal => connectUnlessAborted(browser, signal));
    const { state } = browser.connection;
    if (state.kind === 'failed') throw state.error;
    if (state.kind === 'disconnected') throw new CancelledError('Connecting');
    return browser;
  }
}

/** @throws CancelledError at once when aborted */
async function connectUnlessAborted(browser: ClusterBrowser, signal: AbortSignal): Promise<void> {
  try {
    await unlessAborted(browser.connect(), signal, () => new CancelledError('Connecting'));
  } catch (error) {
    // Only a first connection is given up: a lost session is being replaced, and its rows would go with it.
    if (signal.aborted && browser.connection.state.kind === 'connecting') void browser.disconnect();
    throw error;
  }
}

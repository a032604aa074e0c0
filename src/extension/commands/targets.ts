import * as vscode from 'vscode';
import { connectUnlessAborted } from '../../app/clusters/connectUnlessAborted.ts';
import type { ZooKeeperClient } from '../../zookeeper/client.ts';
import { CancelledError, NotConnectedError } from '../../zookeeper/errors.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import { NoClusterError, RowGone } from '../../app/clusters/clusterErrors.ts';
import { type ErrorReporter, NothingToDo } from '../platform/errorReporting.ts';
import { withProgress } from '../platform/withProgress.ts';
import { displayText } from '../../base/displayText.ts';
import type { ClustersView } from '../views/clustersView.ts';
import {
  asTreeNode,
  clusterOf,
  type ContenderNode,
  type LockNode,
  type TreeNode,
} from '../../app/clusters/clusterModel.ts';
import { askWhichCluster } from '../dialogs/whichCluster.ts';
import { valueOf } from '../dialogs/quickInput.ts';
import { l10n } from '../words/language.ts';

/** Which clusters fit a command, and the message when none does. */
export interface WantedCluster {
  fits: (browser: ClusterBrowser) => boolean;
  none: string;
}

/** Clusters that are not marked read-only. */
export function writable(none: string): WantedCluster {
  return { fits: ({ node }) => node.profile.readOnly !== true, none };
}

/** Which row or cluster a command is about: the row it was called on, the selected row, or what the person picks. */
export class Targets {
  private readonly registry: ClusterRegistry;
  private readonly view: ClustersView;
  private readonly reporter: Pick<ErrorReporter, 'inform'>;
  /** The lock of the panel that came to the front after the last row was selected. */
  private front: () => LockNode | undefined = () => undefined;
  /** What a row of another view stands for. */
  private other: (row: { type: unknown }) => unknown = () => undefined;

  constructor(registry: ClusterRegistry, view: ClustersView, reporter: Pick<ErrorReporter, 'inform'>) {
    this.registry = registry;
    this.view = view;
    this.reporter = reporter;
  }

  /** The person looks at the panel of this lock, until a row is selected. @param lock `undefined` when it is no longer in front */
  look(lock: () => LockNode | undefined): void {
    this.front = lock;
  }

  /** Rows of another view are taken, too. @param read the row of the Clusters view that one stands for; anything else is none */
  alsoTake(read: (row: { type: unknown }) => unknown): void {
    this.other = read;
  }

  /**
   * The lock of the panel that the person looks at; `undefined` when a row was passed or is looked at, and when the cluster of the
   * panel was removed.
   */
  lockInFront(argument: unknown): LockNode | undefined {
    const lock = argument === undefined ? this.front() : undefined;
    return lock !== undefined && this.registry.get(lock.cluster.id)?.node === lock.cluster ? lock : undefined;
  }

  /**
   * The row that was passed, if it is a row of the Clusters view or stands for one: other extensions may call a command with any argument.
   *
   * @throws NothingToDo for `null`, the row of a menu that was redrawn meanwhile: nothing else is taken in its place; RowGone
   *   when its cluster was removed, even if it was added again
   */
  row(argument: unknown): TreeNode | undefined {
    if (argument === null) throw new NothingToDo(l10n.t('The row has changed meanwhile. Choose the command again.'));
    const node = asTreeNode(argument) ?? this.lockOfOther(argument);
    if (node === undefined) return undefined;
    const cluster = clusterOf(node);
    if (this.registry.get(cluster.id)?.node !== cluster) throw new RowGone();
    return node;
  }

  private lockOfOther(argument: unknown): TreeNode | undefined {
    const hasType = typeof argument === 'object' && argument !== null && 'type' in argument;
    return hasType ? asTreeNode(this.other(argument)) : undefined;
  }

  /** The row that was passed; the selected one only if none was. @throws RowGone */
  rowOrSelected(argument: unknown): TreeNode | undefined {
    return this.row(argument === undefined ? this.view.selected : argument);
  }

  /**
   * The lock of the row that was passed; without one that of the panel or of the row that the person looked at last.
   *
   * @throws NothingToDo for other rows and for none; RowGone
   */
  lock(argument: unknown): LockNode {
    const row = this.rowOrSelected(argument === undefined ? this.front() : argument);
    if (row?.type === 'lock') return row;
    if (row?.type === 'contender') return row.lock;
    throw new NothingToDo(l10n.t('Select a lock in the Clusters view first, or open its queue.'));
  }

  /** The holder or waiter whose row was passed or is selected. @throws NothingToDo for other rows and for none; RowGone */
  contender(argument: unknown): ContenderNode {
    const row = this.rowOrSelected(argument);
    if (row?.type === 'contender') return row;
    throw new NothingToDo(l10n.t('Select a holder or waiter in the Clusters view first.'));
  }

  /** The cluster of a row. @throws RowGone when it was removed */
  browserOf(node: TreeNode): ClusterBrowser {
    const browser = this.registry.get(clusterOf(node).id);
    if (browser === undefined) throw new RowGone();
    return browser;
  }

  /**
   * The cluster of the row that was passed, else the one the person picks among those that fit; a single one is taken
   * without a question.
   *
   * @throws NoClusterError when there is none; NothingToDo when none fits; CancelledError when none is picked; RowGone
   */
  async browser(argument: unknown, title: string, wanted?: WantedCluster): Promise<ClusterBrowser> {
    const node = this.row(argument);
    if (node !== undefined) return this.browserOf(node);
    const fitting = this.fitting(wanted);
    const [first] = fitting;
    return first !== undefined && fitting.length === 1 ? first : valueOf(await askWhichCluster({ title }, fitting));
  }

  /** The clusters that fit, one at least. @throws NoClusterError when there is none; NothingToDo when none fits */
  fitting(wanted?: WantedCluster): readonly ClusterBrowser[] {
    const { all } = this.registry;
    if (all.length === 0) throw new NoClusterError();
    const fitting = all.filter(browser => wanted?.fits(browser) ?? true);
    if (fitting.length === 0) throw new NothingToDo(wanted?.none ?? '');
    return fitting;
  }

  /** @throws CancelledError in an untrusted workspace, after a message */
  requireTrust(): void {
    if (vscode.workspace.isTrusted) return;
    this.reporter.inform(l10n.t('Trust this workspace first: no connection is made in restricted mode.'));
    throw new CancelledError('Connecting');
  }

  /**
   * Connects if needed. Shows progress that can be cancelled, since the view with the cluster's row may be closed.
   *
   * @throws the cause when that fails; CancelledError when it is stopped, and in an untrusted workspace, after a message
   */
  async connected(browser: ClusterBrowser): Promise<ClusterBrowser> {
    this.requireTrust();
    const name = displayText(browser.node.profile.name);
    await withProgress(l10n.t('Connecting to {0}', name), signal => connectUnlessAborted(browser, signal));
    const { state } = browser.connection;
    if (state.kind === 'failed') throw state.error;
    if (state.kind === 'disconnected') throw new CancelledError('Connecting');
    return browser;
  }

  /** The browsing session of a cluster, opened if needed. @throws what `connected` does; NotConnectedError */
  async client(browser: ClusterBrowser): Promise<ZooKeeperClient> {
    const { client } = (await this.connected(browser)).connection;
    if (client === undefined) throw new NotConnectedError('readQueues', '/', 'there is no session');
    return client;
  }
}

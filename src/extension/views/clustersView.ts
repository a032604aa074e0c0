import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ClusterBrowser } from '../../app/clusters/clusterBrowser.ts';
import { isOpen } from '../../app/clusters/clusterConnection.ts';
import type { ClusterRegistry } from '../../app/clusters/clusterRegistry.ts';
import type { ClusterStore } from '../../app/clusters/clusterStore.ts';
import { NewLocks } from '../../app/clusters/newLocks.ts';
import { contextKeys, viewIds } from '../platform/contributions.ts';
import { setContextKey } from '../platform/commands.ts';
import { onSettingsChange } from '../platform/settings.ts';
import { callEvery, callLater } from '../../base/timer.ts';
import type { MarkSource } from '../../app/clusters/marks.ts';
import type { Pacer } from '../../base/pacer.ts';
import { MissedDraws } from './missedDraws.ts';
import { treePacer } from './treePacer.ts';
import { childrenOf } from '../../app/clusters/childRows.ts';
import { DirectoryTrees } from '../../app/clusters/directories.ts';
import { LockRows } from '../../app/clusters/lockRows.ts';
import { contenderTooltip } from './contenderRow.ts';
import { deniedTooltip } from './messageRow.ts';
import {
  clusterOf,
  hasSession,
  nodeId,
  parentOf,
  type ClusterNode,
  type LockNode,
  type TreeNode,
  drawnRows,
  matchesFilter,
  matchingLocks,
  shownLocks,
} from '../../app/clusters/clusterModel.ts';
import { joined } from '../words/language.ts';
import { rowText, toTreeItem } from './treeItems.ts';
import { countTrouble, isInTrouble } from '../../app/clusters/trouble.ts';
import { TreeSelection } from './treeSelection.ts';
import { troubleBadge, viewDescription, viewMessage } from './viewTexts.ts';
import type { ViewState } from '../../app/clusters/viewState.ts';

/** How often the view checks for changed ages and for new locks. */
const lookEveryMs = 10_000;

/** The Clusters view: draws the rows of the cluster browsers and reports to them what is visible. */
export class ClustersView implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly onDidChangeTreeData: vscode.Event<TreeNode[] | undefined>;
  private readonly owned = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  private readonly changes: Pacer<ClusterNode | LockNode | undefined>;
  private readonly missed: MissedDraws<TreeNode>;
  private readonly view: vscode.TreeView<TreeNode>;
  private readonly selection: TreeSelection<TreeNode>;
  private readonly registry: ClusterRegistry;
  private readonly store: ClusterStore;
  private readonly state: ViewState;
  private readonly marks: MarkSource;
  /** By `nodeId`, since VS Code forgets what was open among rows that a filter hid. */
  private readonly expanded = new Set<string>();
  private readonly lockRows = new LockRows(row => rowText(row, Date.now(), this.marks));
  private readonly directories = new DirectoryTrees();
  private readonly newLocks = new NewLocks();
  private shownRemark = '';

  constructor(registry: ClusterRegistry, store: ClusterStore, state: ViewState, marks: MarkSource) {
    this.registry = registry;
    this.store = store;
    this.state = state;
    this.marks = marks;
    this.onDidChangeTreeData = this.changed.event;
    this.owned.add(this.changed);
    this.changes = this.owned.add(treePacer(changes => this.draw(changes)));
    this.missed = this.owned.add(new MissedDraws({ again: rows => this.drawAgain(rows), schedule: callLater }));
    this.view = vscode.window.createTreeView(viewIds.clusters, { treeDataProvider: this, showCollapseAll: true });
    this.owned.add(this.view);
    this.selection = this.owned.add(new TreeSelection(this.view));
    this.owned.add(this.view.onDidExpandElement(({ element }) => this.setOpen(element, true)));
    this.owned.add(this.view.onDidCollapseElement(({ element }) => this.setOpen(element, false)));
    this.owned.add(this.view.onDidChangeVisibility(() => this.updateAttention()));
    this.owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.connectOpen()));
    this.owned.add(registry.onChange(() => this.touch(undefined)));
    this.owned.add(registry.onNodeChange(node => this.touch(node)));
    this.owned.add(state.onChange(() => this.applyState()));
    this.owned.add(onSettingsChange(() => this.touch(undefined)));
    this.owned.add(callEvery(() => this.lookAgain(), lookEveryMs));
    this.updateChrome();
  }

  /** A remark beside the title of the view; empty for none. */
  set remark(remark: string) {
    this.shownRemark = remark;
    this.updateChrome();
  }

  /** @param listener called when another row is selected */
  onSelect(listener: () => void): void {
    this.owned.add(
      this.view.onDidChangeSelection(({ selection }) => {
        if (selection.length > 0) listener();
      }),
    );
  }

  /** The row for commands without an argument. */
  get selected(): TreeNode | undefined {
    return this.selection.row;
  }

  getChildren(node?: TreeNode): TreeNode[] {
    this.missed.asked(node);
    return this.rowsBelow(node);
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    this.lockRows.noteDrawn(node);
    const drawn = toTreeItem(node, Date.now(), this.marks);
    if (this.isExpanded(node)) drawn.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    if (this.showsBelow(node)) this.missed.forgets(node);
    return drawn;
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.directories.above(node)[0] ?? parentOf(node);
  }

  /** Called on hover for a row without a tooltip: reads what the tooltip needs. */
  async resolveTreeItem(drawn: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    const client = this.registry.get(clusterOf(node).id)?.connection.client;
    if (node.type === 'message' && node.message.kind === 'denied') {
      drawn.tooltip = await deniedTooltip(client, node.message.paths);
    }
    if (node.type !== 'contender') return drawn;
    // After a failed read the tooltip is shorter; the row itself shows the state of the connection.
    const read = await client?.getData(node.contender.path).catch(() => undefined);
    const now = Date.now();
    const marks = this.marks.of(node.lock, now).of(node.contender);
    drawn.tooltip = contenderTooltip(node, now, read, marks);
    return drawn;
  }

  /** Marks a row as changed; `undefined` for the list of clusters. */
  touch(node: ClusterNode | LockNode | undefined): void {
    this.changes.add(node);
  }

  /** Expands a cluster's row without taking the focus; a hidden view stays hidden, and does it when it is shown. */
  expandCluster(browser: ClusterBrowser): void {
    const expand = (): void => {
      // VS Code's event of the expansion is lost when the whole tree is drawn meanwhile.
      this.setOpen(browser.node, true);
      // A row that is gone meanwhile is not expanded.
      this.view.reveal(browser.node, { select: false, focus: false, expand: true }).then(undefined, () => undefined);
    };
    if (this.view.visible) expand();
    else {
      const shown = this.view.onDidChangeVisibility(() => {
        shown.dispose();
        expand();
      });
      this.owned.add(shown);
    }
  }

  /** Selects a cluster's row and expands it on request. */
  async revealCluster(browser: ClusterBrowser, expand: boolean): Promise<void> {
    // VS Code finds a new row only after its change event.
    this.changes.flush();
    await this.view.reveal(browser.node, { select: true, focus: true, expand });
  }

  /** Selects and expands a lock's row; clears filters and opens pages that hide it. */
  async revealLock(browser: ClusterBrowser, lock: LockNode): Promise<void> {
    if (!matchesFilter(lock, this.state.filter)) this.state.filter = '';
    const { only } = this.state;
    if (only !== undefined && !isInTrouble(lock, only, this.marks, Date.now())) this.state.only = undefined;
    const place = matchingLocks(browser.node, this.state.filter).indexOf(lock);
    while (browser.node.lockLimit <= place) browser.showMoreLocks();
    this.changes.flush();
    // VS Code asks for the directories of the lock before it asks for the rows of the cluster again.
    this.rowsBelow(browser.node);
    await this.view.reveal(lock, { select: true, focus: true, expand: true });
  }

  dispose(): void {
    this.owned.dispose();
  }

  private rowsBelow(node: TreeNode | undefined): TreeNode[] {
    if (node === undefined) return this.registry.all.map(browser => browser.node);
    if (node.type === 'lock') return this.lockRows.give(node);
    const { filter, only } = this.state;
    const now = Date.now();
    const rows = childrenOf(node, {
      filter,
      trusted: vscode.workspace.isTrusted,
      ...(only === undefined ? {} : { passes: lock => isInTrouble(lock, only, this.marks, now) }),
    });
    return node.type === 'cluster' ? this.directories.arrange(node, rows, this.state.grouped) : rows;
  }

  private isExpanded(node: TreeNode): boolean {
    return this.expanded.has(nodeId(node));
  }

  private setOpen(node: TreeNode, isOpen: boolean): void {
    if (isOpen) this.expanded.add(nodeId(node));
    else this.expanded.delete(nodeId(node));
    if (node.type === 'cluster') {
      this.updateAttention();
      if (isOpen) this.connect(node.id);
    }
    // Expanding a row that is not live reads it again: neither a failure nor an old queue is cached.
    if (node.type === 'lock' && isOpen && !node.live) void this.registry.get(node.cluster.id)?.refresh(node.path);
  }

  private connect(id: string): void {
    const browser = this.registry.get(id);
    if (browser === undefined || !vscode.workspace.isTrusted) return;
    if (!isOpen(browser.connection.state)) void browser.connect();
  }

  private connectOpen(): void {
    for (const { node } of this.registry.all) if (this.isExpanded(node)) this.connect(node.id);
    this.touch(undefined);
  }

  private updateAttention(): void {
    for (const browser of this.registry.all) {
      const expanded = this.isExpanded(browser.node);
      browser.setAttention({ expanded, visible: this.view.visible, paused: this.state.paused });
    }
  }

  private applyState(): void {
    this.updateAttention();
    this.touch(undefined);
  }

  private lookAgain(): void {
    if (!this.view.visible || this.state.paused) return;
    for (const browser of this.registry.all) {
      if (!this.isExpanded(browser.node)) continue;
      // Only what time has changed is drawn.
      for (const lock of browser.node.locks.values()) if (this.lockRows.isDrawn(lock)) this.touch(lock);
      // A recording knows all its locks.
      if (browser.node.time === undefined) void this.newLocks.look(browser);
    }
  }

  private draw(changes: ReadonlySet<ClusterNode | LockNode | undefined>): void {
    this.updateChrome();
    if (changes.has(undefined)) {
      this.fire(undefined);
      return;
    }
    const { filter, only } = this.state;
    // With a filter by trouble a changed lock may appear or disappear, so its whole cluster is drawn again.
    const changed = only === undefined ? changes : new Set([...changes].map(node => node && clusterOf(node)));
    const clusters = this.registry.all.map(browser => browser.node);
    const rows = drawnRows(changed, clusters, filter).flatMap(node =>
      node.type === 'lock' ? this.lockRows.changed(node, this.directories.above(node)) : [node],
    );
    if (rows.length > 0) this.fire([...new Set(rows)]);
  }

  private fire(rows: TreeNode[] | undefined): void {
    if (rows === undefined && this.view.visible) this.missed.forgets(undefined);
    this.changed.fire(rows);
  }

  /** Whether rows below this one are on screen. @param row `undefined`: the view itself */
  private showsBelow(row: TreeNode | undefined): boolean {
    if (!this.view.visible || row === undefined) return this.view.visible;
    return [row, ...this.directories.above(row), clusterOf(row)].every(one => this.isExpanded(one));
  }

  /** A lock without another text would not be drawn, so its whole cluster is. */
  private drawAgain(rows: readonly (TreeNode | undefined)[]): void {
    for (const row of rows) if (this.showsBelow(row)) this.touch(row && clusterOf(row));
  }

  private updateChrome(): void {
    const clusters = this.registry.all.map(browser => browser.node);
    const isAnyConnected = this.registry.all.some(({ connection }) => connection.client !== undefined);
    const live = clusters.filter(({ profile }) => profile.isRecording !== true);
    const openOnes = live.filter(({ connection }) => isOpen(connection));
    setContextKey(contextKeys.hasClusters, clusters.length > 0);
    setContextKey(contextKeys.hasNoClusters, clusters.length === 0);
    setContextKey(contextKeys.hasConnection, isAnyConnected);
    setContextKey(contextKeys.showsBlockers, clusters.some(hasSession));
    setContextKey(contextKeys.hasOpenCluster, openOnes.length > 0);
    setContextKey(contextKeys.allOpen, openOnes.length === live.length);
    this.view.description = joined([this.shownRemark, viewDescription(this.state)]);
    // Setting the message counts as a change of the tree (see treePace), so it is set only if it differs.
    const message = viewMessage(this.store.refused);
    if (this.view.message !== message) this.view.message = message;
    const shown = clusters.filter(one => this.isExpanded(one)).flatMap(one => shownLocks(one, this.state.filter));
    this.view.badge = troubleBadge(countTrouble(shown, this.marks, Date.now()));
  }
}

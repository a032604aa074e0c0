import * as vscode from 'vscode';
import { monotonicNow } from '../../base/deadline.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { setContextKey } from '../platform/commands.ts';
import { contextKeys, viewIds } from '../platform/contributions.ts';
import { callEvery } from '../../base/timer.ts';
import type { Pacer } from '../../base/pacer.ts';
import { treePacer } from './treePacer.ts';
import { TreeSelection } from './treeSelection.ts';
import { drawRow } from './treeItems.ts';
import { isTimed, isWaiting, mayHold, type TestLock } from '../../app/testLocks/testLock.ts';
import type { LockLabel } from '../../app/clusters/clusterModel.ts';
import type { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import type { Row } from './row.ts';
import { testLockLabels, testLockRow, type Clocks } from './testLockRow.ts';

const tickMs = 1_000;

function clocks(): Clocks {
  return { now: monotonicNow(), epoch: Date.now() };
}

/** The Test Locks view: a flat list of what this window holds and waits for. */
export class TestLocksView implements vscode.TreeDataProvider<TestLock>, Disposable {
  readonly onDidChangeTreeData: vscode.Event<TestLock[] | undefined>;
  private readonly owned = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<TestLock[] | undefined>();
  private readonly changes: Pacer<TestLock>;
  private readonly view: vscode.TreeView<TestLock>;
  private readonly selection: TreeSelection<TestLock>;
  private readonly registry: TestLockRegistry;
  /** The description of each drawn row: a row is drawn again only if it differs. */
  private readonly drawn = new Map<TestLock, string>();
  /** Of the list as it was drawn last. */
  private labels = new Map<TestLock, LockLabel>();

  constructor(registry: TestLockRegistry) {
    this.registry = registry;
    this.onDidChangeTreeData = this.changed.event;
    this.owned.add(this.changed);
    this.changes = this.owned.add(treePacer(changes => this.draw(changes)));
    this.view = vscode.window.createTreeView(viewIds.testLocks, { treeDataProvider: this });
    this.owned.add(this.view);
    this.selection = this.owned.add(new TreeSelection(this.view));
    this.owned.add(registry.onChange(lock => this.changes.add(lock)));
    this.owned.add(callEvery(() => this.tick(), tickMs));
    this.updateChrome();
  }

  /** The row for commands without an argument. */
  get selected(): TestLock | undefined {
    return this.selection.row;
  }

  getChildren(lock?: TestLock): TestLock[] {
    if (lock !== undefined) return [];
    this.labels = testLockLabels(this.registry.all);
    return [...this.registry.all];
  }

  getParent(): undefined {
    return undefined;
  }

  getTreeItem(lock: TestLock): vscode.TreeItem {
    const row = this.rowOf(lock);
    this.drawn.set(lock, row.description);
    return drawRow(row, lock.id);
  }

  /** Opens the view and selects a row, without the focus. */
  async reveal(lock: TestLock): Promise<void> {
    this.changes.flush();
    if (!this.registry.has(lock)) return;
    try {
      await this.view.reveal(lock, { select: true, focus: false });
    } catch {
      // The lock ended meanwhile, or the user has hidden the view.
    }
  }

  dispose(): void {
    this.owned.dispose();
  }

  private tick(): void {
    this.registry.sync();
    if (!this.view.visible) return;
    for (const lock of this.registry.all) {
      if (this.rowOf(lock).description !== this.drawn.get(lock)) this.changes.add(lock);
    }
  }

  private rowOf(lock: TestLock): Row {
    const [path = ''] = lock.request.paths;
    return testLockRow(lock, this.labels.get(lock) ?? { name: path, directory: '/' }, clocks());
  }

  private draw(changes: ReadonlySet<TestLock>): void {
    this.updateChrome();
    const isListSame = [...changes].every(lock => this.registry.has(lock) && this.drawn.has(lock));
    for (const lock of this.drawn.keys()) {
      if (!this.registry.has(lock)) this.drawn.delete(lock);
    }
    this.changed.fire(isListSame ? [...changes] : undefined);
  }

  private updateChrome(): void {
    const { all } = this.registry;
    setContextKey(contextKeys.hasTestLocks, all.length > 0);
    setContextKey(contextKeys.holdsTestLocks, all.some(mayHold));
    setContextKey(contextKeys.waitsForTestLocks, all.some(isWaiting));
    setContextKey(contextKeys.hasTimedTestLocks, all.some(isTimed));
  }
}

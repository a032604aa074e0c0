import * as vscode from 'vscode';
import { monotonicNow } from '../../base/deadline.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import { setContextKey } from '../platform/commands.ts';
import { contextKeys, viewIds } from '../platform/contributions.ts';
import { callEvery, callLater } from '../../base/timer.ts';
import { Pacer } from '../../base/pacer.ts';
import { treePace } from './treePace.ts';
import { drawRow } from './treeItems.ts';
import { isTimed, isWaiting, mayHold, type TestLock } from '../../app/testLocks/testLock.ts';
import type { TestLockRegistry } from '../../app/testLocks/testLockRegistry.ts';
import { testLockRow, type Clocks } from './testLockRow.ts';

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
  private readonly registry: TestLockRegistry;
  /** What each row says now, so that it is drawn anew only when it says something else. */
  private readonly drawn = new Map<TestLock, string>();

  constructor(registry: TestLockRegistry) {
    this.registry = registry;
    this.onDidChangeTreeData = this.changed.event;
    this.own(this.changed);
    this.changes = this.owned.add(
      new Pacer({ ...treePace, call: changes => this.draw(changes), schedule: callLater, now: monotonicNow }),
    );
    this.view = vscode.window.createTreeView(viewIds.testLocks, { treeDataProvider: this });
    this.own(this.view);
    this.owned.add(registry.onChange(lock => this.changes.add(lock)));
    this.owned.add(callEvery(() => this.tick(), tickMs));
    this.updateChrome();
  }

  /** The row that commands without an argument mean. */
  get selected(): TestLock | undefined {
    return this.view.selection[0];
  }

  getChildren(lock?: TestLock): TestLock[] {
    return lock === undefined ? [...this.registry.all] : [];
  }

  getParent(): undefined {
    return undefined;
  }

  getTreeItem(lock: TestLock): vscode.TreeItem {
    const row = testLockRow(lock, clocks());
    this.drawn.set(lock, row.description);
    return drawRow(row, lock.id);
  }

  /** Opens the view at a row without taking the focus. */
  async reveal(lock: TestLock): Promise<void> {
    this.changes.flush();
    if (!this.registry.has(lock)) return;
    try {
      await this.view.reveal(lock, { select: true, focus: false });
    } catch {
      // The lock has gone meanwhile, or the person has hidden the view: there is nothing to show.
    }
  }

  dispose(): void {
    this.owned.dispose();
  }

  private own(subscription: { dispose(): unknown }): void {
    this.owned.add(toDisposable(() => void subscription.dispose()));
  }

  private tick(): void {
    this.registry.sync();
    if (!this.view.visible) return;
    for (const lock of this.registry.all) {
      if (testLockRow(lock, clocks()).description !== this.drawn.get(lock)) this.changes.add(lock);
    }
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

import type { Disposable } from '../../base/disposable.ts';

/** What is used of `vscode.TreeView`. */
interface SelectableTree<Row> {
  readonly selection: readonly Row[];
  onDidChangeSelection(listener: (event: { readonly selection: readonly Row[] }) => void): Disposable;
}

/**
 * The selected row of a tree. Between the news that rows are to be drawn again and its question for them, which a hidden view does not
 * ask, VS Code leaves rows that it does not know out of `TreeView.selection` (`selectedElements` in extHostTreeViews.ts), though the
 * window shows a selected row all the time.
 */
export class TreeSelection<Row> implements Disposable {
  private readonly view: SelectableTree<Row>;
  private readonly subscription: Disposable;
  private last: Row | undefined;

  constructor(view: SelectableTree<Row>) {
    this.view = view;
    this.subscription = view.onDidChangeSelection(({ selection }) => {
      this.last = selection[0];
    });
  }

  /** The first of the selected rows; `undefined` when none is selected. What it stands for may be gone: commands look first. */
  get row(): Row | undefined {
    return this.view.selection[0] ?? this.last;
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

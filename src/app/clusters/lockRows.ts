import { lockChildren } from './childRows.ts';
import { nodeId, type DirectoryNode, type LockNode, type TreeNode } from './clusterModel.ts';

/** What a row stands for. The texts of a contender may change; those of other rows follow from these. */
function subjectOf(row: TreeNode): unknown[] {
  switch (row.type) {
    case 'contender':
      return [row.contender.path, row.contender.czxid];
    case 'more':
      return [row.next, row.remaining];
    case 'message':
      return Object.values(row.message);
    default:
      return [nodeId(row)];
  }
}

function isSameRow(one: TreeNode, other: TreeNode | undefined): boolean {
  if (one.type !== other?.type) return false;
  const [subject, before] = [subjectOf(one), subjectOf(other)];
  return subject.length === before.length && subject.every((part, at) => part === before[at]);
}

/**
 * The rows below locks as the view gave them to VS Code last. A contender keeps its row object while its node lives, so that the
 * row can be drawn alone: to draw the row of its lock makes VS Code forget all rows below for a moment, in which a choice from
 * their menus is lost.
 */
export class LockRows {
  private readonly given = new WeakMap<LockNode, readonly TreeNode[]>();
  /** What was drawn last. */
  private readonly texts = new WeakMap<TreeNode, string>();
  private readonly textOf: (row: TreeNode) => string;

  /** @param textOf all that a row shows now, as one text to compare */
  constructor(textOf: (row: TreeNode) => string) {
    this.textOf = textOf;
  }

  /** A row is drawn now. */
  noteDrawn(row: TreeNode): void {
    this.texts.set(row, this.textOf(row));
  }

  isDrawn(row: TreeNode): boolean {
    return this.texts.has(row);
  }

  /**
   * The fewest rows to draw for a lock that may have changed. To draw a row closes its tooltip.
   *
   * @param directories that it is in, the innermost first
   */
  changed(lock: LockNode, directories: readonly DirectoryNode[]): readonly TreeNode[] {
    const below = this.update(lock);
    const directory = directories.findLast(row => this.isDrawn(row) && this.hasChanged(row));
    if (directory !== undefined) return [directory];
    return below === undefined || this.hasChanged(lock) ? [lock] : below.filter(row => this.hasChanged(row));
  }

  private hasChanged(row: TreeNode): boolean {
    return this.texts.get(row) !== this.textOf(row);
  }

  /** The rows below a lock, to be given to VS Code. */
  give(lock: LockNode): TreeNode[] {
    const known = new Map((this.given.get(lock) ?? []).map(row => [nodeId(row), row]));
    const rows = lockChildren(lock).map(row => {
      const before = known.get(nodeId(row));
      // An object that VS Code knows is never made the row of another node.
      return before !== undefined && row.type === 'contender' && isSameRow(row, before)
        ? Object.assign(before, row)
        : row;
    });
    this.given.set(lock, rows);
    return rows;
  }

  /**
   * Brings the rows that were given up to date.
   *
   * @returns them; `undefined` if rows came, went or moved, so that the lock has to be drawn with all of them
   */
  update(lock: LockNode): readonly TreeNode[] | undefined {
    const given = this.given.get(lock);
    if (given === undefined) return [];
    const rows = lockChildren(lock);
    if (rows.length !== given.length || !rows.every((row, at) => isSameRow(row, given[at]))) return undefined;
    for (const [at, row] of rows.entries()) Object.assign(given[at] ?? row, row);
    return given;
  }
}

import {
  clusterOf,
  type ClusterNode,
  type DirectoryNode,
  type LockLabel,
  type LockNode,
  type TreeNode,
} from './clusterModel.ts';
import { forgetLabels, isGeneric, segmentsOf } from './lockLabels.ts';

/** A directory of locks, before those with a single child became one row with it. */
interface Branch {
  segments: readonly string[];
  branches: Map<string, Branch>;
  locks: LockNode[];
}

function branchesOf(locks: readonly LockNode[]): Branch {
  const root: Branch = { segments: [], branches: new Map(), locks: [] };
  for (const lock of locks) {
    let branch = root;
    for (const segment of segmentsOf(lock).slice(0, -1)) {
      let next = branch.branches.get(segment);
      if (next === undefined) {
        next = { segments: [...branch.segments, segment], branches: new Map(), locks: [] };
        branch.branches.set(segment, next);
      }
      branch = next;
    }
    branch.locks.push(lock);
  }
  return root;
}

/** Whether a lock stands for its whole directory: alone in it, with a last segment that says nothing. */
function isAlone({ branches, locks }: Branch): boolean {
  const [only] = locks;
  return only !== undefined && locks.length === 1 && branches.size === 0 && isGeneric(segmentsOf(only).at(-1) ?? '');
}

/** Locks as a tree of their directories, made of the locks that are shown. */
export class Directories {
  private readonly cluster: ClusterNode;
  private readonly parents = new Map<LockNode | DirectoryNode, DirectoryNode>();
  /** How the locks are called below their rows. */
  readonly labels = new Map<LockNode, LockLabel>();
  /** The rows right below the cluster. */
  readonly top: readonly (DirectoryNode | LockNode)[];

  constructor(cluster: ClusterNode, locks: readonly LockNode[]) {
    this.cluster = cluster;
    this.top = this.rowsOf(branchesOf(locks), 0, undefined);
  }

  /** The directories that a row is in, the innermost first. */
  above(row: LockNode | DirectoryNode): DirectoryNode[] {
    const parent = this.parents.get(row);
    return parent === undefined ? [] : [parent, ...this.above(parent)];
  }

  /** Directories before locks, each by name. */
  private orderOf(row: DirectoryNode | LockNode): string {
    return row.type === 'directory' ? `0${row.name}` : `1${this.labels.get(row)?.name ?? ''}`;
  }

  /** @param depth how many segments the rows above stand for */
  private rowsOf(branch: Branch, depth: number, parent: DirectoryNode | undefined): (DirectoryNode | LockNode)[] {
    const rows = [...branch.branches.values()].map(one => this.rowOf(one, depth, parent));
    rows.push(...branch.locks.map(lock => this.lockRow(lock, depth, parent)));
    return rows.sort((one, other) => (this.orderOf(one) < this.orderOf(other) ? -1 : 1));
  }

  private rowOf(branch: Branch, depth: number, parent: DirectoryNode | undefined): DirectoryNode | LockNode {
    const [lock] = branch.locks;
    if (lock !== undefined && isAlone(branch)) return this.lockRow(lock, depth, parent);
    const [next] = branch.branches.values();
    if (next !== undefined && branch.branches.size === 1 && branch.locks.length === 0) {
      return this.rowOf(next, depth, parent);
    }
    const { segments } = branch;
    const node: DirectoryNode = {
      type: 'directory',
      parent: this.cluster,
      path: `/${segments.join('/')}`,
      name: segments.slice(depth).join('/'),
      children: [],
    };
    if (parent !== undefined) this.parents.set(node, parent);
    node.children = this.rowsOf(branch, segments.length, node);
    return node;
  }

  private lockRow(lock: LockNode, depth: number, parent: DirectoryNode | undefined): LockNode {
    if (parent !== undefined) this.parents.set(lock, parent);
    this.labels.set(lock, { name: segmentsOf(lock).slice(depth).join('/') || '/', directory: '/' });
    return lock;
  }
}

/** The locks in a directory and in those below it. */
export function locksBelow({ children }: DirectoryNode): LockNode[] {
  return children.flatMap(child => (child.type === 'lock' ? [child] : locksBelow(child)));
}

/** The trees of the clusters that are shown so. */
export class DirectoryTrees {
  private readonly trees = new WeakMap<ClusterNode, Directories>();

  /** The rows of a cluster with its locks in their directories; in a list, called as such, if not `grouped`. */
  arrange(cluster: ClusterNode, rows: TreeNode[], grouped: boolean): TreeNode[] {
    if (!grouped) {
      if (this.trees.delete(cluster)) forgetLabels(cluster);
      return rows;
    }
    const locks = rows.filter(row => row.type === 'lock');
    const tree = new Directories(cluster, locks);
    this.trees.set(cluster, tree);
    cluster.labels = tree.labels;
    return [...tree.top, ...rows.filter(row => row.type !== 'lock')];
  }

  /** The directories that a row is in, the innermost first. */
  above(row: TreeNode): DirectoryNode[] {
    if (row.type !== 'lock' && row.type !== 'directory') return [];
    return this.trees.get(clusterOf(row))?.above(row) ?? [];
  }
}

import type { ClusterNode } from '../clusters/clusterModel.ts';
import {
  blockersPerPage,
  clusterRow,
  rowsBelow,
  waitersPerPage,
  type BlockerClusterRow,
  type BlockerMoreRow,
  type BlockerRow,
  type RowSource,
} from './blockerRows.ts';
import type { ClusterRanking } from './rankedCluster.ts';

/**
 * The rows of the Blockers view as they were given to VS Code. What is shown stays the same object, and is brought up to date with each
 * ranking; only what was unfolded once is made.
 */
export class ShownBlockers {
  private readonly clusters = new WeakMap<ClusterNode, BlockerClusterRow>();
  /** By the key of the row above. */
  private readonly given = new Map<string, BlockerRow[]>();
  private readonly limits = new Map<string, number>();
  private readonly isPaused: () => boolean;

  /** @param isPaused whether live updates are paused */
  constructor(isPaused: () => boolean = () => false) {
    this.isPaused = isPaused;
  }

  /** The row of a cluster, always the same object. */
  rowOf(cluster: ClusterNode): BlockerClusterRow {
    const row = this.clusters.get(cluster) ?? clusterRow(cluster);
    this.clusters.set(cluster, row);
    return row;
  }

  /** What was given below a row. @returns `undefined` if that was never asked for */
  known(row: BlockerRow): readonly BlockerRow[] | undefined {
    return this.given.get(row.key);
  }

  /** Makes the rows below a row. */
  give(row: BlockerRow, ranking: ClusterRanking): readonly BlockerRow[] {
    const rows = this.merged(row, rowsBelow(row, this.sourceOf(ranking)));
    this.given.set(row.key, rows);
    return rows;
  }

  /** Brings all rows of a cluster up to date. @returns those below which rows came, went or moved, none below another */
  update(ranking: ClusterRanking): BlockerRow[] {
    const changed: BlockerRow[] = [];
    const source = this.sourceOf(ranking);
    const walk = (row: BlockerRow, isCovered: boolean): void => {
      const before = this.given.get(row.key);
      if (before === undefined) return;
      const rows = this.merged(row, rowsBelow(row, source));
      this.given.set(row.key, rows);
      const isSame = rows.length === before.length && rows.every((each, at) => each === before[at]);
      if (!isSame && !isCovered) changed.push(row);
      const kept = new Set(rows);
      for (const gone of before) if (!kept.has(gone)) this.forget(gone);
      for (const each of rows) walk(each, isCovered || !isSame);
    };
    walk(this.rowOf(ranking.cluster), false);
    return changed;
  }

  /** All rows of a cluster that were given, from top to bottom. */
  *rowsOf(cluster: ClusterNode): Iterable<BlockerRow> {
    const below = (row: BlockerRow): BlockerRow[] =>
      (this.given.get(row.key) ?? []).flatMap(each => [each, ...below(each)]);
    yield* below(this.rowOf(cluster));
  }

  /** Opens the next page of the parent of a row. */
  showMore({ parent }: BlockerMoreRow): void {
    const perPage = parent.type === 'blockerCluster' ? blockersPerPage : waitersPerPage;
    this.limits.set(parent.key, (this.limits.get(parent.key) ?? perPage) + perPage);
  }

  /** The clusters that are left; what was given of others is forgotten. */
  keep(clusters: readonly ClusterNode[]): void {
    const keys = clusters.map(cluster => this.rowOf(cluster).key);
    const isKept = (key: string): boolean => keys.some(kept => key === kept || key.startsWith(`${kept}\0\0`));
    for (const map of [this.given, this.limits]) {
      for (const key of map.keys()) if (!isKept(key)) map.delete(key);
    }
  }

  private sourceOf(ranking: ClusterRanking): RowSource {
    const { limits, isPaused } = this;
    return {
      ranking,
      limitOf: key => limits.get(key),
      isPaused: isPaused(),
    };
  }

  /** Rows that stand for the same as before are the same objects, with what is new of them. */
  private merged(parent: BlockerRow, rows: readonly BlockerRow[]): BlockerRow[] {
    const before = new Map(this.given.get(parent.key)?.map(row => [row.key, row]));
    const kept = new Map<BlockerRow, BlockerRow>();
    return rows.map(row => {
      const known = before.get(row.key);
      // A row that gets or loses its children is another row for VS Code.
      const same = known?.hasChildren === row.hasChildren ? Object.assign(known, row) : row;
      kept.set(row, same);
      if (same.type === 'blockerWait' && same.after !== undefined) {
        same.after = (kept.get(same.after) as typeof same.after | undefined) ?? same.after;
      }
      return same;
    });
  }

  private forget(row: BlockerRow): void {
    for (const below of this.given.get(row.key) ?? []) this.forget(below);
    this.given.delete(row.key);
  }
}

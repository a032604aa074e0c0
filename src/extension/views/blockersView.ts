import type * as vscode from 'vscode';
import { monotonicNow } from '../../base/deadline.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Pacer } from '../../base/pacer.ts';
import { callEvery, callLater } from '../../base/timer.ts';
import { asBlockerRow, type BlockerRow } from '../../app/blockers/blockerRows.ts';
import { FollowedRankings, type FollowedClusters } from '../../app/blockers/followedRankings.ts';
import type { ClusterRanking, ClusterRankings } from '../../app/blockers/rankedCluster.ts';
import { ShownBlockers } from '../../app/blockers/shownBlockers.ts';
import type { ClusterNode, LockNode } from '../../app/clusters/clusterModel.ts';
import type { LockMarks, MarkSource } from '../../app/clusters/marks.ts';
import type { ViewState } from '../../app/clusters/viewState.ts';
import { commandIds } from '../platform/contributions.ts';
import { blockerRow, type BlockerLook } from './blockerRow.ts';
import { MissedDraws } from './missedDraws.ts';
import { drawRow } from './treeItems.ts';
import { treePacer } from './treePacer.ts';

/** How often changed ages are drawn. */
const tickMs = 10_000;

export interface BlockersViewParts {
  registry: FollowedClusters;
  rankings: ClusterRankings;
  marks: MarkSource;
  state: Pick<ViewState, 'paused' | 'onChange'>;
  view: Pick<vscode.TreeView<BlockerRow>, 'visible' | 'onDidChangeVisibility'>;
  /** Has rows drawn again; `undefined`: all. */
  redraw(rows: BlockerRow[] | undefined): void;
  logger: Logger;
}

/** The rows of the Blockers view. Children are made when they are unfolded, and kept up to date from then on. */
export class BlockersView implements Disposable {
  private readonly parts: BlockersViewParts;
  private readonly owned = new DisposableStore();
  private readonly followed: FollowedRankings;
  private readonly shown: ShownBlockers;
  private readonly changes: Pacer<BlockerRow | undefined>;
  private readonly missed: MissedDraws<BlockerRow>;
  /** What was drawn last. */
  private readonly drawn = new WeakMap<BlockerRow, string>();

  constructor(parts: BlockersViewParts) {
    this.parts = parts;
    const { view, state, registry, rankings, logger } = parts;
    this.shown = new ShownBlockers(() => state.paused);
    this.changes = this.owned.add(treePacer(changes => this.draw(changes)));
    this.missed = this.owned.add(new MissedDraws({ again: rows => this.drawAgain(rows), schedule: callLater }));
    this.followed = this.owned.add(
      new FollowedRankings({
        registry,
        rankings,
        onRanking: ranking => this.take(ranking),
        onClusters: () => this.changes.add(undefined),
        schedule: callLater,
        now: monotonicNow,
        logger,
      }),
    );
    this.followed.isVisible = view.visible;
    let wasPaused = state.paused;
    this.owned.add(
      state.onChange(() => {
        if (state.paused === wasPaused) return;
        wasPaused = state.paused;
        for (const cluster of this.followed.clusters) this.followed.touch(cluster);
      }),
    );
    this.owned.add(
      view.onDidChangeVisibility(({ visible }) => {
        this.followed.isVisible = visible;
        if (visible) this.tick();
      }),
    );
    this.owned.add(callEvery(() => this.tick(), tickMs));
  }

  /** With a single cluster its blockers are at the top. */
  async getChildren(row?: BlockerRow): Promise<BlockerRow[]> {
    this.missed.asked(row);
    const above = row ?? this.single;
    if (above === undefined) return this.followed.clusters.map(cluster => this.shown.rowOf(cluster));
    const known = this.shown.known(above);
    if (known !== undefined) return [...known];
    return this.parts.rankings.of(above.cluster, ranking => [...this.shown.give(above, ranking)]);
  }

  getTreeItem(row: BlockerRow): vscode.TreeItem {
    const drawing = blockerRow(row, this.look());
    this.drawn.set(row, JSON.stringify(drawing));
    const drawn = drawRow(drawing, row.key);
    if (row.type === 'blockerMore')
      drawn.command = { command: commandIds.showMoreBlockers, title: '', arguments: [row] };
    if (this.parts.view.visible && this.shown.known(row) !== undefined) this.missed.forgets(row);
    return drawn;
  }

  getParent({ parent }: BlockerRow): BlockerRow | undefined {
    return parent === this.single ? undefined : parent;
  }

  /** Opens the next page of a list. @param argument the row for it; anything else does nothing */
  async showMore(argument: unknown): Promise<void> {
    const row = asBlockerRow(argument);
    if (row?.type !== 'blockerMore') return;
    this.shown.showMore(row);
    await this.parts.rankings.of(row.cluster, ranking => this.take(ranking));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private get single(): BlockerRow | undefined {
    const [first, second] = this.followed.clusters;
    return first === undefined || second !== undefined ? undefined : this.shown.rowOf(first);
  }

  private take(ranking: ClusterRanking): void {
    for (const row of this.shown.update(ranking)) this.changes.add(row === this.single ? undefined : row);
    this.addChangedTexts([ranking.cluster]);
  }

  private tick(): void {
    if (this.parts.view.visible) this.addChangedTexts(this.followed.clusters);
  }

  private addChangedTexts(clusters: readonly ClusterNode[]): void {
    const look = this.look();
    for (const row of clusters.flatMap(cluster => [...this.shown.rowsOf(cluster)])) {
      const before = this.drawn.get(row);
      if (before !== undefined && before !== JSON.stringify(blockerRow(row, look))) this.changes.add(row);
    }
  }

  private draw(changes: ReadonlySet<BlockerRow | undefined>): void {
    this.shown.keep(this.followed.clusters);
    if (changes.has(undefined)) {
      this.redraw(undefined);
      return;
    }
    // A row is drawn with all rows below it.
    const isCovered = ({ parent }: BlockerRow): boolean =>
      parent !== undefined && (changes.has(parent) || isCovered(parent));
    this.redraw([...changes].filter(row => row !== undefined).filter(row => !isCovered(row)));
  }

  private redraw(rows: BlockerRow[] | undefined): void {
    if (rows === undefined && this.parts.view.visible) this.missed.forgets(undefined);
    this.parts.redraw(rows);
  }

  private drawAgain(rows: readonly (BlockerRow | undefined)[]): void {
    if (this.parts.view.visible) for (const row of rows) this.changes.add(row);
  }

  /** Marks are looked up once for each lock. */
  private look(): BlockerLook {
    const now = Date.now();
    const known = new Map<LockNode, LockMarks>();
    return {
      now,
      marksOf: lock => {
        const marks = known.get(lock) ?? this.parts.marks.of(lock, now);
        known.set(lock, marks);
        return marks;
      },
    };
  }
}

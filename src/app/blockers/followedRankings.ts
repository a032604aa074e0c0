import { DisposableSlot, DisposableStore, type Disposable } from '../../base/disposable.ts';
import { callListener, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { clusterOf, hasSession, type ClusterNode, type LockNode } from '../clusters/clusterModel.ts';
import type { ClusterRanking, ClusterRankings } from './rankedCluster.ts';

/** Changes that come together are ranked together, ms. */
const gatherMs = 100;
/** Shortest time from one ranking to the next, ms: with the ranking itself no change waits longer than 250 ms. */
const spacingMs = 180;
/** A ranking that took t ms is followed by the next after 6 t at the earliest, so it takes about one sixth of a core at most. */
const restPerWork = 6;
/** On a busy machine a ranking takes long because others have their turn. */
const longestSpacingMs = 1_000;

/** What is followed of the clusters. */
export interface FollowedClusters {
  readonly all: readonly { readonly node: ClusterNode }[];
  readonly onChange: Event<undefined>;
  readonly onNodeChange: Event<ClusterNode | LockNode>;
}

export interface FollowedParts {
  registry: FollowedClusters;
  rankings: Pick<ClusterRankings, 'of'>;
  /** The ranking of a cluster is up to date. Its index must not be kept. */
  onRanking(ranking: ClusterRanking): void;
  /** Other clusters have a ranking. */
  onClusters(): void;
  /** Calls back once after `ms`. */
  schedule(callback: () => void, ms: number): Disposable;
  /** Monotonic ms. */
  now(): number;
  logger: Logger;
}

/** Ranks the clusters that changed while that can be seen: one computation at a time, and none while it cannot. */
export class FollowedRankings implements Disposable {
  private readonly parts: FollowedParts;
  private readonly owned = new DisposableStore();
  private readonly timer: DisposableSlot;
  /** Changed since their last ranking. */
  private readonly changed = new Set<ClusterNode>();
  private ranked: readonly ClusterNode[] = [];
  private visible = false;
  private isRunning = false;
  private lastRun = Number.NEGATIVE_INFINITY;
  private spacing = spacingMs;
  /** What the last three rankings took, ms. */
  private lastWorks: readonly number[] = [0, 0, 0];

  constructor(parts: FollowedParts) {
    this.parts = parts;
    this.timer = this.owned.add(new DisposableSlot());
    this.owned.add(parts.registry.onChange(() => this.followList()));
    this.owned.add(parts.registry.onNodeChange(node => this.note(clusterOf(node))));
    this.ranked = this.listed();
  }

  /** Those that have a ranking, in the order of the list. */
  get clusters(): readonly ClusterNode[] {
    return this.ranked;
  }

  /** Whether the rankings can be seen. What changed meanwhile is ranked when they can. */
  set isVisible(visible: boolean) {
    this.visible = visible;
    if (visible) this.arm();
    else this.timer.value = undefined;
  }

  /** Ranks a cluster again soon. */
  touch(cluster: ClusterNode): void {
    this.changed.add(cluster);
    this.arm();
  }

  dispose(): void {
    this.owned.dispose();
    this.changed.clear();
  }

  private note(cluster: ClusterNode): void {
    if (hasSession(cluster) !== this.ranked.includes(cluster)) this.followList();
    if (this.ranked.includes(cluster)) this.touch(cluster);
  }

  private followList(): void {
    const before = this.ranked;
    this.ranked = this.listed();
    for (const cluster of this.changed) if (!this.ranked.includes(cluster)) this.changed.delete(cluster);
    const isSame = this.ranked.length === before.length && this.ranked.every((node, at) => node === before[at]);
    if (!isSame) this.parts.onClusters();
  }

  private listed(): ClusterNode[] {
    return this.parts.registry.all.map(({ node }) => node).filter(hasSession);
  }

  private arm(): void {
    const isIdle = !this.visible || this.isRunning || this.timer.value !== undefined || this.changed.size === 0;
    if (isIdle || this.owned.isDisposed) return;
    const wait = Math.max(gatherMs, this.lastRun + this.spacing - this.parts.now());
    this.timer.value = this.parts.schedule(() => void this.run(), wait);
  }

  /** It is ranked when that can be seen again. */
  private putBack(cluster: ClusterNode): void {
    if (this.ranked.includes(cluster) && !this.owned.isDisposed) this.changed.add(cluster);
  }

  private async run(): Promise<void> {
    const { parts } = this;
    this.timer.value = undefined;
    this.isRunning = true;
    this.lastRun = parts.now();
    const clusters = [...this.changed];
    this.changed.clear();
    for (const cluster of clusters) {
      if (!this.visible || this.owned.isDisposed) {
        this.putBack(cluster);
        continue;
      }
      try {
        await parts.rankings.of(cluster, ranking => {
          if (this.ranked.includes(cluster)) callListener(each => parts.onRanking(each), ranking, parts.logger);
        });
      } catch (error) {
        parts.logger.warn(`Who blocks whom could not be worked out: ${String(error)}`);
      }
    }
    this.isRunning = false;
    this.lastWorks = [...this.lastWorks.slice(1), parts.now() - this.lastRun];
    // One or two that were slow by chance, as memory was collected or others had their turn, do not make the next one late; nor do
    // the first two, whose code is not compiled yet.
    const usual = Math.min(...this.lastWorks);
    this.spacing = Math.max(spacingMs, Math.min(longestSpacingMs, usual * restPerWork));
    this.arm();
  }
}

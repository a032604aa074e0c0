import { inTurns } from '../../base/interruptible.ts';
import { BlockerIndex } from '../../inspector/blockers/blockerIndex.ts';
import { rankBlockers, type RankedBlocker, type Ranking } from '../../inspector/blockers/rankBlockers.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { ClusterNode, LockNode } from '../clusters/clusterModel.ts';

/** How much of the known locks of a cluster a ranking is made of. */
export interface RankedShare {
  /** Locks whose queue is known. */
  read: number;
  /** Those of them that are not watched: they are as they were read last. None in a recording, where what is known is of its moment. */
  notLive: number;
  /** Locks whose queue is not known: nothing in the ranking is about them. */
  unread: number;
}

/** The blockers of one cluster at one moment. */
export interface ClusterRanking {
  readonly cluster: ClusterNode;
  /** The costliest first. */
  readonly blockers: readonly RankedBlocker[];
  /** `false`: there are so many chains that circles of waits were not looked for. */
  readonly areCyclesKnown: boolean;
  readonly share: RankedShare;
  /** The rows of the queues that were ranked. A row may have another queue by now. */
  readonly locks: ReadonlyMap<LockQueue, LockNode>;
  /** What the ranking was made of; it changes with the next one, so it must not be kept. */
  readonly index: BlockerIndex;
}

interface Kept {
  index: BlockerIndex;
  /** `undefined`: the index has changed since. */
  ranking: Ranking | undefined;
  /** The ranking that runs now, or ran last. */
  running: Promise<unknown>;
}

/** The rankings of clusters. Nothing is read for them: they are made of the queues that are loaded. */
export class ClusterRankings {
  private readonly kept = new WeakMap<ClusterNode, Kept>();

  /**
   * Brings the ranking of a cluster up to date and hands it out. Long work is done in turns of the event loop, one ranking of a cluster
   * after the other.
   *
   * @param use is called once, and must be done with the index when it returns, or when its promise is settled
   * @returns what `use` returns
   * @throws what ranking throws; the next call begins from nothing
   */
  async of<T>(cluster: ClusterNode, use: (ranking: ClusterRanking) => T | Promise<T>): Promise<T> {
    const before = this.kept.get(cluster)?.running;
    const next = (before ?? Promise.resolve()).then(() => this.rank(cluster, use));
    // A failure of one caller is no failure of the next.
    this.keptOf(cluster).running = next.catch(() => undefined);
    return next;
  }

  private async rank<T>(cluster: ClusterNode, use: (ranking: ClusterRanking) => T | Promise<T>): Promise<T> {
    const kept = this.keptOf(cluster);
    const [locks, share] = [rankedQueues(cluster), shareOf(cluster)];
    let ranking: Ranking;
    try {
      if (await inTurns(kept.index.update([...locks.keys()]))) kept.ranking = undefined;
      ranking = kept.ranking ??= await inTurns(rankBlockers(kept.index));
    } catch (error) {
      // An index that was left half way would pass for a whole one.
      Object.assign(kept, { index: new BlockerIndex(), ranking: undefined });
      throw error;
    }
    return use({ cluster, ...ranking, share, locks, index: kept.index });
  }

  private keptOf(cluster: ClusterNode): Kept {
    const known = this.kept.get(cluster);
    if (known !== undefined) return known;
    const made: Kept = { index: new BlockerIndex(), ranking: undefined, running: Promise.resolve() };
    this.kept.set(cluster, made);
    return made;
  }
}

/**
 * The queues of a cluster that are known, with their rows; of a recording, those that are of its moment. A lock that has rows at several
 * paths is there once, one without contenders not at all: nothing waits in it.
 */
export function rankedQueues({ locks }: ClusterNode): Map<LockQueue, LockNode> {
  const found = new Map<LockQueue, LockNode>();
  const seen = new Set<string>();
  for (const lock of locks.values()) {
    const { queue, isBehind } = lock;
    const [first] = queue?.contenders ?? [];
    if (queue === undefined || first === undefined || isBehind === true) continue;
    // A text that is there already, wherever it is enough.
    const key = queue.lockName === undefined ? first.path : `${first.path}\0${queue.lockName}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.set(queue, lock);
  }
  return found;
}

/** How much of the locks of a cluster is known. */
export function shareOf(cluster: ClusterNode): RankedShare {
  const share = { read: 0, notLive: 0, unread: 0 };
  const isRecording = cluster.time !== undefined;
  for (const { queue, live, isBehind } of cluster.locks.values()) {
    if (queue === undefined || isBehind === true) share.unread++;
    else {
      share.read++;
      if (!live && !isRecording) share.notLive++;
    }
  }
  return share;
}

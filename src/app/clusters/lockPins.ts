import { toDisposable, type Disposable } from '../../base/disposable.ts';
import type { ClusterNode, LockNode } from './clusterModel.ts';
import { ensureLock, locksAt } from './lockCatalogue.ts';

/** Which lock somebody outside of the tree looks at. */
export type PinnedLock = Pick<LockNode, 'path' | 'lockName' | 'dialect'>;

/** Locks that are watched whether or not their rows can be seen, each as long as somebody wants it. */
export class LockPins {
  private readonly pins = new Set<{ lock: PinnedLock }>();

  get isEmpty(): boolean {
    return this.pins.size === 0;
  }

  get paths(): Set<string> {
    return new Set([...this.pins].map(({ lock }) => lock.path));
  }

  /** @returns ends this wish; other wishes for the same lock stay */
  add(lock: PinnedLock): Disposable {
    const pin = { lock };
    this.pins.add(pin);
    return toDisposable(() => this.pins.delete(pin));
  }

  /**
   * A lock that has a name gets its row, and so does a path without any, which what is read there can fill. Rows go when the
   * cluster is disconnected.
   *
   * @returns the paths with a row whose queue was not read yet
   */
  ensureRows(cluster: ClusterNode): string[] {
    for (const { lock } of this.pins) {
      const hasOwnRow = lock.lockName !== undefined || locksAt(cluster, lock.path).length === 0;
      if (hasOwnRow) ensureLock(cluster, lock.path, lock.lockName, lock.dialect);
    }
    return [...this.paths].filter(path => locksAt(cluster, path).some(({ queue }) => queue === undefined));
  }
}

import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import type { ConnectionParts } from './clusterConnection.ts';
import type { LockNode } from './clusterModel.ts';

/** Most queues are read sooner, and rows must not flicker. */
const lateMs = 500;

export interface LateLocksParts extends Pick<ConnectionParts, 'schedule' | 'now'> {
  /** A lock is late. */
  onLate(lock: LockNode): void;
}

/** The locks of a recording whose queue is that of another moment: those that are behind for long are late. */
export class LateLocks implements Disposable {
  private readonly parts: LateLocksParts;
  /** Since when each of them is behind, by the monotonic clock; those that were read meanwhile leave it at the next look. */
  private readonly behind = new Map<LockNode, number>();
  private readonly timer = new DisposableSlot();

  constructor(parts: LateLocksParts) {
    this.parts = parts;
  }

  /** The moment moved, and the queue of a lock stayed. */
  note(lock: LockNode): void {
    if (lock.isBehind !== true) {
      Object.assign(lock, { isBehind: true, isLate: false });
      this.behind.set(lock, this.parts.now());
    }
    if (this.timer.value === undefined) this.lookLater();
  }

  dispose(): void {
    this.timer.dispose();
    this.behind.clear();
  }

  private lookLater(): void {
    this.timer.value = this.parts.schedule(() => {
      this.timer.value = undefined;
      for (const [lock, since] of this.behind) this.look(lock, since);
      if (this.behind.size > 0) this.lookLater();
    }, lateMs);
  }

  private look(lock: LockNode, since: number): void {
    const isLate = lock.isBehind === true && this.parts.now() - since >= lateMs;
    if (isLate || lock.isBehind !== true) this.behind.delete(lock);
    if (!isLate) return;
    lock.isLate = true;
    this.parts.onLate(lock);
  }
}

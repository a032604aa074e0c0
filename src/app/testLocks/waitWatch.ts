import { DisposableSlot, type Disposable } from '../../base/disposable.ts';
import type { LockQueue } from '../../locks/lockQueue.ts';
import type { Place } from '../../recipes/lock.ts';
import { pathOfPlace, standingInQueues, standingOfPlace } from './standing.ts';
import type { Standing } from './testLock.ts';

/** Watches the queues at a path, with the session that browses. */
export type WatchQueue = (path: string, listener: (queues: LockQueue[]) => void) => Promise<Disposable>;

/**
 * Follows a waiting attempt. The recipe looks only when its predecessor is gone; the queue is watched beside it, so that the
 * position is right when somebody further ahead leaves.
 */
export class WaitWatch implements Disposable {
  private readonly paths: readonly string[];
  private readonly watch: WatchQueue;
  private readonly tell: (standing: Standing) => void;
  private readonly slot = new DisposableSlot();
  private watched: string | undefined;
  private place: Place | undefined;
  private queues: readonly LockQueue[] = [];
  private ended = false;

  constructor(paths: readonly string[], watch: WatchQueue, tell: (standing: Standing) => void) {
    this.paths = paths;
    this.watch = watch;
    this.tell = tell;
  }

  update(place: Place): void {
    this.place = place;
    const path = pathOfPlace(this.paths, place);
    const directory = place.path?.startsWith(`${path}-__lock__/`) === true ? `${path}-__lock__` : path;
    if (directory !== this.watched) void this.start(directory);
    this.announce(place);
  }

  dispose(): void {
    this.ended = true;
    this.slot.dispose();
  }

  private announce(place: Place): void {
    if (this.ended) return;
    const path = pathOfPlace(this.paths, place);
    this.tell(standingInQueues(path, place, this.queues) ?? standingOfPlace(path, place));
  }

  private async start(directory: string): Promise<void> {
    this.watched = directory;
    this.queues = [];
    try {
      this.slot.value = await this.watch(directory, queues => {
        if (this.watched !== directory) return;
        this.queues = queues;
        if (this.place !== undefined) this.announce(this.place);
      });
    } catch {
      // The browsing session is away or may not read: the recipe's own places are told all the same.
    }
  }
}

import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { childPath } from '../base/paths.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { RemovedFromQueue } from './errors.ts';
import { WakeUp } from './wakeUp.ts';

/** What a waiter watches: nodes of its directory, or, with no names, the directory itself. */
export interface Watched {
  names: readonly string[] | undefined;
  /** Should one of them hold already, its mark will not come any more: these are watched then. */
  unlessMarked?: { mark: Uint8Array; names: readonly string[] };
  /** Judges a listing that came with the watch on the directory; it may be newer than the one judged before. */
  holdsNow: (children: readonly string[]) => boolean;
}

/**
 * The waiting of one contender: for the nodes in front of it and for its own, which somebody may delete. Watches are set with
 * reads, so that a vanished node leaves none (Curator's LockInternals).
 */
export class QueueWatch {
  private readonly client: ZooKeeperClient;
  private readonly directory: string;
  private readonly limits: AttemptLimits;
  // One for all rounds: a watch that is set again is the same watch.
  private readonly wakeUp = new WakeUp();

  constructor(client: ZooKeeperClient, directory: string, limits: AttemptLimits) {
    this.client = client;
    this.directory = directory;
    this.limits = limits;
  }

  /**
   * Waits for a reason to look again; it may be there already.
   *
   * @throws RemovedFromQueue, LockTimeout, LockCancelled, and what the reads throw
   */
  async wait(ownPath: string, watched: Watched): Promise<void> {
    this.wakeUp.reset();
    const watch = this.wakeUp.ring;
    const readingOwn = this.client.getData(ownPath, { watch });
    const readingOthers =
      watched.names === undefined
        ? this.directoryChanged(watched)
        : this.someAreGone(watched.names, watched.unlessMarked);
    const [own, others] = await Promise.allSettled([readingOwn, readingOthers]);
    if (own.status === 'rejected') {
      throw isZooKeeperError(own.reason, 'NO_NODE') ? new RemovedFromQueue(ownPath) : asError(own.reason);
    }
    if (others.status === 'rejected') throw asError(others.reason);
    if (!others.value) await this.wakeUp.wait(this.limits, this.client);
  }

  /** @returns whether one of them has gone between the listing and the watch (L8) */
  private async someAreGone(names: readonly string[], unlessMarked?: Watched['unlessMarked']): Promise<boolean> {
    const watch = this.wakeUp.ring;
    const reads = names.map(name => this.client.getData(childPath(this.directory, name), { watch }));
    let isMarked = false;
    for (const read of await Promise.allSettled(reads)) {
      if (read.status === 'fulfilled') {
        isMarked ||= unlessMarked !== undefined && Buffer.compare(read.value.data, unlessMarked.mark) === 0;
      } else if (isZooKeeperError(read.reason, 'NO_NODE')) return true;
      else throw asError(read.reason);
    }
    return isMarked && unlessMarked !== undefined ? this.someAreGone(unlessMarked.names) : false;
  }

  private async directoryChanged({ holdsNow }: Watched): Promise<boolean> {
    const { children } = await this.client.getChildren(this.directory, { watch: this.wakeUp.ring });
    return holdsNow(children);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';
import { childPath } from '../base/paths.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { RemovedFromQueue } from './errors.ts';

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

/** A wake-up that may come before anybody waits for it: a watch can fire while the answer that set it is still read (L8). */
export class WakeUp {
  private hasRung = false;
  private wake = (): void => undefined;

  /** To be given to watches. */
  readonly ring = (): void => {
    this.hasRung = true;
    this.wake();
  };

  /** Forgets former rings; to be called before the watches are set. */
  reset(): void {
    this.hasRung = false;
    this.wake = () => undefined;
  }

  /**
   * Waits for a ring or a change of the session's state, which calls for a fresh look too (L9).
   *
   * @throws LockTimeout, LockCancelled
   */
  async wait(limits: AttemptLimits, client: ZooKeeperClient): Promise<void> {
    await limits.wait(wake => {
      this.wake = wake;
      if (this.hasRung || client.state !== 'connected') wake();
      const subscription = client.onState(wake);
      return () => subscription.dispose();
    });
  }
}

type Judge = (names: string[]) => boolean | Promise<boolean>;

/** Waits until a directory's children satisfy a condition: the one case in which a recipe must watch a whole directory. */
export class ChildrenWait {
  private readonly client: ZooKeeperClient;
  private readonly directory: string;
  private readonly limits: AttemptLimits;

  constructor(client: ZooKeeperClient, directory: string, limits: AttemptLimits) {
    this.client = client;
    this.directory = directory;
    this.limits = limits;
  }

  /**
   * @param isEnough judges a listing; may throw to end the wait, or connection trouble to be asked again
   * @param tell gets the listing that is waited with
   * @throws LockTimeout, LockCancelled, SessionLost, ZooKeeperError
   */
  async until(isEnough: Judge, tell: (names: string[]) => void): Promise<void> {
    while (!(await this.limits.untilAnswered(this.client, () => this.look(isEnough, tell))));
  }

  /**
   * Looks without a watch first: one that is set by the very look that ends the wait stays behind, and tells of somebody
   * else's release one who holds by then.
   */
  private async look(isEnough: Judge, tell: (names: string[]) => void): Promise<boolean> {
    const first = await this.client.getChildren(this.directory);
    if (await isEnough(first.children)) return true;
    if (this.limits.triesOnce) throw this.limits.timedOut();
    const wakeUp = new WakeUp();
    const { children } = await this.client.getChildren(this.directory, { watch: wakeUp.ring });
    if (await isEnough(children)) return true;
    tell(children);
    await wakeUp.wait(this.limits, this.client);
    return false;
  }
}

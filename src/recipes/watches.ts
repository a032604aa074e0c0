import { childPath } from '../base/paths.ts';
import type { ReadOptions, ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, unlessAnswered } from '../zookeeper/errors.ts';
import type { AttemptLimits } from './attemptLimits.ts';
import { RemovedFromQueue } from './errors.ts';
import type { OwnNode } from './ownNode.ts';

/** A wake-up that may come before the wait: a watch can fire while the answer that set it is still being read (L8). */
export class WakeUp {
  private readonly limits: AttemptLimits;
  private hasRung = false;
  private wake = (): void => undefined;
  /** One for all reads: a watch that is set again is the same watch. */
  private readonly ring = (): void => {
    this.hasRung = true;
    this.wake();
  };

  constructor(limits: AttemptLimits) {
    this.limits = limits;
  }

  /** Sets the watch with a read; it is forgotten with the attempt. */
  get watching(): ReadOptions {
    return { watch: this.ring, signal: this.limits.ended };
  }

  /** Forgets earlier rings; to be called before the watches are set. */
  reset(): void {
    this.hasRung = false;
    this.wake = () => undefined;
  }

  /**
   * Waits for a ring or a change of the session's state, after which the queue must be read again too (L9).
   *
   * @param atMostMs ends the wait without either; default: nothing does
   * @returns whether one of them came
   * @throws LockTimeout, LockCancelled
   */
  async wait(client: ZooKeeperClient, atMostMs?: number): Promise<boolean> {
    let isWoken = true;
    await this.limits.wait(wake => {
      this.wake = wake;
      if (this.hasRung || client.state !== 'connected') wake();
      const subscription = client.onState(wake);
      const giveUp = (): void => {
        isWoken = false;
        wake();
      };
      const timer = atMostMs === undefined ? undefined : setTimeout(giveUp, atMostMs);
      return () => {
        subscription.dispose();
        clearTimeout(timer);
      };
    });
    return isWoken;
  }
}

/** What a waiter watches: nodes of its directory, or, with no names, the directory itself. */
export interface Watched {
  names: readonly string[] | undefined;
  /** If one of `names` holds already, its mark has come before the watch: these are watched instead. */
  unlessMarked?: { mark: Uint8Array; names: readonly string[] };
  /** Judges a listing that was read with the watch on the directory; it may be newer than the one judged before. */
  holdsNow: (children: readonly string[]) => boolean;
}

/**
 * The own node is watched only after this, ms. Most waits are shorter, and the watch costs a read and an event of the own
 * release; before any victory the own node is read again in any case (L11).
 */
const watchOwnAfterMs = 1_000;

/**
 * Waits for the predecessors of one contender, and, if that takes long, for its own node, which another client may delete.
 * Watches are set with reads, so that a vanished node leaves none (Curator's LockInternals).
 */
export class PredecessorWatch {
  private readonly client: ZooKeeperClient;
  private readonly directory: string;
  // One for all rounds: a watch that is set again is the same watch.
  private readonly wakeUp: WakeUp;

  constructor(client: ZooKeeperClient, directory: string, limits: AttemptLimits) {
    this.client = client;
    this.directory = directory;
    this.wakeUp = new WakeUp(limits);
  }

  /**
   * Waits for a reason to read the queue again; returns at once if there is one already.
   *
   * @throws RemovedFromQueue, LockTimeout, LockCancelled, and what the reads throw
   */
  async wait(own: OwnNode, watched: Watched): Promise<void> {
    this.wakeUp.reset();
    const hasReason =
      watched.names === undefined
        ? await this.directoryChanged(own, watched)
        : await this.someAreGone(watched.names, watched.unlessMarked);
    if (hasReason || (await this.wakeUp.wait(this.client, watchOwnAfterMs))) return;
    // It may have been deleted, or even replaced (L30), before it was watched.
    const read = await unlessAnswered(this.client.getData(own.path, this.wakeUp.watching), 'NO_NODE');
    if (read?.stat.czxid !== own.czxid) throw new RemovedFromQueue(own.path);
    await this.wakeUp.wait(this.client);
  }

  /** @returns whether one of them has gone between the listing and the watch (L8) */
  private async someAreGone(names: readonly string[], unlessMarked?: Watched['unlessMarked']): Promise<boolean> {
    const reads = names.map(name => this.client.getData(childPath(this.directory, name), this.wakeUp.watching));
    let isMarked = false;
    for (const read of await Promise.allSettled(reads)) {
      if (read.status === 'fulfilled') {
        isMarked ||= unlessMarked !== undefined && Buffer.compare(read.value.data, unlessMarked.mark) === 0;
      } else if (isZooKeeperError(read.reason, 'NO_NODE')) return true;
      else throw asError(read.reason);
    }
    return isMarked && unlessMarked !== undefined ? this.someAreGone(unlessMarked.names) : false;
  }

  private async directoryChanged(own: OwnNode, { holdsNow }: Watched): Promise<boolean> {
    const reading = this.client.getChildren(this.directory, this.wakeUp.watching);
    const listing = await unlessAnswered(reading, 'NO_NODE');
    // The own node was in it.
    if (listing === undefined) throw new RemovedFromQueue(own.path);
    return holdsNow(listing.children);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/**
 * Waits until a directory's children satisfy a condition: the one case in which a recipe must watch a whole directory.
 *
 * @param isEnough judges a listing; may throw to end the wait, or connection trouble to have the directory listed again
 * @param report receives the listing before each wait
 * @throws LockTimeout, LockCancelled, SessionLost, ZooKeeperError
 */
export async function untilChildren(
  { client, directory }: { client: ZooKeeperClient; directory: string },
  limits: AttemptLimits,
  isEnough: (names: string[]) => boolean | Promise<boolean>,
  report: (names: string[]) => void,
): Promise<void> {
  const wakeUp = new WakeUp(limits);
  const look = async (): Promise<boolean> => {
    // Without a watch first: one that is set by the listing that ends the wait would stay behind and wake the holder later.
    const first = await client.getChildren(directory);
    if (await isEnough(first.children)) return true;
    if (limits.triesOnce) throw limits.timedOut();
    wakeUp.reset();
    const { children } = await client.getChildren(directory, wakeUp.watching);
    if (await isEnough(children)) return true;
    report(children);
    await wakeUp.wait(client);
    return false;
  };
  while (!(await limits.untilAnswered(client, look)));
}

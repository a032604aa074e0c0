import type { Disposable } from '../base/disposable.ts';
import { nullLogger, type Logger } from '../base/logger.ts';
import type { LockQueue } from '../locks/lockQueue.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { QueueWatch } from './queueWatch.ts';

/** What else a caller may want to hear of. */
export interface WatchQueuesOptions {
  /** A read failed after the first; it is repeated by itself, and the next snapshot says that it worked. */
  onFailure?: (error: unknown) => void;
  /**
   * Changes may have been missed: what was told last may be old until the listener is called again, changed or not. After
   * a reconnect it is called before the session says that it is connected.
   */
  onGap?: () => void;
  logger?: Logger;
  /** Pause between two looks for changes that the server tells nobody who may not read the node; 15 s unless told. */
  lookEveryMs?: number;
}

/**
 * Calls back with the queues at `lockPath`: once before the returned promise resolves, then after every change, until it is
 * disposed or the session ends. Changes that arrive together give one call.
 *
 * The path need not exist; it may vanish (then the list is empty) and come back. After a lost connection everything is
 * read again. A short queue is told within milliseconds; one of many thousand contenders about seven times a second at most.
 * Watches: one on `lockPath`, and one on each further directory of the layout. Changes deeper than that are ignored. Where nodes
 * may not be read, or none was seen yet, the list of children is watched as well.
 *
 * @param listener gets a fresh array each time; if it throws, that is logged and nothing else happens
 * @returns ends the watch; no call comes after it
 * @throws whatever `readQueues` throws, if the first read fails; nothing is then left behind
 */
export async function watchQueues(
  client: ZooKeeperClient,
  lockPath: string,
  listener: (queues: LockQueue[]) => void,
  options: WatchQueuesOptions = {},
): Promise<Disposable> {
  const watch = new QueueWatch(client, lockPath, {
    listener,
    onFailure: options.onFailure ?? (() => undefined),
    onGap: options.onGap ?? (() => undefined),
    logger: options.logger ?? nullLogger,
    ...(options.lookEveryMs === undefined ? {} : { lookEveryMs: options.lookEveryMs }),
  });
  await watch.start();
  return watch;
}

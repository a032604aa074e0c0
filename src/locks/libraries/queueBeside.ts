import { isAtOrBelow } from '../../base/paths.ts';

// kazoo's semaphore at `P` keeps its queue in the sibling `P-__lock__`. Apart from kazoo.ts, because the user interface needs these
// paths before the libraries are loaded.

const QUEUE_SUFFIX = '-__lock__';

/** The queue of a semaphore. @param path the path that clients use */
export function queueBeside(path: string): string {
  return path + QUEUE_SUFFIX;
}

/** The path that clients use, of a semaphore's queue; undefined when the path is no such queue. */
export function baseOfQueue(queuePath: string): string | undefined {
  const base = queuePath.slice(0, -QUEUE_SUFFIX.length);
  return queuePath.endsWith(QUEUE_SUFFIX) && base !== '' && !base.endsWith('/') ? base : undefined;
}

/**
 * The directory by which the tree shows a node of a lock.
 *
 * @param lockPath the path that clients use
 * @returns that path, or the queue beside it; `undefined` if the node is no part of the lock
 */
export function directoryOfNode(lockPath: string, nodePath: string): string | undefined {
  return [lockPath, queueBeside(lockPath)].find(directory => isAtOrBelow(directory, nodePath));
}

import { isAtOrBelow } from '../base/paths.ts';
import { checkPath, toServerPath } from '../zookeeper/connectString.ts';
import { ZooKeeperError } from '../zookeeper/errors.ts';
import { RefusedDelete, type RefusalReason } from './refusedDelete.ts';

/** Facts of the cluster that the guard depends on. */
export interface GuardOptions {
  /** Of the connect string; default none. Needed to recognise the server's own nodes under a chroot. */
  chroot?: string;
  /** The cluster is marked as read-only: every write is refused. */
  readOnly?: boolean;
}

const serversOwn = '/zookeeper';

/**
 * Paths that are never deleted (docs/faults.md, 4.8): the root and the chroot's root, nodes directly below it, and everything at
 * and below `/zookeeper`. The server itself refuses only some of these.
 *
 * @param path as the client sees it, below the chroot
 * @returns why it is refused, `undefined` if the path alone is no reason
 */
export function guardPath(path: string, options: GuardOptions = {}): RefusalReason | undefined {
  if (options.readOnly === true) return 'read-only';
  if (path === '/') return 'root';
  if (!isValid(path)) return 'invalid-path';
  const serverPath = toServerPath(options.chroot ?? '', path);
  if (isAtOrBelow(serversOwn, path) || isAtOrBelow(serversOwn, serverPath)) return 'zookeeper';
  return path.slice(1).includes('/') ? undefined : 'depth';
}

/** @throws RefusedDelete if `guardPath` has a reason */
export function requireDeletable(path: string, options: GuardOptions): void {
  const reason = guardPath(path, options);
  if (reason !== undefined) throw new RefusedDelete(reason, path);
}

function isValid(path: string): boolean {
  try {
    checkPath('delete', path);
    // The server refuses control characters, so a path with one was not read from it.
    return !/\p{Cc}/u.test(path);
  } catch (error) {
    if (error instanceof ZooKeeperError) return false;
    throw error;
  }
}

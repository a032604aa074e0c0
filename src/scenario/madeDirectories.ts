import { parentPath } from '../base/paths.ts';
import { traitsOf, writableDialects } from '../locks/libraries/registry.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError, ZooKeeperError } from '../zookeeper/errors.ts';

/** A node that a run has made, or may have made, and that is still there, or may be. */
export interface Left {
  readonly path: string;
  /**
   * `in use`: it has children of others, or new ones. `session`: it goes when its session ends, which the servers have not confirmed
   * yet. Otherwise why it was not removed.
   */
  readonly why: 'in use' | 'session' | { readonly error: unknown };
}

/** The directories of a run that were not there before it, deepest last. */
export class MadeDirectories {
  readonly paths: readonly string[];

  private constructor(paths: readonly string[]) {
    this.paths = paths;
  }

  /**
   * Looks which directories are not there yet, before the first step.
   *
   * @param locks paths of locks
   * @throws ZooKeeperError, NotConnectedError, ReplyLostError
   */
  static async lookAt(client: ZooKeeperClient, locks: Iterable<string>): Promise<MadeDirectories> {
    const all = [...new Set([...locks].flatMap(path => [...directoriesOf(path)]))];
    const stats = await Promise.all(all.map(path => client.exists(path)));
    const missing = all.filter((_, at) => stats[at] === undefined);
    return new MadeDirectories(missing.sort((one, other) => one.length - other.length));
  }

  /** Removes those that are empty now. Never touches a node that a session owns, nor one with children. */
  async remove(client: ZooKeeperClient): Promise<Left[]> {
    const left: Left[] = [];
    const paths = this.paths.toReversed();
    for (const [at, path] of paths.entries()) {
      try {
        if (!(await removeEmpty(client, path))) left.push({ path, why: 'in use' });
      } catch (error) {
        // Without a connection each further one would only take its time to fail.
        if (!(error instanceof ZooKeeperError))
          return [...left, ...paths.slice(at).map(each => ({ path: each, why: { error } }))];
        left.push({ path, why: { error } });
      }
    }
    return left;
  }
}

/** @returns whether it is no directory of ours any more */
async function removeEmpty(client: ZooKeeperClient, path: string): Promise<boolean> {
  const stat = await client.exists(path);
  // A node of a session is no directory: the single node of an exclusive lock that another program has taken.
  if (stat?.ephemeralOwner !== 0n) return true;
  if (stat.numChildren > 0) return false;
  try {
    await client.remove(path, stat.version);
    return true;
  } catch (error) {
    if (isZooKeeperError(error, 'NO_NODE')) return true;
    if (isZooKeeperError(error, 'NOT_EMPTY') || isZooKeeperError(error, 'BAD_VERSION')) return false;
    throw error;
  }
}

/** The lock path, all above it, and what the semaphores of the libraries keep below it. */
function* directoriesOf(lock: string): Generator<string> {
  for (let path = lock; path !== '/'; path = parentPath(path)) yield path;
  for (const dialect of writableDialects('semaphore')) {
    const layout = traitsOf(dialect).semaphore;
    if (layout?.type === 'lease-node') yield* [layout.queue(lock), layout.leases(lock)];
  }
}

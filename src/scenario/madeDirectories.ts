import { parentPath } from '../base/paths.ts';
import { traitsOf, writableDialects } from '../locks/libraries/registry.ts';
import type { ZooKeeperClient } from '../zookeeper/client.ts';
import { isZooKeeperError } from '../zookeeper/errors.ts';

/** A node that a run has made and that is still there. */
export interface Left {
  readonly path: string;
  /** `in use`: it has children of others, or new ones. Otherwise an error of the server. */
  readonly why: 'in use' | { readonly error: unknown };
}

/** The directories of a run that were not there before it, deepest last. */
export class MadeDirectories {
  private readonly paths: readonly string[];

  private constructor(paths: readonly string[]) {
    this.paths = paths;
  }

  /** Looks which directories are not there yet, before the first step. @param locks paths of locks */
  static async lookAt(client: ZooKeeperClient, locks: Iterable<string>): Promise<MadeDirectories> {
    const all = [...new Set([...locks].flatMap(path => [...directoriesOf(path)]))];
    const stats = await Promise.all(all.map(path => client.exists(path)));
    const missing = all.filter((_, at) => stats[at] === undefined);
    return new MadeDirectories(missing.sort((one, other) => one.length - other.length));
  }

  /** Removes those that are empty now. Never touches a node that a session owns, nor one with children. */
  async remove(client: ZooKeeperClient): Promise<Left[]> {
    const left: Left[] = [];
    for (const path of this.paths.toReversed()) {
      try {
        const stat = await client.exists(path);
        // A node of a session is no directory: the single node of an exclusive lock that another program has taken.
        if (stat?.ephemeralOwner !== 0n) continue;
        if (stat.numChildren > 0) left.push({ path, why: 'in use' });
        else await client.remove(path, stat.version);
      } catch (error) {
        if (isZooKeeperError(error, 'NO_NODE')) continue;
        left.push({
          path,
          why: isZooKeeperError(error, 'NOT_EMPTY') || isZooKeeperError(error, 'BAD_VERSION') ? 'in use' : { error },
        });
      }
    }
    return left;
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

import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import { baseOfQueue } from '../locks/libraries/queueBeside.ts';
import { leaseNodes, semaphores } from '../locks/libraries/registry.ts';
import { singleNodeByPath } from '../locks/libraries/singleNode.ts';
import { recogniseName } from '../locks/recognition/recognise.ts';

/** What a name says of its directory: it has contenders, or it may have locks of another form. */
export type NameKind = 'contender' | 'part';

const rememberedDirectories = 10_000;
const plainDigits = /^0\d{9}$/;

/** A kind holds for all names of a directory that differ in their number only, as long as that is below a billion. */
interface Remembered {
  stem: string;
  kind: NameKind | undefined;
}

/**
 * Says which names may make a lock of their directory, as the search for locks does (`recogniseNames`), fast enough to be asked for each
 * node that is created: most are asked for in directories that are filled with the same names again and again.
 */
export class LockNames {
  private readonly remembered = new Map<string, Remembered>();

  kindOf(directory: string, name: string): NameKind | undefined {
    const last = name.charCodeAt(name.length - 1);
    if (last < 48 || last > 57) return isPart(name) ? 'part' : undefined;
    const stem = name.slice(0, -10);
    const known = this.remembered.get(directory);
    const isPlain = plainDigits.test(name.slice(-10));
    if (isPlain && known?.stem === stem) return known.kind;
    const kind = recogniseName(directory, name) === undefined ? undefined : 'contender';
    if (isPlain) this.remember(directory, { stem, kind });
    return kind;
  }

  private remember(directory: string, kind: Remembered): void {
    if (this.remembered.size >= rememberedDirectories) this.remembered.clear();
    this.remembered.set(directory, kind);
  }
}

function isPart(name: string): boolean {
  return leaseNodes.some(({ nodeName }) => nodeName === name) || semaphores.some(each => each.isLikely?.([name]));
}

/** Whether a node without children may be a lock by its path alone, or the queue of one. */
export function mayBeLock(path: string): boolean {
  return singleNodeByPath(path) !== undefined || baseOfQueue(path) !== undefined;
}

/** Whether a child may be a lock by itself in a directory whose name does not say that it has locks. */
export function mayBeAlone({ name, path }: { name: string; path: string }): boolean {
  return mayBeLock(path) || isPart(name);
}

/** Whether a search finds a node without children: not where it is a contender by its name. */
export function isLockItself(path: string): boolean {
  return mayBeLock(path) && recogniseName(parentPath(path), lastSegment(path)) === undefined;
}

/** Whether a search comes to a directory: not below contenders, nor in ZooKeeper's own. */
export function isSearched(path: string): boolean {
  if (path === '/') return true;
  let directory = '/';
  for (const name of path.slice(1).split('/')) {
    if (directory === '/' && name === 'zookeeper') return false;
    if (recogniseName(directory, name) === 'contender') return false;
    directory = childPath(directory, name);
  }
  return true;
}

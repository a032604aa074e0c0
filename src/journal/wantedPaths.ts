import { childPath, lastSegment, parentPath } from '../base/paths.ts';
import { furtherDirectories } from '../locks/recognition/recognise.ts';

/** What children a directory of a semaphore may have, which say where its other directories are. */
const namesOfParts: readonly (readonly string[])[] = [[], ['leases']];

/** Which nodes belong to some locks: those of their directories, and of the further directories that their layouts have. */
export class WantedPaths {
  /** The directories to be listed. */
  readonly directories: ReadonlySet<string>;
  private readonly others: ReadonlySet<string>;

  /** @param paths of locks */
  constructor(paths: readonly string[]) {
    const further = paths.flatMap(path => namesOfParts.flatMap(names => furtherDirectories(path, names)));
    this.directories = new Set([...paths, ...further]);
    // Beside it a leader is Patroni's.
    const leaders = paths.filter(path => lastSegment(path) === 'leader');
    this.others = new Set(leaders.map(path => childPath(parentPath(path), 'initialize')));
  }

  has(path: string): boolean {
    return this.directories.has(path) || this.directories.has(parentPath(path)) || this.others.has(path);
  }

  /** The nodes that may be there, but for the children of the directories. */
  alone(): string[] {
    return [...this.directories, ...this.others];
  }
}

import type { ChildNode } from '../locks/lockDirectory.ts';
import { childPath, parentPath } from '../base/paths.ts';
import { readSequence } from '../locks/sequence.ts';

/** Children by path. */
type Children = ReadonlyMap<string, unknown>;

/**
 * What of a lock directory may change without an event. Servers with the fix of CVE-2024-23944 (3.8.4, 3.9.2 and later, and
 * what distributions made of it) tell a recursive watch nothing of a node that the session may not read.
 */
export class Sight {
  /** Children that may not be read, by directory; a directory that had some stays, since the next ones will be like them. */
  private readonly hidden = new Map<string, Set<string>>();
  /** Directories of which a child was readable. */
  private readonly proven = new Set<string>();

  sawNode({ path, isDataDenied = false }: ChildNode): void {
    if (isDataDenied) {
      this.sawHidden(path);
      return;
    }
    this.forget(path);
    this.proven.add(parentPath(path));
  }

  sawHidden(path: string): void {
    const directory = parentPath(path);
    const paths = this.hidden.get(directory);
    if (paths === undefined) this.hidden.set(directory, new Set([path]));
    else paths.add(path);
  }

  forget(path: string): void {
    this.hidden.get(parentPath(path))?.delete(path);
  }

  /** Everything is about to be read anew. */
  restart(): void {
    for (const paths of this.hidden.values()) paths.clear();
  }

  /** Whether the next child may come or go untold: not all could be read, or none was ever seen. */
  isBlind(directory: string, children: Children): boolean {
    return this.hidden.has(directory) || (children.size === 0 && !this.proven.has(directory));
  }

  /** The paths of all known children, with those of which not even the stat may be read. */
  knownIn(directory: string, children: Children): ReadonlySet<string> {
    return new Set([...children.keys(), ...(this.hidden.get(directory) ?? [])]);
  }

  /** The nodes that are not, or may not be, as they are known, by a new listing. */
  compare(directory: string, children: Children, names: readonly string[]): string[] {
    const known = this.knownIn(directory, children);
    const listed = new Set(names.map(name => childPath(directory, name)));
    const came = [...listed].filter(path => !known.has(path));
    const went = [...known].filter(path => !listed.has(path));
    // One without a number may have been deleted and created anew; one with a number never comes again.
    const again = [...(this.hidden.get(directory) ?? [])].filter(path => readSequence(path).length === 0);
    return [...new Set([...came, ...went, ...again])];
  }
}

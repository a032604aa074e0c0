import { furtherDirectories } from '../locks/furtherDirectories.ts';
import type { ChildNode } from '../locks/lockDirectory.ts';
import { childPath, parentPath } from '../base/paths.ts';
import type { TreeEvent } from '../zookeeper/client.ts';
import type { DirectoryReading } from './readDirectory.ts';
import type { NodeReading } from './readNodes.ts';
import { Sight } from './sight.ts';

/** What must be read before the picture is right again. `reload`: everything; `read`: these nodes (perhaps none). */
export type CacheWork = { need: 'nothing' } | { need: 'reload' } | { need: 'read'; paths: string[] };

/**
 * A lock directory in memory, loaded once and then kept right by watch events: a created or changed child costs one small
 * read, a deleted one none. Pure: it says what to read, and is told what was read.
 *
 * Order matters between events and answers. ZooKeeper delivers the event of a change before any answer that shows it, but
 * an answer may be handed over after an event that is younger than it. So a deletion outweighs the answer to an older question.
 * Any other event asks again, and the answer stands until then: whoever is behind a node that is left out looks like a holder.
 */
export class LockDirectoryCache {
  readonly path: string;
  private self: ChildNode | undefined;
  /** Children by path, for the directory itself and each further directory that exists. */
  private lists = new Map<string, Map<string, ChildNode>>();
  private wantedFurther: readonly string[] = [];
  private unreadable = new Set<string>();
  /** Nodes with an event that is not yet worked in. */
  private touched = new Map<string, 'gone' | 'read'>();
  private reloadWanted = true;
  private readonly sight = new Sight();
  private moves = 0;
  /** Between taking a reload and `load`: what is relevant is not known yet, so every event is kept. */
  private loading = false;

  constructor(path: string) {
    this.path = path;
  }

  /** Every further directory the layout may have, whether it exists or not. */
  get furtherPaths(): readonly string[] {
    return this.wantedFurther;
  }

  /** Whether `takeWork` would ask for everything. */
  get needsReload(): boolean {
    return this.reloadWanted;
  }

  /** Whether `takeWork` would say anything but `nothing`. */
  get hasWork(): boolean {
    return this.reloadWanted || this.touched.size > 0;
  }

  /** Another number once something was noted or handed out. */
  get revision(): number {
    return this.moves;
  }

  /** The directories that exist and were listed. */
  get directories(): string[] {
    return [...this.lists.keys()];
  }

  /** The directories of the layout, whether they exist or not, except those that may not be listed. */
  get lookPaths(): string[] {
    return [this.path, ...this.wantedFurther].filter(path => !this.unreadable.has(path));
  }

  /** How many children a directory has, unreadable ones included; `undefined` if it does not exist. */
  countOf(directory: string): number | undefined {
    const list = this.lists.get(directory);
    return list && this.sight.knownIn(directory, list).size;
  }

  /** Whether a child of a directory may come or go without an event. */
  isBlind(directory: string): boolean {
    const list = this.lists.get(directory);
    // An ephemeral node never has children.
    const isLeaf = directory === this.path && this.self?.ephemeralOwner !== 0n;
    return list !== undefined && !isLeaf && this.sight.isBlind(directory, list);
  }

  /** Takes in a listing. @returns whether anything is to be read */
  noteNames(directory: string, names: readonly string[]): boolean {
    const list = this.lists.get(directory);
    if (list === undefined || this.reloadWanted) return false;
    const doubtful = this.sight.compare(directory, list, names);
    const wanted = doubtful.filter(path => !this.touched.has(path));
    for (const path of wanted) this.touched.set(path, 'read');
    return wanted.length > 0;
  }

  /** What is known cannot be trusted any more: after a gap in the events, or a failed read. */
  requestReload(): void {
    this.reloadWanted = true;
    this.loading = false;
    this.touched.clear();
  }

  /** @returns whether the event matters here; those of deeper descendants do not */
  note(event: TreeEvent): boolean {
    this.moves += 1;
    const { type, path } = event;
    if (type === 'reread' || this.changesShape(type, path)) {
      this.requestReload();
      return true;
    }
    if (this.reloadWanted) return true;
    if (!this.loading && !this.isKnown(path)) return false;
    this.touched.set(path, type === 'deleted' ? 'gone' : 'read');
    return true;
  }

  /** Directories that come or go, and anything in a directory that did not exist, change more than one child. */
  private changesShape(type: TreeEvent['type'], path: string): boolean {
    if (path === this.path) return type === 'created' || (this.self === undefined && !this.loading);
    if (this.wantedFurther.includes(path)) return type !== 'dataChanged';
    return this.self === undefined && !this.loading && parentPath(path) === this.path;
  }

  private isKnown(path: string): boolean {
    return path === this.path || this.lists.has(parentPath(path));
  }

  /** Hands out what to read next; the caller reports back with `load` or `applyReads`. Deletions are worked in at once. */
  takeWork(): CacheWork {
    this.moves += 1;
    if (this.reloadWanted) {
      this.reloadWanted = false;
      this.loading = true;
      this.touched.clear();
      return { need: 'reload' };
    }
    if (this.touched.size === 0) return { need: 'nothing' };
    this.dropDeleted();
    const paths = [...this.touched.keys()];
    this.touched.clear();
    return { need: 'read', paths };
  }

  /** Works in the deletions noted so far. @returns their paths */
  private dropDeleted(): string[] {
    const deleted = [...this.touched].flatMap(([path, what]) => (what === 'gone' ? [path] : []));
    for (const path of deleted) {
      this.touched.delete(path);
      this.drop(path);
    }
    return deleted;
  }

  /** Replaces everything; events noted since the reload was taken are still to be worked in. */
  load(reading: DirectoryReading | undefined): void {
    this.replace(reading);
    this.loading = false;
    for (const path of this.touched.keys()) if (!this.isKnown(path)) this.touched.delete(path);
  }

  private replace(reading: DirectoryReading | undefined): void {
    this.lists = new Map();
    this.sight.restart();
    this.unreadable = new Set(reading?.unreadable);
    this.wantedFurther = reading?.wantedFurther ?? [];
    this.self = reading?.directory.self;
    if (reading === undefined) return;
    const { path, children, further } = reading.directory;
    this.lists.set(path, byPath(children));
    for (const [directory, nodes] of further) this.lists.set(directory, byPath(nodes));
    for (const list of this.lists.values()) for (const node of list.values()) this.sight.sawNode(node);
    for (const hidden of this.unreadable) this.sight.sawHidden(hidden);
  }

  /**
   * Works in the answers to the paths of `takeWork`, in their order. Those who left meanwhile leave with those that were read
   * as gone: of two that left one after the other, the second alone would look like a holder.
   */
  applyReads(paths: readonly string[], readings: readonly NodeReading[]): void {
    const added: string[] = [];
    const deleted = new Set(this.dropDeleted());
    for (const [at, path] of paths.entries()) {
      if (deleted.has(path)) continue;
      const reading = readings[at] ?? 'gone';
      if (reading === 'gone') this.drop(path);
      else if (reading === 'unreadable') this.setUnreadable(path);
      else if (this.put(reading)) added.push(reading.name);
    }
    if (added.length > 0 && this.layoutHasGrown(added)) this.requestReload();
  }

  /** The directory as known now; `undefined` while it does not exist. */
  snapshot(): DirectoryReading | undefined {
    if (this.self === undefined) return undefined;
    const further = new Map<string, ChildNode[]>();
    for (const [directory, nodes] of this.lists) {
      if (directory !== this.path) further.set(directory, [...nodes.values()]);
    }
    const children = this.lists.get(this.path)?.values() ?? [];
    return {
      directory: { path: this.path, self: this.self, children: [...children], further },
      wantedFurther: this.wantedFurther,
      unreadable: [...this.unreadable],
    };
  }

  /** @returns whether the directory itself got a child that it did not have */
  private put(node: ChildNode): boolean {
    this.unreadable.delete(node.path);
    if (node.path === this.path) {
      this.self = node;
      return false;
    }
    const parent = parentPath(node.path);
    const list = this.lists.get(parent);
    if (list === undefined) return false;
    this.sight.sawNode(node);
    const isNew = !list.has(node.path);
    // A node created anew goes to the end, as it would in a fresh listing; the order of equals stays that of creation.
    if (!isNew && list.get(node.path)?.czxid !== node.czxid) list.delete(node.path);
    list.set(node.path, node);
    return isNew && parent === this.path;
  }

  private drop(path: string): void {
    this.unreadable.delete(path);
    this.sight.forget(path);
    if (path === this.path) this.replace(undefined);
    else this.lists.get(parentPath(path))?.delete(path);
  }

  private setUnreadable(path: string): void {
    if (path === this.path) return;
    this.drop(path);
    this.unreadable.add(path);
    this.sight.sawHidden(path);
  }

  /**
   * A further directory that is no longer wanted is left until the next reload: it costs a watch and misleads nobody.
   *
   * @param added names that are new; of the others only those matter that need a second one to mean something
   */
  private layoutHasGrown(added: readonly string[]): boolean {
    const children = this.lists.get(this.path);
    const names = [...added, ...['locks', 'leases'].filter(name => children?.has(childPath(this.path, name)))];
    return furtherDirectories(this.path, names).some(path => !this.wantedFurther.includes(path));
  }
}

function byPath(nodes: readonly ChildNode[]): Map<string, ChildNode> {
  return new Map(nodes.map(node => [node.path, node]));
}
